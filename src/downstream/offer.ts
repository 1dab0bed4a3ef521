import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js'
import type { Clock } from '../timing/clock.ts'
import { holdBack, type ReviewTools } from './tool-review.ts'
import { withoutUnseen } from './admission/clean-text.ts'
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
export type AskPage = (
  method: string,
  params: Record<string, unknown>,
  signal?: AbortSignal,
) => Promise<Record<string, unknown>>

/** When the tools are there, other lists are waited for so long. */
const othersGraceMs = 3000

/** A server that gives page after page is followed so far and no further. */
const pageLimit = 100
const entryLimit = 10_000

/**
 * Reads what a server that can do so much offers, all lists at once; one that is not answered does not hold up the tools for long.
 * `review` gives the tools that are held.
 * Rejects when the tools cannot be read and nothing else is offered; any other list that cannot be read is empty, and a note says so.
 */
export async function readOffer(
  ask: AskPage,
  can: ServerCapabilities,
  { turn, after }: Pick<Clock, 'turn' | 'after'>,
  review: (tools: readonly ListedTool[]) => ReturnType<ReviewTools> = holdNothing,
): Promise<Offer> {
  const unread: Note[] = []
  const late = new AbortController()
  const list = async (method: string, member: string, isOffered: boolean) => {
    if (!isOffered) return []
    try {
      return await readList((...asked) => ask(...asked, member === 'tools' ? undefined : late.signal), method, member)
    } catch (error) {
      if (member === 'tools' && can.resources === undefined && can.prompts === undefined)
        throw new UnreadableTools(error)
      unread.push({ what: `list of ${method.replace(/\/list$/, '')}`, done: 'could not be read' })
      return []
    }
  }
  const tools = list('tools/list', 'tools', can.tools !== undefined)
  let cancel = () => {}
  if (can.tools !== undefined)
    void tools.then(
      () => (cancel = after(othersGraceMs, () => late.abort())),
      () => {},
    )
  const [listed, ...others] = await Promise.all([
    tools,
    list('resources/list', 'resources', can.resources !== undefined),
    list('resources/templates/list', 'resourceTemplates', can.resources !== undefined),
    list('prompts/list', 'prompts', can.prompts !== undefined),
  ])
  cancel()
  const resources = admitItems('resources', others[0])
  const templates = admitItems('resourceTemplates', others[1])
  const prompts = admitItems('prompts', others[2])
  const named = distinct(listed.filter(isNamed))
  const held = await review(named)
  const free = (
    await admitTools(
      named.filter(({ name }) => !held.has(name)),
      loadCompiler,
      turn,
    )
  ).values()
  const toolOf = (tool: ListedTool) => {
    const why = held.get(tool.name)
    return why === undefined ? free.next().value : holdBack(tool, why)
  }
  return {
    tools: named.map(toolOf).filter((tool) => tool !== undefined),
    resources: resources.items,
    resourceTemplates: templates.items,
    prompts: prompts.items,
    notes: [...unread, ...[resources, templates, prompts].flatMap(({ notes }) => notes)],
  }
}

const holdNothing = () => Promise.resolve(new Map<string, never>())

/** A server has nothing but tools and does not list them. */
export class UnreadableTools extends Error {
  override readonly name = 'UnreadableTools'
  /** The number of the error that it answered with; undefined when it did not answer. */
  readonly code: number | undefined

  constructor(cause: unknown) {
    const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown }
    super(String(message), { cause })
    // Time-outs and lost connections have numbers of the SDK's own.
    this.code = typeof code === 'number' && code !== -32001 && code !== -32000 ? code : undefined
  }
}

/** Large, and of no use to servers without output schemas. */
const loadCompiler = async () => (await import('./admission/schema-compiler.ts')).canCompile

async function readList(
  ask: (...asked: [string, Record<string, unknown>]) => ReturnType<AskPage>,
  method: string,
  member: string,
): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  const seen = new Set<unknown>()
  let cursor: unknown
  for (let page = 0; page < pageLimit && all.length < entryLimit; page++) {
    const result = await ask(method, cursor === undefined ? {} : { cursor })
    const items = result[member]
    if (Array.isArray(items)) all.push(...items.filter((item) => typeof item === 'object' && item !== null))
    if (typeof result.nextCursor !== 'string' || seen.has(result.nextCursor)) break
    seen.add((cursor = result.nextCursor))
  }
  return all.slice(0, entryLimit)
}

/** Of tools whose names nobody can tell apart the first counts: they are known, shown and held under one name. */
function distinct(tools: readonly ListedTool[]): ListedTool[] {
  const seen = new Set<string>()
  return tools.filter(({ name }) => {
    const visible = withoutUnseen(name)
    return !seen.has(visible) && seen.add(visible)
  })
}

const isNamed = (tool: Record<string, unknown>): tool is ListedTool => typeof tool.name === 'string'
