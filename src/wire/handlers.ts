// What the wire asks of the rest of the router: functions, and nothing it would have to import.
import type { Findings } from '../json/findings.ts'
import type { JsonText } from '../answers/json-text.ts'
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
  readonly client: ClientView
  readonly caller: Caller
  /** The text of the next progress notification. Notifications go out once a second, whatever is called here. */
  progress(message?: string): void
  /** Passes on a mounted server's own progress in their place; undefined when the client wants none. */
  readonly relayProgress?: (progress: Record<string, unknown>) => void
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
  initialize(params: unknown): Promise<object>
  listTools(call: CallContext): Promise<object>
  callTool(frame: { params: unknown; findings: Findings }, call: CallContext): Promise<JsonText | object>
  /**
   * The client finished its handshake; called at most once. Requests that arrive while a returned promise is
   * pending wait for it, at most 250 ms.
   */
  initialized(): void | Promise<unknown>
  /** The client's roots have changed. */
  rootsChanged?(): void
  /** Further methods, by name. Only names in `optionalMethods` are waited for while the handlers are being made. */
  other?: Record<string, (params: unknown, call: CallContext) => Promise<object>>
}

/** Methods of MCP that `Handlers.other` may serve. Every other unknown method is refused without waiting for handlers. */
export const optionalMethods: ReadonlySet<string> = new Set([
  'completion/complete',
  'logging/setLevel',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
])

/** Notifications that mean something here, besides a cancellation. */
export const heardNotifications: ReadonlySet<string> = new Set([
  'notifications/initialized',
  'notifications/roots/list_changed',
])
