// What is told about a call once it is over: no arguments and no results, only their sizes (M 8.1).
import type { Origin } from '../../results/relayed-result.ts'
import type { Answer } from '../finish-call.ts'

/** How a call came in: by the tool's own name, through call_tool, or detached. */
export type Via = 'mount' | 'call_tool' | 'detach'

/** One call that was forwarded, exactly once for each. */
export interface FinishedCall {
  origin: Origin
  via: Via
  /** Only their size is anybody's business. */
  args: Record<string, unknown>
  durationMs: number
  /** Undefined: it succeeded. May quote what the server said. */
  error?: string
  /** Size of the complete result, before any receipt; absent: there was none. */
  resultBytes?(): number
  /** What was sent to the client. */
  answer?: Answer
}

/** Takes note of a call. Never throws, and nobody waits for it. */
export type RecordCall = (call: FinishedCall) => void

/** Usage so far, as `stats` answers it (M 3.8). */
export interface UsageReport {
  totals: { calls: number; est_tokens: number; total_ms: number; errors: number }
  /** By calls, descending. */
  servers: { server: string; calls: number; errors: number; est_tokens: number; avg_ms: number }[]
}
