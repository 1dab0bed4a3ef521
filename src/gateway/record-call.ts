// What is told about a call once it is over: no arguments and no results, only their sizes.
import { jsonOf, type Answer, type Origin } from '../answers/answer.ts'

/** How a call came in: by the tool's own name, through call_tool, or detached. */
export type Via = 'mount' | 'call_tool' | 'detach' | 'contract'

/** One call that was forwarded, exactly once for each. */
export interface FinishedCall {
  origin: Origin
  via: Via
  durationMs: number
  /** Null: it succeeded. A code of ours or of JSON-RPC, never a text of a server. */
  errorClass: string | null
  argumentBytes: number
  /** Size of the complete result, before any receipt; 0: there was none. */
  receivedBytes: number
  /** Size of what was sent to the client. */
  sentBytes: number
}

/** Takes note of a call. Never throws, and nobody waits for it. */
export type RecordCall = (call: FinishedCall) => void

/** Usage so far, as `stats` answers it. */
export interface UsageReport {
  totals: UsageSums & { total_ms: number }
  /** By calls, descending. */
  servers: (UsageSums & { server: string; avg_ms: number })[]
}

interface UsageSums {
  calls: number
  errors: number
  est_tokens: number
  received_bytes: number
  sent_bytes: number
}

/** The length of a value's JSON text, in bytes. */
export function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** The length of an answer as it is sent, in bytes. */
export function sentSize(answer: Answer): number {
  return Buffer.byteLength(jsonOf(answer))
}
