import type { SqliteDatabase } from '../storage/database.ts'
import { prepareOnce } from '../storage/kept-database.ts'

/** Totals over some calls; tokens are estimated as a quarter of the bytes. */
export interface Totals {
  calls: number
  est_tokens: number
  total_ms: number
  errors: number
  /** Complete results, and what agents got of them. */
  received_bytes: number
  sent_bytes: number
  /** Calls whose arguments a model gave as a JSON text and not as an object; absent: none. */
  text_arguments?: number
}

export interface ServerUsage {
  server: string
  calls: number
  errors: number
  est_tokens: number
  avg_ms: number
  received_bytes: number
  sent_bytes: number
  text_arguments?: number
}

export interface ToolUsage extends ServerUsage {
  /** Wire name. */
  tool: string
  /** Public name. */
  namespaced: string
}

export interface RecentCall {
  at: string
  tool: string
  ok: boolean
  duration_ms: number
  est_tokens: number
}

/** What `stats` prints: the most called first, then by name; recent ones newest first. */
export interface UsageReport {
  totals: Totals
  servers: ServerUsage[]
  tools: ToolUsage[]
  recent: RecentCall[]
}

/** Which calls count. */
export interface UsageWindow {
  sinceMs?: number
  server?: string
  /** Whose calls; absent: those of all. */
  principal?: string
  /** How many of the newest calls are listed. */
  recent?: number
}

const tokens = '(argument_bytes + received_bytes) / 4'
const sums = `count(*) calls, coalesce(sum(1 - is_ok), 0) errors, coalesce(sum(${tokens}), 0) est_tokens,
  coalesce(sum(received_bytes), 0) received_bytes, coalesce(sum(sent_bytes), 0) sent_bytes,
  nullif(sum(via in ('call_tool_text', 'detach_text')), 0) text_arguments`

/** Reads the usage; all zero when nothing was recorded. */
export function readUsage(
  database: SqliteDatabase,
  { sinceMs = 0, server, principal, recent = 0 }: UsageWindow = {},
): UsageReport {
  const also = { ...(server !== undefined && { server }), ...(principal !== undefined && { principal }) }
  const where = ['where at_ms >= :since', ...Object.keys(also).map((name) => `${name} = :${name}`)].join(' and ')
  const given = { since: sinceMs, ...also }
  const totals = prepareOnce(
    database,
    `select ${sums}, coalesce(sum(duration_ms), 0) total_ms from tool_call ${where}`,
  ).get(given) as Counted
  const grouped = (columns: string, order: string, more = '') =>
    prepareOnce(
      database,
      `select ${columns}, ${more} ${sums}, sum(duration_ms) / count(*) avg_ms from tool_call ${where} group by ${columns} order by calls desc, ${order}`,
    )
      .all(given)
      .map((row) => told(row as Counted))
  const newest = prepareOnce(
    database,
    `select at_ms, public_name, is_ok, duration_ms, ${tokens} est_tokens from tool_call ${where} order by at_ms desc, id desc limit :recent`,
  ).all({ ...given, recent }) as {
    at_ms: number
    public_name: string
    is_ok: number
    duration_ms: number
    est_tokens: number
  }[]
  return {
    totals: told(totals) as unknown as Totals,
    servers: grouped('server', 'server') as unknown as ServerUsage[],
    tools: grouped('server, tool', 'server, tool', 'max(public_name) namespaced,') as unknown as ToolUsage[],
    recent: newest.map((row) => ({
      at: new Date(row.at_ms).toISOString(),
      tool: row.public_name,
      ok: row.is_ok === 1,
      duration_ms: row.duration_ms,
      est_tokens: row.est_tokens,
    })),
  }
}

/** A row of sums. */
type Counted = Record<string, unknown>

/** What nobody did is not told. */
function told({ text_arguments: texts, ...row }: Counted): Counted {
  return texts === null ? row : { ...row, text_arguments: texts }
}

/** Nothing was recorded yet. */
export const noUsage: UsageReport = {
  totals: { calls: 0, est_tokens: 0, total_ms: 0, errors: 0, received_bytes: 0, sent_bytes: 0 },
  servers: [],
  tools: [],
  recent: [],
}
