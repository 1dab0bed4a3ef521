// Starts a client's entry as the client would, asks what it offers, and ends it again.
import type { GongbuCapability } from '#generated/types/router.js'
import { startChild, type Child } from '../../downstream/child-process.ts'
import { childEnvironment } from '../../downstream/environment.ts'
import { ChildTransport } from '../../downstream/child-transport.ts'
import { ResultTexts } from '../../downstream/raw-result.ts'
import { isObject, member } from '../../json/read.ts'
import type { Clock } from '../../timing/clock.ts'

/** How a backend stands. */
export type BackendState = GongbuCapability['state']

/** What a client's entry starts, and where. */
export interface EntryCommand {
  command: string
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
  cwd: string
}

/** What an entry turned out to be. */
export type StartedEntry =
  | {
      kind: 'started'
      tools: string[]
      version: string | undefined
      backends: Record<'hubu' | 'gongbu', BackendState>
      tookMs: number
    }
  /** A server that answers and is not ours. */
  | { kind: 'stranger'; name: string; tools: number }
  /** `words`: the last line that it wrote to stderr. */
  | { kind: 'failed'; reason: 'not_started' | 'ended' | 'silent'; words: string }

/** What starting is given. */
export interface StartContext {
  env: Readonly<Record<string, string | undefined>>
  home: string
  platform: NodeJS.Platform
  clock: Pick<Clock, 'after' | 'monotonicMs' | 'turn'>
  /** A client waits no longer either. */
  limitMs: number
}

const patience = { afterEndMs: 3000, afterTermMs: 1000 }
/** More pages than any list of tools has. */
const maxPages = 100

/** Starts the entry with the few variables that every client passes on, and its own. Never rejects; the child is gone afterwards. */
export async function startEntry(entry: EntryCommand, context: StartContext): Promise<StartedEntry> {
  const passed = Object.keys(context.env).filter((name) => name.startsWith('XDG_'))
  const env = childEnvironment(context, entry.env ?? {}, passed)
  const startMs = context.clock.monotonicMs()
  let child: Child
  try {
    child = await startChild(
      { command: entry.command, args: entry.args ?? [], cwd: entry.cwd, env },
      context.clock,
      patience,
    )
  } catch (error) {
    return { kind: 'failed', reason: 'not_started', words: error instanceof Error ? error.message : '' }
  }
  let cancel = (): void => {}
  const limit = new Promise<'silent'>(
    (resolve) => (cancel = context.clock.after(context.limitMs, () => resolve('silent'))),
  )
  try {
    const outcome = await Promise.race([talk(child, context.clock), limit, child.ended.then(() => 'ended' as const)])
    if (typeof outcome !== 'string') return finished(outcome, context.clock.monotonicMs() - startMs)
    await child.stop()
    return { kind: 'failed', reason: outcome, words: lastLine(child.stderrTail()) }
  } finally {
    cancel()
    await child.stop()
  }
}

interface Heard {
  server: unknown
  own: unknown
  tools: string[]
}

function finished({ server, own, tools }: Heard, tookMs: number): StartedEntry {
  const version = member(server, 'version')
  const backends = member(own, 'backends')
  if (!isObject(backends)) return { kind: 'stranger', name: String(member(server, 'name') ?? ''), tools: tools.length }
  const stateOf = (owner: string) => (member(member(backends, owner), 'state') ?? 'unavailable') as BackendState
  return {
    kind: 'started',
    tools,
    version: typeof version === 'string' ? version : undefined,
    backends: { hubu: stateOf('hubu'), gongbu: stateOf('gongbu') },
    tookMs,
  }
}

/** The handshake and the whole list of tools. Never settles when the child goes or says nothing. */
async function talk(child: Child, clock: StartContext['clock']): Promise<Heard> {
  const transport = new ChildTransport(child, new ResultTexts(), clock)
  const ask = questions(transport)
  await transport.start()
  const hello = await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'hubu-unified-mcp-doctor', version: '1' },
  })
  transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' }).catch(() => {})
  const tools: string[] = []
  let cursor: unknown
  for (let page = 0; page < maxPages; page++) {
    const answer = await ask('tools/list', cursor === undefined ? {} : { cursor })
    const listed = member(answer, 'tools')
    if (Array.isArray(listed)) tools.push(...listed.map((tool) => String(member(tool, 'name'))))
    cursor = member(answer, 'nextCursor')
    if (cursor === undefined) break
  }
  const own = member(member(member(hello, 'capabilities'), 'experimental'), 'hubu.dev/unified-mcp')
  return { server: member(hello, 'serverInfo'), own, tools }
}

/** Requests one after another; what answers none is passed over. */
function questions(transport: ChildTransport): (method: string, params: object) => Promise<unknown> {
  const waiting = new Map<unknown, (result: unknown) => void>()
  transport.onmessage = (message) => waiting.get(member(message, 'id'))?.(member(message, 'result'))
  let last = 0
  return (method, params) =>
    new Promise((resolve) => {
      const id = ++last
      waiting.set(id, resolve)
      // One that does not take the question is about to end, which is noticed.
      transport.send({ jsonrpc: '2.0', id, method, params: { ...params } }).catch(() => {})
    })
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.at(-1)?.trim() ?? ''
}
