import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js'
import { admitItems, admitTools, type AdmittedTool, type ListedTool, type Note } from './admission/admit.ts'

/** Everything a server offers, as far as it answered and clients take it. */
export interface Offer {
  tools: AdmittedTool[]
  resources: Record<string, unknown>[]
  resourceTemplates: Record<string, unknown>[]
  prompts: Record<string, unknown>[]
  /** What was changed or left out besides tools. */
  notes: Note[]
}

/** Asks for one page of a list; rejects when there is no answer. */
export type AskPage = (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>

/** A server that gives page after page is followed so far and no further. */
const pageLimit = 100
const entryLimit = 10_000

/** Reads what a server that can do so much offers. Rejects when its tools cannot be read; any other list is empty then. */
export async function readOffer(ask: AskPage, can: ServerCapabilities, turn: () => Promise<void>): Promise<Offer> {
  const other = async (method: string, kind: 'resources' | 'resourceTemplates' | 'prompts') => {
    const isOffered = kind === 'prompts' ? can.prompts : can.resources
    return admitItems(kind, isOffered ? await readList(ask, method, kind).catch(() => []) : [])
  }
  const listed = can.tools ? (await readList(ask, 'tools/list', 'tools')).filter(isNamed) : []
  const [resources, templates, prompts] = [
    await other('resources/list', 'resources'),
    await other('resources/templates/list', 'resourceTemplates'),
    await other('prompts/list', 'prompts'),
  ]
  return {
    tools: await admitTools(listed, loadCompiler, turn),
    resources: resources.items,
    resourceTemplates: templates.items,
    prompts: prompts.items,
    notes: [resources, templates, prompts].flatMap(({ notes }) => notes),
  }
}

/** Large, and of no use to servers without output schemas. */
const loadCompiler = async () => (await import('./admission/schema-compiler.ts')).canCompile

async function readList(ask: AskPage, method: string, member: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  let cursor: unknown
  for (let page = 0; page < pageLimit && all.length < entryLimit; page++) {
    const result = await ask(method, cursor === undefined ? {} : { cursor })
    const items = result[member]
    if (Array.isArray(items)) all.push(...items.filter((item) => typeof item === 'object' && item !== null))
    if (typeof result.nextCursor !== 'string' || result.nextCursor === cursor) break
    cursor = result.nextCursor
  }
  return all.slice(0, entryLimit)
}

const isNamed = (tool: Record<string, unknown>): tool is ListedTool => typeof tool.name === 'string'
