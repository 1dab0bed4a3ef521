// A page of operations. Whatever is asked for, an answer takes a bounded time and says how far it has searched.
import { createHash } from 'node:crypto'
import { hasJournalTables } from '../../operations/added-tables.ts'
import { amountSql } from '../../operations/find/narrow.ts'
import { toOperationView, type OperationView, type ViewColumns } from '../../operations/operation-view.ts'
import { viewColumns } from '../../operations/read-operations.ts'
import type { SqliteDatabase } from '../../storage/database.ts'
import { prepareOnce } from '../../storage/kept-database.ts'
import type { Clock } from '../../timing/clock.ts'
import { amountOf } from '../views/amount.ts'
import type { ListedOperation, OperationsPage } from '../views/shown.ts'
import { highestPlace, placeAt, placesIn, placesOfDigits, placesOfExecution, sliceRows } from './places.ts'

/** What is asked for; what is left out does not matter. */
export interface OperationsQuery {
  state?: OperationView['state']
  tool?: string
  platform?: string
  code?: string
  from?: Date
  to?: Date
  /** The first digits of a handle, an execution id or an approval id. */
  q?: string
  cursor?: string
  limit?: number
}

/** A cursor that is none, or is of other filters. */
export class WrongCursor extends Error {}

const usualLimit = 50
const longestMs = 30
/** So many rows are read to their ends at once. */
const readAtOnce = 50
const digits = /^[0-9a-f]{4,32}$/
/** A whole id of Hubu's, in lower case. */
export const approvalIdForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads one page. Throws WrongCursor. */
export function operationsPage(
  database: SqliteDatabase,
  query: OperationsQuery,
  now: Date,
  clock: Pick<Clock, 'monotonicMs'>,
): OperationsPage {
  const startedMs = clock.monotonicMs()
  const { limit = usualLimit } = query
  const mark = markOf(query)
  const reader = rowReader(database, now)
  const lowest = query.from === undefined ? 1 : placeAt(database, query.from.toISOString())
  let before = query.cursor === undefined ? firstBefore(database, query) : readCursor(query.cursor, mark)
  const named = namedPlaces(database, query.q)
  const approvalId = approvalIdForm.test(query.q ?? '') ? query.q : undefined
  const items: ListedOperation[] = []
  let last: ListedOperation | undefined
  while (before > lowest) {
    const from = Math.max(lowest, before - sliceRows)
    const places =
      named === undefined
        ? placesIn(database, { ...query, approvalId }, from, before)
        : named.filter((place) => place >= lowest && place < before)
    for (let at = 0; at < places.length; at += readAtOnce) {
      const some = places.slice(at, at + readAtOnce)
      for (const { place, operation } of reader.read(some)) {
        last = operation
        if (isMeant(operation, query)) items.push(operation)
        if (items.length === limit) {
          const isEnd = place <= lowest
          return { items, next: isEnd ? null : cursorOf(place, mark), complete: true, searchedTo: null }
        }
        before = place
      }
      if (clock.monotonicMs() - startedMs > longestMs) return unfinished()
    }
    before = named === undefined ? from : lowest
    if (before > lowest && clock.monotonicMs() - startedMs > longestMs) return unfinished()
  }
  return { items, next: null, complete: true, searchedTo: null }

  function unfinished(): OperationsPage {
    const searchedTo = last?.createdAt ?? createdAtOrBehind(database, before)
    return { items, next: cursorOf(before, mark), complete: false, searchedTo }
  }
}

/** One operation by the 32 digits of its handle. */
export function operationOf(database: SqliteDatabase, handleDigits: string, now: Date): ListedOperation | undefined {
  const places = placesOfDigits(database, handleDigits)
  return rowReader(database, now).read(places)[0]?.operation
}

function firstBefore(database: SqliteDatabase, { to }: OperationsQuery): number {
  if (to === undefined) return highestPlace(database) + 1
  return placeAt(database, new Date(to.getTime() + 1).toISOString())
}

function namedPlaces(database: SqliteDatabase, q: string | undefined): number[] | undefined {
  if (q === undefined || approvalIdForm.test(q)) return undefined
  return digits.test(q) ? placesOfDigits(database, q) : placesOfExecution(database, q)
}

function isMeant(operation: ListedOperation, { state, tool, platform, code, from, to }: OperationsQuery): boolean {
  if (state !== undefined && operation.state !== state) return false
  if (tool !== undefined && operation.tool !== tool) return false
  if (platform !== undefined && operation.platform !== platform) return false
  if (code !== undefined && operation.result?.code !== code) return false
  const { createdAt } = operation
  return (from === undefined || createdAt >= from.toISOString()) && (to === undefined || createdAt <= to.toISOString())
}

interface ReadRow {
  place: number
  operation: ListedOperation
}

/** Rows to their ends, falling. */
function rowReader(database: SqliteDatabase, now: Date): { read(places: readonly number[]): ReadRow[] } {
  const hasJournal = hasJournalTables(database)
  const join = hasJournal ? 'left join operation_facts f on f.operation_handle = h.operation_handle' : ''
  const rows = prepareOnce(
    database,
    `select h.rowid as place, ${hasJournal ? 'f.currency' : 'null'} as currency, cast(${amountSql(hasJournal)} as text) as minor,
       ${viewColumns.replace('operation_handle', 'h.operation_handle')}
     from harness_operations h ${join} where h.rowid in (select value from json_each(?)) order by h.rowid desc`,
  )
  return {
    read: (places) =>
      (
        rows.all(JSON.stringify(places)) as (ViewColumns & {
          place: number
          currency: string | null
          minor: string | null
        })[]
      ).map((row) => ({
        place: row.place,
        operation: {
          ...toOperationView(row, now),
          amount: row.minor === null ? null : amountOf(row.minor, row.currency ?? 'usd'),
        },
      })),
  }
}

function createdAtOrBehind(database: SqliteDatabase, place: number): string | null {
  const row = prepareOnce(database, 'select created_at from harness_operations where rowid >= ? order by rowid limit 1')
  return (row.pluck().get(place) as string | undefined) ?? null
}

/** Of which filters a cursor is. */
function markOf({ state, tool, platform, code, from, to, q }: OperationsQuery): string {
  const parts = [state, tool, platform, code, from?.toISOString(), to?.toISOString(), q]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16)
}

function cursorOf(before: number, mark: string): string {
  return `${before}.${mark}`
}

function readCursor(cursor: string, mark: string): number {
  const [, before, its] = /^([1-9]\d{0,15})\.([\w-]{16})$/.exec(cursor) ?? []
  if (before === undefined || its !== mark) throw new WrongCursor()
  return Number(before)
}
