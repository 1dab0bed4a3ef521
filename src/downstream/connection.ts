import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  ProgressNotificationSchema,
  ResultSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
  type ClientCapabilities,
  type ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { linkSignals } from '../timing/link-signals.ts'
import type { ResultTexts } from './raw-result.ts'
import { relayedCapabilities, relayUpwards, type Upstream } from './upstream.ts'
import { TappedTransport, type RawAnswer } from './tapped-transport.ts'

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

/** What became of a call. */
export type CallOutcome =
  | RawAnswer
  /** It may have been carried out; it is never sent again. */
  | { kind: 'unknown'; why: 'cancelled' | 'timed_out' | 'connection_lost' }
  /** It was provably never written. */
  | { kind: 'not_sent'; why: 'cancelled' | 'timed_out' | 'connection_lost' }

/** How one call is made. */
export interface CallOptions {
  signal?: AbortSignal
  /** Ends the waiting as well, as a time-out; absent: no limit of ours. */
  limit?: AbortSignal
  /** Passed on as the request's `_meta`. */
  meta?: Record<string, unknown>
  onProgress?: (progress: Record<string, unknown>) => void
}

/** One live connection to a mounted server. */
export interface Connection {
  readonly offer: Offer
  readonly instructions: string | undefined
  /** What the server says it can do. */
  readonly capabilities: ServerCapabilities
  /** Sends one request and gives its answer, or why there is none. */
  exchange(method: string, params: Record<string, unknown>, options: CallOptions): Promise<CallOutcome>
  /** Tells the server that the client's roots have changed, if it was told that it would be told. */
  tellRootsChanged(): void
  /** Watches resources as a connection before this one did; each counts as changed, since nobody saw it meanwhile. */
  watchAgain(uris: Iterable<string>): void
  /** Asks for everything that is offered again. */
  readOffer(): Promise<Offer>
  /** Ends it; resolves when nothing is left of it, its process included. */
  close(): Promise<void>
  /** Lets what is under way end, and closes then. */
  retire(): Promise<void>
}

/** How one connection is made. */
export interface ConnectOptions {
  /** The server's name, for people who are asked something by it. */
  server: string
  upstream: Upstream
  /** Everything until the first lists are read takes at most this long. */
  timeoutMs: number
  /** Gives the attempt up. */
  signal: AbortSignal
  /** Where the transport leaves the texts of results. */
  texts: ResultTexts
}

/** What a connection reports while it lives. */
export interface ConnectionEvents {
  /** What the server offers has changed. */
  onChanged(): void
  /** The server is gone; told at once and once. */
  onLost(): void
}

const announcements = [
  ToolListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  PromptListChangedNotificationSchema,
]

/** Pages and tools that are followed at most. */
const pageLimit = 100
const toolLimit = 10_000
/** Results are passed on as they are, so nothing is held against a server's output schema. */
const jsonSchemaValidator = {
  getValidator: () => (input: unknown) => ({ valid: true as const, data: input as never, errorMessage: undefined }),
}
/** The longest time-out that a timer can hold: our own deadlines are tighter. */
const noTimeoutMs = 2 ** 31 - 1

/** Connects, initializes and lists what the server offers. Rejects when it cannot; the transport is closed then. */
export async function connect(
  inner: Transport,
  clientInfo: { name: string; version: string },
  events: ConnectionEvents,
  { timeoutMs, signal, texts, server, upstream }: ConnectOptions,
): Promise<Connection> {
  const transport = new TappedTransport(inner, texts)
  const capabilities: ClientCapabilities = relayedCapabilities(upstream)
  const client = new Client(clientInfo, { capabilities, jsonSchemaValidator })
  relayUpwards(client, server, upstream)
  const progress = new Map<string, (progress: Record<string, unknown>) => void>()
  const underWay = new Set<Promise<CallOutcome>>()
  let nextToken = 0
  client.setNotificationHandler(ProgressNotificationSchema, ({ params }) =>
    progress.get(String(params.progressToken))?.(params),
  )
  for (const schema of announcements) client.setNotificationHandler(schema, () => events.onChanged())
  client.onclose = () => events.onLost()
  const deadline = linkSignals([signal, AbortSignal.timeout(timeoutMs)])
  const ask = async (
    method: string,
    params: Record<string, unknown>,
    signals: readonly (AbortSignal | undefined)[],
  ) => {
    const { signal, release } = linkSignals(signals)
    const asked = client.request({ method, params }, ResultSchema, { signal, timeout: noTimeoutMs })
    return (await asked.finally(release)) as Record<string, unknown>
  }
  const listAll = async (method: string, member: string, signal: AbortSignal) => {
    const all: Record<string, unknown>[] = []
    let cursor: unknown
    for (let page = 0; page < pageLimit && all.length < toolLimit; page++) {
      const result = await ask(method, cursor === undefined ? {} : { cursor }, [signal])
      const items = result[member]
      if (Array.isArray(items)) all.push(...items.filter((item) => typeof item === 'object' && item !== null))
      if (typeof result.nextCursor !== 'string' || result.nextCursor === cursor) break
      cursor = result.nextCursor
    }
    return all.slice(0, toolLimit)
  }
  const listTools = async (signal: AbortSignal) =>
    (await listAll('tools/list', 'tools', signal)).filter((tool): tool is ListedTool => typeof tool.name === 'string')

  const readOffer = async (signal: AbortSignal): Promise<Offer> => {
    const offered = client.getServerCapabilities() ?? {}
    return {
      tools: offered.tools ? await listTools(signal) : [],
      resources: offered.resources ? await listAll('resources/list', 'resources', signal).catch(() => []) : [],
      resourceTemplates: offered.resources
        ? await listAll('resources/templates/list', 'resourceTemplates', signal).catch(() => [])
        : [],
      prompts: offered.prompts ? await listAll('prompts/list', 'prompts', signal).catch(() => []) : [],
    }
  }

  try {
    await client.connect(transport, { timeout: timeoutMs, signal: deadline.signal })
    return {
      offer: await readOffer(deadline.signal),
      instructions: client.getInstructions(),
      capabilities: client.getServerCapabilities() ?? {},
      readOffer: () => readOffer(AbortSignal.timeout(timeoutMs)),
      tellRootsChanged: () => {
        if (capabilities.roots?.listChanged === true) void client.sendRootsListChanged().catch(() => {})
      },
      watchAgain: (uris) => {
        for (const uri of uris)
          void exchange('resources/subscribe', { uri }, { limit: AbortSignal.timeout(timeoutMs) }).then(() =>
            upstream.tellUpdated?.(server, uri),
          )
      },
      close,
      retire: async () => {
        while (underWay.size > 0) await Promise.all(underWay)
        await close()
      },
      exchange,
    }
  } catch (error) {
    await close()
    throw error
  } finally {
    deadline.release()
  }

  /** The client forgets a transport that is closed, but not everything of it has ended then. */
  async function close(): Promise<void> {
    await client.close().catch(() => {})
    await inner.close().catch(() => {})
  }

  function exchange(method: string, members: Record<string, unknown>, options: CallOptions): Promise<CallOutcome> {
    const exchanged = exchangeOnce(method, members, options).finally(() => underWay.delete(exchanged))
    underWay.add(exchanged)
    return exchanged
  }

  async function exchangeOnce(
    method: string,
    members: Record<string, unknown>,
    options: CallOptions,
  ): Promise<CallOutcome> {
    const token = `hubu-${++nextToken}`
    const { progressToken: _theirs, ...meta } = options.meta ?? {}
    const params = {
      ...members,
      ...((options.onProgress !== undefined || Object.keys(meta).length > 0) && {
        _meta: { ...meta, ...(options.onProgress !== undefined && { progressToken: token }) },
      }),
    }
    if (options.onProgress !== undefined) progress.set(token, options.onProgress)
    const watched = transport.watch(params)
    const { limit } = options
    const asked = ask(method, params, [options.signal, limit])
    try {
      // The SDK waits for ever when an answer has not quite the form of one.
      await Promise.race([asked, watched.answered])
    } catch {
      // What the server said, if it said anything, stands in `watched`.
    } finally {
      progress.delete(token)
    }
    if (watched.answer !== undefined) return watched.answer
    const why = options.signal?.aborted ? 'cancelled' : limit?.aborted ? 'timed_out' : 'connection_lost'
    return { kind: watched.wasSent ? 'unknown' : 'not_sent', why }
  }
}
