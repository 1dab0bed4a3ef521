// Reads operations one by one, the newest first, with what the journal and the stored results tell of them.
import type { SqliteDatabase } from '../../storage/database.ts'
import { prepareOnce } from '../../storage/kept-database.ts'
import { hasJournalTables } from '../added-tables.ts'
import type { StatusColumns } from '../status.ts'
import { recentEntries } from '../journal/facts.ts'
import { amountSql, toldByResult, type Condition } from './narrow.ts'

/** One operation as it was read. What nobody wrote down is null. */
export interface Scanned extends StatusColumns {
  /** Where its row lies. */
  place: number
  /** The number of its first journal entry; null for one that is older than the journal. */
  no: number | null
  principal: string | null
  client: string | null
  amount_minor: number | null
  currency: string | null
  dispatch_begun: number | null
  /** What is known of its answer's way to the agent. */
  answer: 'written' | 'taken' | 'dropped' | null
  answer_at: string | null
  reason: string | null
  merchant: string | null
}

/** What to read besides the row. Texts and amounts of old operations lie in stored results and take longer. */
export interface ScanWish {
  texts: boolean
  amounts: boolean
}

/** What a first entry says, as far as it is searched by. */
interface FirstEntry {
  principal: string
  client: string | null
  amount_minor: number | null
  currency: string | null
}

/** Reads operations of an open registry; inside one transaction they are of one moment. */
export interface OperationScan {
  /** The newest first; those that a condition lets through, and of whose kept arguments, where there are any, `mayBe` says so. */
  all(wish: ScanWish, where?: Condition, mayBe?: (args: string) => boolean): Iterable<Scanned>
}

export function createScan(database: SqliteDatabase): OperationScan {
  const hasJournal = hasJournalTables(database)
  const unsealed = hasJournal ? unsealedOperations(database) : new Map<string, { no: number; first: FirstEntry }>()
  const openingOf = (no: number) =>
    prepareOnce(database, 'select opening from operation_journal where seq = ?').pluck().get(no) as Buffer | null
  const dispatchesOf = (no: number) =>
    prepareOnce(
      database,
      `select count(*) from operation_journal where operation = ? and entry ->> '$.kind' = 'dispatching'`,
    )
      .pluck()
      .get(no) as number

  const complete = (row: Scanned, { texts }: ScanWish): Scanned => {
    const late = row.no === null ? unsealed.get(row.operation_handle) : undefined
    if (late !== undefined) Object.assign(row, late.first, { no: late.no })
    // The facts may be behind; how often Gongbu was asked decides only about what has failed.
    if (row.no !== null && row.operation_state === 'failed') row.dispatch_begun = dispatchesOf(row.no)
    if (texts && row.no !== null) {
      const told = intentIn(openingOf(row.no))
      if (told !== undefined) Object.assign(row, told)
    }
    return row
  }

  const from = `from harness_operations h ${hasJournal ? factsJoin : ''}`
  const columns = (wish: ScanWish) => `select ${columnsFor(wish, hasJournal)} ${from}`
  const next = `h.rowid < ? order by h.rowid desc limit ${pageRows}`

  return {
    *all(wish, { sql, values } = everything, mayBe) {
      const isTold = mayBe !== undefined && hasJournal
      const kept = isTold ? 'select h.rowid as place, cast(j.opening as text) as args' : ''
      const page = prepareOnce(database, `${isTold ? `${kept} ${from}` : columns(wish)} where (${sql}) and ${next}`)
      for (let before = Number.MAX_SAFE_INTEGER; ;) {
        const rows = page.all(...values, before) as (Scanned & { args: string | null })[]
        for (const row of rows) {
          if (!isTold) yield complete(row, wish)
          else if (row.args === null || mayBe(row.args)) yield complete(at(wish, row.place), wish)
        }
        if (rows.length < pageRows) return
        before = rows.at(-1)!.place
      }
    },
  }

  function at(wish: ScanWish, place: number): Scanned {
    return prepareOnce(database, `${columns(wish)} where h.rowid = ?`).get(place) as Scanned
  }
}

/** So many rows are read at once, and the search may end after each of them. */
const pageRows = 256

const everything: Condition = { sql: 'true', values: [] }

const factsJoin =
  'left join operation_facts f on f.operation_handle = h.operation_handle left join operation_journal j on j.seq = f.no'

/** What must not be shown is not even read: of the authorization id only that there is one. */
function columnsFor({ texts, amounts }: ScanWish, hasJournal: boolean): string {
  const fact = (name: string) => (hasJournal ? `f.${name}` : 'null')
  return [
    ...['h.rowid as place', 'h.operation_handle', 'platform', 'tool_name', 'decision', 'authorization_expires_at'],
    ...['operation_state', 'operation_result_code', 'gongbu_execution_id', 'gongbu_status', 'operation_updated_at'],
    ...['result_recorded_at', 'dispatch_started_at', 'created_at'],
    "case when auth_token_id is null then null else 'present' end as auth_token_id",
    `case when tool_name <> 'hubu_authorize_spend' and result_json is not null
       then json_object('payment', json_object('status', result_json ->> '$.payment.status')) end as result_json`,
    ...['no', 'principal', 'client', 'dispatch_begun', 'answer', 'answer_at'].map((name) => `${fact(name)} as ${name}`),
    `${amounts ? amountSql(hasJournal) : 'null'} as amount_minor`,
    `${fact('currency')} as currency`,
    `${texts ? toldByResult('reason') : 'null'} as reason`,
    `${texts ? toldByResult('merchant') : 'null'} as merchant`,
  ].join()
}

/** Operations whose first entry is written and whose facts are not yet. */
function unsealedOperations(database: SqliteDatabase): Map<string, { no: number; first: FirstEntry }> {
  const isComplete = prepareOnce(
    database,
    'select (select count(*) from harness_operations) = (select count(*) from operation_facts)',
  ).pluck()
  if (isComplete.get() === 1) return new Map()
  const rows = prepareOnce(
    database,
    `select seq as no, entry from operation_journal indexed by operation_journal_operation
     where operation > (select coalesce(max(seq), 0) from operation_journal) - ${recentEntries}
       and operation = seq and not exists (select 1 from operation_facts where no = operation)`,
  )
  const found = new Map<string, { no: number; first: FirstEntry }>()
  for (const { no, entry } of rows.all() as { no: number; entry: string }[]) {
    const { handle, principal, client, amount_minor, currency } = JSON.parse(entry) as FirstEntry & { handle: string }
    found.set(handle, { no, first: { principal, client, amount_minor, currency } })
  }
  return found
}

/** Reason and merchant out of the arguments that were kept; undefined where they were not, or are erased. */
function intentIn(opening: Buffer | null | undefined): Pick<Scanned, 'reason' | 'merchant'> | undefined {
  if (opening === null || opening === undefined) return undefined
  try {
    const { intent } = JSON.parse(opening.toString()) as { intent?: { content?: string } }
    if (intent?.content === undefined) return undefined
    const { reason, merchant } = JSON.parse(intent.content) as Record<string, unknown>
    return { reason: textOrNull(reason), merchant: textOrNull(merchant) }
  } catch {
    // One of our secrets stood in it and was taken out, so that it is no JSON any more.
    return undefined
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
