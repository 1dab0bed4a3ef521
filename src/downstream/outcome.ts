import type { HeldBecause } from './tool-review.ts'

/** What a server answered to one request (`isOpen`: it is not its end, as servers of the modern era may say): its result as text and as a value, or its error with the text of its data. */
export type RawAnswer =
  | { kind: 'result'; json: string; value: object; isOpen?: boolean }
  | { kind: 'error'; code: number; message: string; dataJson?: string }

/** Why there is no answer. */
export type NoAnswer =
  | 'cancelled'
  | 'timed_out'
  | 'connection_lost'
  /** The server wrote a longer line than any may be; there is no other way to go on than a new connection. */
  | 'line_too_long'
  /** It was longer than any answer may be, and was not read to its end; the connection is kept. */
  | 'too_long'

/** Whether the connection is gone. */
export const isLost = (why: unknown): boolean => why === 'connection_lost' || why === 'line_too_long'

/** What became of a call. */
export type CallOutcome =
  | RawAnswer
  /** It may have been carried out; it is never sent again. */
  | { kind: 'unknown'; why: NoAnswer }
  /** It was provably never written. */
  | { kind: 'not_sent'; why: Exclude<NoAnswer, 'too_long' | 'line_too_long'> }
  /** The server took it and says that it did not carry it out; `reason` is ours. */
  | { kind: 'refused'; reason: string }

/** Why a call did not reach a server. */
export type CallRefusal =
  /** The first connection is still being made. */
  | { kind: 'connecting' }
  /** `error` says why in words that hold no secret. */
  | { kind: 'disconnected'; error: string }

/** The tool is not called for now. */
export interface HeldCall {
  kind: 'held'
  why: HeldBecause
}

/** What a call that was asked something is sent again with. */
export interface AnsweredCall {
  inputResponses: Record<string, object>
  requestState?: unknown
}

/** How one call is made. */
export interface CallOptions {
  /** What servers of the modern era are told of the client of this call. */
  client?: { capabilities?: object; logLevel?: string }
  /** For servers of the modern era. */
  retry?: AnsweredCall
  signal?: AbortSignal
  /** Ends the waiting as well, as a time-out; absent: no limit of ours. */
  limit?: AbortSignal
  /** Passed on as the request's `_meta`. */
  meta?: Record<string, unknown>
  onProgress?: (progress: Record<string, unknown>) => void
}

/** The server no longer knows our session, so it carried nothing out: a new one has to be begun. */
export interface SessionGone {
  kind: 'session_gone'
}

/** Sends one request and gives its answer, or why there is none. */
export type Exchange = (
  method: string,
  params: Record<string, unknown>,
  options: CallOptions,
) => Promise<CallOutcome | SessionGone>
