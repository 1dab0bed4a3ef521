// Where in a registry the rows lie that somebody asks for, the newest first, in pieces of bounded length.
import type { OperationView } from '../../operations/operation-view.ts'
import type { SqliteDatabase } from '../../storage/database.ts'
import { prepareOnce } from '../../storage/kept-database.ts'

/** What rows are asked for. Times are RFC 3339 UTC. */
export interface PlaceFilter {
  state?: OperationView['state'] | undefined
  tool?: string | undefined
  platform?: string | undefined
  approvalId?: string | undefined
}

/** So many row numbers are looked through at once; few enough for a few milliseconds. */
export const sliceRows = 4000

/** States that the column of the worker knows; the others stand in rows where it is null. */
const workerStates = new Set(['accepted', 'queued', 'dispatching', 'reconciling', 'succeeded', 'failed'])

/** What Hubu's decision says of a state where no worker has the row; wider than the state itself. */
const decidedSql: Readonly<Record<string, string>> = {
  awaiting_hubu_result: 'decision is null',
  approval_required: "decision = 'needs_approval'",
  authorized: "decision = 'allow' and tool_name = 'hubu_authorize_spend'",
  // A purchase that a human approved keeps Hubu's word for ever; its payment tells, and is compared later.
  succeeded: "decision in ('allow', 'needs_approval') and tool_name <> 'hubu_authorize_spend'",
  failed: "decision is not null and not (decision = 'needs_approval' and tool_name = 'hubu_authorize_spend')",
}

/** The highest row number, or 0. */
export function highestPlace(database: SqliteDatabase): number {
  return (prepareOnce(database, 'select max(rowid) from harness_operations').pluck().get() as number | null) ?? 0
}

/**
 * Row numbers from `from` to below `to`, falling, that may be meant: at least those that are. Every column of which a condition
 * is made lies before the stored result, so that no long row is read to its end.
 */
export function placesIn(database: SqliteDatabase, filter: PlaceFilter, from: number, to: number): number[] {
  const { state, tool, platform, approvalId } = filter
  const more: [string, string][] = []
  if (tool !== undefined) more.push(['tool_name = ?', tool])
  if (platform !== undefined) more.push(['platform = ?', platform])
  if (approvalId !== undefined) more.push(['approval_request_id = ?', approvalId])
  const given = more.map(([, value]) => value)
  const within = (index: string, ...conditions: string[]) =>
    `select rowid from harness_operations ${index} where ` +
    [...conditions, ...more.map(([sql]) => sql), 'rowid >= ? and rowid < ?'].join(' and ')
  if (state === undefined) return read(`${within('not indexed')} order by rowid desc`, [...given, from, to])
  const parts: string[] = []
  const decided = decidedSql[state]
  if (decided !== undefined) parts.push(within(dueIndex, noWorker, decided))
  if (workerStates.has(state)) parts.push(within(dueIndex, `operation_state = '${state}'`))
  return read(
    `${parts.join(' union all ')} order by rowid desc`,
    parts.flatMap(() => [...given, from, to]),
  )

  function read(sql: string, values: readonly unknown[]): number[] {
    return prepareOnce(database, sql)
      .pluck()
      .all(...values) as number[]
  }
}

const dueIndex = 'indexed by harness_operations_due'
const noWorker = 'operation_state is null and next_operation_attempt_at is null and worker_lease_expires_at is null'

/** The lowest row number whose row was created at an instant or later; one behind the last where none was. */
export function placeAt(database: SqliteDatabase, instant: string): number {
  const createdFrom = prepareOnce(
    database,
    'select rowid as place, created_at as at from harness_operations where rowid >= ? order by rowid limit 1',
  )
  let [low, high] = [1, highestPlace(database) + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = createdFrom.get(middle) as { place: number; at: string } | undefined
    if (row === undefined || row.place >= high) high = middle
    else if (row.at < instant) low = row.place + 1
    else high = middle
  }
  return low
}

/** The row numbers of a handle whose digits begin so; at most as many as a page may show. */
export function placesOfDigits(database: SqliteDatabase, digits: string): number[] {
  const start = `hubu:public-operation:v1:${digits}`
  // Every digit stands before `g`.
  const rows = prepareOnce(
    database,
    'select rowid from harness_operations where operation_handle >= ? and operation_handle < ? limit 1000',
  ).pluck()
  return (rows.all(start, `${start}g`) as number[]).sort((a, b) => b - a)
}

/** The row number of an execution. */
export function placesOfExecution(database: SqliteDatabase, id: string): number[] {
  return prepareOnce(database, 'select rowid from harness_operations where gongbu_execution_id = ?')
    .pluck()
    .all(id) as number[]
}
