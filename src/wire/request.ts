// What an edge hands to the core, and what it gets back. Plain data and functions: edges are bundles of their own, and no class crosses.
import type { Findings } from '../json/findings.ts'

/** `legacy`: revisions that begin with `initialize`. `modern`: each request says its revision and what its client can do. */
export type Era = 'legacy' | 'modern'

/** What a caller may do; `spend` and `protected` do not include each other. */
export type Right = 'read' | 'spend' | 'protected'

/** Who asks. The edge has authenticated it; nothing in a request can change it. */
export interface Caller {
  /** `local`, `token:NAME` or `jwt:SUBJECT`. */
  readonly principal: string
  readonly rights: ReadonlySet<Right>
  /** The entry of `agents:` that is the whole scope; absent: the scope of the process. */
  readonly agent?: string
}

/** Whoever started this process, or has its start token: everything. */
export const localCaller: Caller = { principal: 'local', rights: new Set<Right>(['read', 'spend', 'protected']) }

/** What the client said of itself: in its handshake, in the session that it named, or in this very request. */
export interface ClientView {
  readonly era: Era
  /** Empty before anything was agreed on. Revisions are dates and sort as text. */
  readonly revision: string
  readonly capabilities: Readonly<Record<string, unknown>>
  /** The name that it gave itself; decides nothing. */
  readonly name: string
  /** The lowest level of log messages that it wants; absent: it has not said so. */
  readonly logLevel?: string
}

/** The way to the client of one request, and to nobody else. Nothing of it throws. */
export interface AnswerPort {
  /** Sends a notification that belongs to the request, before its answer. `paramsJson` is sent as it is. */
  notify(method: string, paramsJson: string): void
  /** Whether the client reads so late that what can be left out is. */
  isFull(): boolean
  /** Asks the client while the request is open; rejects where no answer comes. Absent: this client is not asked so. */
  ask?(method: string, params: object, signal: AbortSignal): Promise<object>
  /** Whether log of mounted servers that belongs to this request goes out on it. Absent: all of it goes to the only client. */
  readonly takesLog?: boolean
  /** The answer will be that of an operation: for whoever watches what becomes of answers. */
  concerns?(handle: string): void
}

/** The resources that one client of several watches. */
export interface KeptWatches {
  /** Watches one, or does nothing when it is watched already. Rejects as `watch` does. */
  add(uri: string, watch: (onUpdated: (uri: string) => void) => Promise<{ end(): void }>): Promise<void>
  /** Watches it no more, if it was watched. */
  remove(uri: string): void
}

/** One request on its way into the core. */
export interface CoreRequest {
  /** From `Core.nextRequestId`. It has nothing to do with the client's id. */
  readonly requestId: number
  readonly method: string
  /** Exactly what the client sent, parsed and not validated. */
  readonly params: unknown
  /** What the text of `params` showed. */
  readonly findings: Findings
  /** The raw text of the client's progress token, where there is one. */
  readonly progressToken: string | undefined
  readonly caller: Caller
  readonly client: ClientView
  /** Nobody waits for the answer any more: the request was cancelled, or its connection is gone. */
  readonly signal: AbortSignal
  /** The client took the request back: only this ends what a mounted server does for it. Absent: `signal` does. */
  readonly cancelled?: AbortSignal
  /** Keeps what the client watches. Absent: the process does, for the only client that it has. */
  readonly watches?: KeptWatches
  /** The router wants to end: what is held open is answered now. Absent: it never does. */
  readonly ending?: AbortSignal
  /** The raw text of the request's id, by which a subscription is known. Absent: there can be none. */
  readonly rawId?: string
  readonly port: AnswerPort
}

/** What the client gets. The texts are raw JSON and are spliced into the response. */
export type CoreAnswer =
  | { readonly kind: 'result'; readonly json: string }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly dataJson?: string }
  /** Nobody waits: no reply is sent. */
  | { readonly kind: 'none' }

/** Everything behind the edges: it knows a request, its era and its caller, and no transport. */
export interface Core {
  /** The next number for a request, unique in this process. */
  nextRequestId(): number
  /**
   * Answers one request. Never rejects: faults are answers. Progress goes out through the request's port while this is pending, and
   * not after it.
   */
  answer(request: CoreRequest): Promise<CoreAnswer>
  /** No request will come any more: what waits for one is given up. */
  end(): void
}

/** The text of an error member. */
export function errorJson({ code, message, dataJson }: CoreAnswer & { kind: 'error' }): string {
  const head = JSON.stringify({ code, message })
  return dataJson === undefined ? head : `${head.slice(0, -1)},"data":${dataJson}}`
}
