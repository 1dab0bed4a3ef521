import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js'

/** A tool as a server lists it, whole. */
export interface ListedTool {
  name: string
  [member: string]: unknown
}

/** Everything a server offers, as far as it answered. */
export interface Offer {
  tools: ListedTool[]
  resources: Record<string, unknown>[]
  resourceTemplates: Record<string, unknown>[]
  prompts: Record<string, unknown>[]
}

/** Asks for one page of a list; rejects when there is no answer. */
export type AskPage = (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>

/** A server that gives page after page is followed so far and no further. */
const pageLimit = 100
const entryLimit = 10_000

/** Reads what a server that can do so much offers. Rejects when its tools cannot be read; any other list is empty then. */
export async function readOffer(ask: AskPage, { tools, resources, prompts }: ServerCapabilities): Promise<Offer> {
  return {
    tools: tools ? (await readList(ask, 'tools/list', 'tools')).filter(isNamed) : [],
    resources: resources ? await readList(ask, 'resources/list', 'resources').catch(() => []) : [],
    resourceTemplates: resources
      ? await readList(ask, 'resources/templates/list', 'resourceTemplates').catch(() => [])
      : [],
    prompts: prompts ? await readList(ask, 'prompts/list', 'prompts').catch(() => []) : [],
  }
}

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
