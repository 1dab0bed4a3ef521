// What can be searched by: one row for each operation, written by sealing and never on the path of a call.
import type { SqliteDatabase } from '../../storage/database.ts'
import { guardedPlatform, nearFingerprint } from '../guard/identity.ts'
import { isLive } from '../money.ts'
import type { OperationRow } from '../row.ts'
import { isOver, type DeliveredAnswer } from './due.ts'
import type { Journal, StoredEntry } from './journal.ts'

/** One row of `operation_facts`. Nothing about safety may depend on its being there. */
export interface OperationFacts {
  no: number
  operation_handle: string
  principal: string
  client: string | null
  connection: Buffer | null
  account_id: string | null
  amount_minor: number | null
  currency: string | null
  near_hash: Buffer | null
  generation: number | null
  dispatch_begun: number
  answer: 'written' | 'taken' | 'dropped' | null
  answer_at: string | null
  is_final: 0 | 1
}

/** What only the process that opened an operation knows. */
export interface Remembered {
  connection: Buffer
  nearHash(): Buffer
}

/** An operation that is not final. */
export interface OpenOperation {
  /** The number of its first entry. */
  no: number
  handle: string
  createdAt: string
  /** Another one after each change of the row of which an entry could tell. */
  mark: string
}

/** Operations that are looked at together, and sealed in one commit. */
export const batch = 100

/** So far back is looked for what a process that is gone has not sealed; older ones are in the facts, or were never. */
export const recentEntries = 100_000

/** After so long an answer that nobody took is no reason to look any more. */
export const finalAfterMs = 24 * 60 * 60 * 1000

/** The facts in an opened file whose journal exists. Every method runs inside the caller's transaction. */
export interface FactsStore {
  find(handle: string): OperationFacts | undefined
  /** Writes what the entries and this process know; what is known already is never lost again. */
  write(known: {
    row: OperationRow
    entries: readonly StoredEntry[]
    answer: DeliveredAnswer | undefined
    remembered: Remembered | undefined
    now: Date
  }): OperationFacts | undefined
  /** Operations that are not final, oldest first, after a number: a batch of them. */
  open(afterNo: number): OpenOperation[]
  /** Operations that were opened after an entry and have no facts yet. */
  missing(afterSeq: number): { no: number; handle: string }[]
}

export function createFacts(database: SqliteDatabase): FactsStore {
  const byHandle = database.prepare<[string], OperationFacts>(
    'select * from operation_facts where operation_handle = ?',
  )
  const upsert = database.prepare(
    `insert into operation_facts (no, operation_handle, principal, client, connection, account_id, amount_minor, currency,
       near_hash, generation, dispatch_begun, answer, answer_at, is_final)
     values (:no, :operation_handle, :principal, :client, :connection, :account_id, :amount_minor, :currency, :near_hash,
       :generation, :dispatch_begun, :answer, :answer_at, :is_final)
     on conflict (no) do update set connection = coalesce(connection, excluded.connection),
       near_hash = coalesce(near_hash, excluded.near_hash), dispatch_begun = excluded.dispatch_begun,
       answer = excluded.answer, answer_at = excluded.answer_at, is_final = excluded.is_final`,
  )
  const openRows = database.prepare<[number], OpenOperation>(
    `select no, operation_handle as handle, created_at as createdAt, concat_ws(' ', dispatch_attempts, length(result_json),
       result_recorded_at, decision, approval_request_id, gongbu_create_started_at, gongbu_execution_id, gongbu_status,
       operation_state, operation_result_code, operation_updated_at, worker_lease_id, auth_token_id is null) as mark
     from operation_facts join harness_operations using (operation_handle)
     where is_final = 0 and no > ? order by no limit ${batch}`,
  )
  const withoutFacts = database.prepare<[number], { no: number; handle: string }>(
    `select seq as no, entry ->> '$.handle' as handle from operation_journal
     where operation > max(?, (select coalesce(max(seq), 0) from operation_journal) - ${recentEntries})
       and operation = seq and not exists (select 1 from operation_facts where no = seq) order by seq`,
  )
  const openingOf = database
    .prepare<[number], Buffer | null>('select opening from operation_journal where seq = ?')
    .pluck()
  const rank = database
    .prepare<[string, string, string], number>(
      `select count(*) from harness_operations where request_hash = ? and platform = ?
       and rowid <= (select rowid from harness_operations where operation_handle = ?)`,
    )
    .pluck()

  /** The near fingerprint out of the kept arguments, where they were kept whole. */
  const nearHashOf = (no: number, entry: StoredEntry['entry']): Buffer | null => {
    const opening = openingOf.get(no)
    if (opening === null || opening === undefined || entry.redacted === true) return null
    const { intent } = JSON.parse(opening.toString()) as { intent?: { content?: string } }
    if (intent?.content === undefined) return null
    return nearFingerprint(String(entry.tool), JSON.parse(intent.content) as object)
  }

  return {
    find: (handle) => byHandle.get(handle),
    open: (afterNo) => openRows.all(afterNo),
    missing: (afterSeq) => withoutFacts.all(afterSeq),
    write: ({ row, entries, answer, remembered, now }) => {
      const first = entries[0]
      if (first === undefined || first.entry.kind !== 'opened') return undefined
      const { entry, seq: no } = first
      const before = byHandle.get(row.operation_handle)
      const told = entries.findLast((each) => each.entry.kind === 'delivered')?.entry
      const delivery = (told?.delivery ?? answer?.delivery ?? null) as OperationFacts['answer']
      const over = isOver(row, isLive(row, now))
      const isOld = now.getTime() - Date.parse(row.created_at) >= finalAfterMs
      const facts: OperationFacts = {
        no,
        operation_handle: row.operation_handle,
        principal: String(entry.principal),
        client: textOrNull(entry.client),
        connection: remembered?.connection ?? null,
        account_id: textOrNull(entry.account_id),
        amount_minor: typeof entry.amount_minor === 'number' ? entry.amount_minor : null,
        currency: textOrNull(entry.currency),
        near_hash: remembered?.nearHash() ?? before?.near_hash ?? nearHashOf(no, entry),
        generation:
          row.platform === guardedPlatform
            ? (rank.get(row.request_hash, guardedPlatform, row.operation_handle) ?? null)
            : null,
        dispatch_begun: entries.filter((each) => each.entry.kind === 'dispatching').length,
        answer: delivery,
        answer_at: delivery === null ? null : textOrNull(told?.happened_at ?? answer?.happenedAt),
        is_final: over && (delivery === 'taken' || delivery === 'dropped' || isOld) ? 1 : 0,
      }
      upsert.run(facts)
      return facts
    },
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** On whose behalf an operation was made; undefined when nobody wrote it down. Inside the caller's transaction. */
export function principalOf(
  handle: string,
  facts: Pick<FactsStore, 'find'>,
  journal: Pick<Journal, 'numberOf' | 'entriesOf'>,
): string | undefined {
  const known = facts.find(handle)?.principal
  if (known !== undefined) return known
  const no = journal.numberOf(handle)
  return no === undefined ? undefined : String(journal.entriesOf(no)[0]?.entry.principal)
}
