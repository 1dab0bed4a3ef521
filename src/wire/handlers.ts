// What the wire asks of the rest of the router: functions, and nothing it would have to import.
import type { Findings } from '../json/findings.ts'
import type { JsonText } from '../answers/json-text.ts'
import type { AskClient } from './asking.ts'
import type { News } from './news.ts'
import type { Caller, ClientView } from './request.ts'

/** One request while it is being answered. */
export interface CallContext {
  /** Our own number for the request, unique in this process. It has nothing to do with the client's id. */
  readonly requestId: number
  /**
   * Aborted when the client cancelled the request, or the connection is gone: nobody waits for the answer any more. A read
   * stops; a mutation that was dispatched goes on and records its outcome.
   */
  readonly signal: AbortSignal
  /** The client took the request back: only this ends what a mounted server does for it. Absent: `signal` does. */
  readonly cancelled?: AbortSignal
  readonly client: ClientView
  readonly caller: Caller
  /** The text of the next progress notification. Notifications go out once a second, whatever is called here. */
  progress(message?: string): void
  /** Passes on a mounted server's own progress in their place; undefined when the client wants none. */
  readonly relayProgress?: (progress: Record<string, unknown>) => void
  /** Asks the client in the middle of this call; absent where it is not asked so. */
  readonly ask?: AskClient
  /** Passes on a log message of a mounted server, if the client wants it; absent where it said nothing of such. */
  readonly log?: (params: object) => void
  /** The answer will be that of an operation; what becomes of it is told to whoever watches answers. */
  concerns(handle: string): void
  /** This request changed the effective catalog: the client is told after this request's response. */
  notifyListChangedAfterAnswer(): void
}

/** Whoever wants to know what becomes of answers on one connection. */
export interface AnswerWatch {
  /** The line with the answer of an operation left the process, as the reply to this request. */
  written(handle: string, request: number): void
  /** Another request came in. */
  wentOn(): void
  /** The client cancelled the request, whether or not it was answered. */
  cancelled(handle: string): void
  /** The answer never left, or nobody was there to read it. */
  lost(handle: string): void
  /** The connection ended. */
  closed(): void
}

/**
 * The router behind the wire. A thrown RouterError is answered as it says; anything else as `internal_error`. `params` are
 * exactly what the client sent, unvalidated.
 */
export interface Handlers {
  initialize(params: unknown, call: Pick<CallContext, 'caller'>): Promise<object>
  listTools(call: CallContext): Promise<object>
  callTool(frame: { params: unknown; findings: Findings }, call: CallContext): Promise<JsonText | object>
  /**
   * The client finished its handshake; called at most once. Requests that arrive while a returned promise is
   * pending wait for it, at most 250 ms.
   */
  initialized(): void | Promise<unknown>
  /**
   * A request of the modern era came, which has no handshake: what a handshake begins is begun, once. Resolves when the first probes
   * are there, or have had their time.
   */
  began?(): Promise<unknown>
  /** Lists that change, and resources that do; absent: nothing is told. */
  news?: News
  /** The client's roots have changed. */
  rootsChanged?(): void
  /** Further methods, by name. */
  other?: Record<string, (params: unknown, call: CallContext) => Promise<object>>
}

/** What both eras ask for, and `Handlers.other` may serve. */
const optionalMethods = [
  'completion/complete',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
]

/** The methods of the revisions with a handshake. Every other one is refused without waiting for handlers. */
export const legacyMethods: ReadonlySet<string> = new Set([
  ...['initialize', 'ping', 'tools/list', 'tools/call'],
  ...optionalMethods,
  ...['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'],
])

/** The methods of the modern era. */
export const modernMethods: ReadonlySet<string> = new Set([
  ...['server/discover', 'subscriptions/listen', 'tools/list', 'tools/call'],
  ...optionalMethods,
])

/** Notifications that mean something here, besides a cancellation. */
export const heardNotifications: ReadonlySet<string> = new Set([
  'notifications/initialized',
  'notifications/roots/list_changed',
])
