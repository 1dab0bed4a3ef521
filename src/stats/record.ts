// This room is what was used: one row for each proxied call, without its arguments, its result or any text of an error.
import type { SqliteDatabase } from '../storage/database.ts'
import type { Clock } from '../timing/clock.ts'
import { prepareOnce } from '../storage/kept-database.ts'
import { readUsage, type UsageReport } from './report.ts'

/** One proxied call. */
export interface CallRecord {
  atMs: number
  server: string
  /** The tool's wire name. */
  tool: string
  publicName: string
  durationMs: number
  isOk: boolean
  /** A code of ours or of JSON-RPC, never a text of a backend. */
  errorClass: string | null
  argumentBytes: number
  /** The complete result before spooling. */
  receivedBytes: number
  /** What the agent got. */
  sentBytes: number
  /** Who called. */
  principal: string
  /** Empty when the router serves no particular agent. */
  agent: string
  via: Via
}

/** How a call came in: by the tool's own name, through call_tool, or detached; `_text`: its arguments came as a JSON text. */
export type Via = 'mount' | 'call_tool' | 'call_tool_text' | 'detach' | 'detach_text' | 'contract'

/** Rows are kept so long. */
export const retentionMs = 90 * 24 * 60 * 60 * 1000

/** Where records go, when they are written, and who hears that they cannot be. */
export interface RecorderOptions {
  /** Opens the results file; called at the first record. */
  open(): SqliteDatabase
  clock: Pick<Clock, 'nowMs' | 'after'>
  /** Told once when recording does not work; calls go on. */
  warn(message: string): void
}

/** Records calls after they were answered. */
export interface Recorder {
  record(call: CallRecord): void
  /** Reads a principal's usage with everything that is recorded by now; all zero when there is none. */
  report(principal: string): UsageReport
  /** Writes what waits and closes the file. */
  close(): void
}

/** Answers come first: rows wait so long and are written together. */
const flushMs = 500
const pruneEveryMs = 24 * 60 * 60 * 1000
/** While the file cannot be written, so many rows wait for a better time; older ones are lost. */
const waitingLimit = 5000

export function createRecorder(options: RecorderOptions): Recorder {
  let waiting: CallRecord[] = []
  let cancel: (() => void) | undefined
  let database: SqliteDatabase | undefined
  let hasWarned = false
  let prunedAtMs = Number.NEGATIVE_INFINITY

  function flush(): void {
    cancel?.()
    cancel = undefined
    const rows = waiting
    if (rows.length === 0) return
    waiting = []
    const nowMs = options.clock.nowMs()
    const isDue = nowMs - prunedAtMs >= pruneEveryMs
    try {
      const file = (database ??= options.open())
      file
        .transaction(() => {
          const insert = prepareOnce(file, insertSql)
          for (const row of rows) insert.run({ ...row, isOk: row.isOk ? 1 : 0, durationMs: Math.round(row.durationMs) })
          if (isDue) prepareOnce(file, 'delete from tool_call where at_ms < ?').run(nowMs - retentionMs)
        })
        .immediate()
      if (isDue) prunedAtMs = nowMs
    } catch {
      // The file may have been set aside, and another may come in its place.
      database?.close()
      database = undefined
      waiting = [...rows, ...waiting].slice(-waitingLimit)
      if (!hasWarned) options.warn('usage cannot be recorded; calls are not affected')
      hasWarned = true
    }
  }

  return {
    record: (call) => {
      waiting.push(call)
      // What could not be written goes with the next one.
      cancel ??= options.clock.after(flushMs, flush)
    },
    report: (principal) => {
      flush()
      return readUsage((database ??= options.open()), { principal })
    },
    close: () => {
      flush()
      cancel?.()
      database?.close()
    },
  }
}

const insertSql = `insert into tool_call
  (at_ms, server, tool, public_name, duration_ms, is_ok, error_class, argument_bytes, received_bytes, sent_bytes, agent, via, principal)
  values (:atMs, :server, :tool, :publicName, :durationMs, :isOk, :errorClass, :argumentBytes, :receivedBytes, :sentBytes, :agent, :via, :principal)`
