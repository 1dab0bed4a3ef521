// Finds the earlier operations that a call might be meant to be. Reads inside the caller's transaction.
import type { SqliteDatabase } from '../../storage/database.ts'
import type { Deliveries } from '../journal/deliveries.ts'
import { createFacts, principalOf } from '../journal/facts.ts'
import type { Journal } from '../journal/journal.ts'
import { paymentOf, type MoneyFacts } from '../money.ts'
import type { OperationRow } from '../row.ts'
import { guardedPlatform, isNamedFor, type Intent } from './identity.ts'
import { earlierOf, type Delivery, type Earlier } from './situation.ts'

/** The newest earlier operation with an equal request. */
export interface EqualOperation {
  row: OperationRow
  earlier: Earlier
  /** Whether the router named it for this principal. */
  isOurs: boolean
}

/** Looks among earlier operations; those of which nothing can be bought twice are never found. */
export interface EarlierOperations {
  /** How many equal requests the router named. */
  countNamed(intent: Intent): number
  findEqual(intent: Intent): EqualOperation | undefined
  /** The newest one that differs in its reason only. */
  findAlike(intent: Intent, nearHash: Buffer): Earlier | undefined
  find(handle: string): Earlier | undefined
}

/** Where it looks, and who tells what no row tells. */
export interface EarlierOptions {
  database: SqliteDatabase
  journal: Pick<Journal, 'numberOf' | 'entriesOf'>
  deliveries: Pick<Deliveries, 'answerOf'>
  /** An instant that has come for certain. */
  provenNow(): Date
  /** Whether somebody who is alive waits for Hubu's answer to this operation. */
  isUnderWay(row: OperationRow): boolean
}

/** Rows that are looked at together. It stands in the statements: SQLite prepares one anew at each run whose limit is a parameter. */
const pageRows = 32

/** Looks in an opened file whose journal exists. */
export function createEarlierOperations(options: EarlierOptions): EarlierOperations {
  const { database, journal, deliveries, provenNow, isUnderWay } = options
  const facts = createFacts(database)
  const equal = database.prepare<[string, number], OperationRow & { place: number }>(
    `select rowid as place, * from harness_operations where request_hash = ? and rowid < ? order by rowid desc
     limit ${pageRows}`,
  )
  const countNamed = database
    .prepare<[string, string], number>(
      'select count(*) from harness_operations where request_hash = ? and platform = ?',
    )
    .pluck()
  const alike = database.prepare<[Buffer, string, string], OperationRow>(
    `select harness_operations.* from operation_facts join harness_operations using (operation_handle)
     where near_hash = ? and principal = ? and request_hash <> ? order by no desc limit ${pageRows}`,
  )
  const rowByHandle = database.prepare<[string], OperationRow>(
    'select * from harness_operations where operation_handle = ?',
  )

  /** What a row does not tell; read from the entries, because the facts may be behind. */
  const moneyFactsOf = (row: OperationRow): MoneyFacts => {
    const no = row.operation_state === 'failed' ? journal.numberOf(row.operation_handle) : undefined
    const entries = no === undefined ? null : journal.entriesOf(no)
    const dispatchBegun = entries && entries.filter(({ entry }) => entry.kind === 'dispatching').length
    return { payment: paymentOf(row.result_json), dispatchBegun }
  }

  const toEarlier = (row: OperationRow): Earlier | undefined => {
    const known = deliveries.answerOf(row.operation_handle)
    const stored = known === undefined ? facts.find(row.operation_handle) : undefined
    const delivery: Delivery = known?.delivery ?? stored?.answer ?? null
    const at = known?.happenedAt ?? stored?.answer_at ?? null
    const delivered = { delivery, deliveredAtMs: at === null ? null : Date.parse(at) }
    return earlierOf(row, { ...moneyFactsOf(row), ...delivered, isUnderWay: isUnderWay(row) }, provenNow())
  }

  const count = (intent: Intent) => countNamed.get(intent.fingerprint, guardedPlatform) ?? 0

  return {
    countNamed: count,
    findEqual: (intent) => {
      let generation: number | undefined
      for (let before = Number.MAX_SAFE_INTEGER; ;) {
        const rows = equal.all(intent.fingerprint, before)
        for (const row of rows) {
          before = row.place
          const isNamed = row.platform === guardedPlatform
          // Counted only where there is one that the router named.
          if (isNamed) generation = (generation ?? count(intent) + 1) - 1
          const isOurs = isNamed && isNamedFor(row, intent, likely(generation ?? 0))
          if (isNamed && !isOurs) continue
          if (intent.owner !== undefined && row.installation_id !== intent.owner) continue
          // One whose principal nobody wrote down is everybody's.
          const of = isNamed ? undefined : principalOf(row.operation_handle, facts, journal)
          if (of !== undefined && of !== intent.principal) continue
          const earlier = toEarlier(row)
          if (earlier !== undefined) return { row, earlier, isOurs }
        }
        if (rows.length < pageRows) return undefined
      }
    },
    findAlike: (intent, nearHash) => {
      for (const row of alike.all(nearHash, intent.principal, intent.fingerprint)) {
        const earlier = toEarlier(row)
        if (earlier !== undefined) return earlier
      }
      return undefined
    },
    find: (handle) => {
      const row = rowByHandle.get(handle)
      return row && toEarlier(row)
    },
  }
}

/** The generation that a row has by its place; a few further ones, should rows before it ever have been taken out. */
function likely(generation: number): number[] {
  return [generation, generation + 1, generation + 2]
}
