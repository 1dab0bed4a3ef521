// Finds operations by what somebody remembers of them.
import { createHash } from 'node:crypto'
import type { SqliteDatabase } from '../../storage/database.ts'
import { prepareOnce } from '../../storage/kept-database.ts'
import { hasJournalTables } from '../added-tables.ts'
import { moneyAnswer, paymentOf, type MoneyAnswer } from '../money.ts'
import { toOperationView, type OperationView, type ViewColumns } from '../operation-view.ts'
import { viewColumns } from '../read-operations.ts'
import { toOperationStatus } from '../status.ts'
import { adviceFor, answerSentence } from './advice.ts'
import { narrowed } from './narrow.ts'
import { fitOf, type Comparable, type FindQuery } from './query.ts'
import { mayHoldWords } from './words.ts'
import { createScan, type OperationScan, type Scanned } from './scan.ts'

/** One operation that was found, for people. No key, authorization, prompt or harness call id is in it. */
export interface FoundOperation {
  view: OperationView
  answer: MoneyAnswer
  /** The answer in a sentence. */
  sentence: string
  /** What a person can do now. */
  nextStep: string
  /** The number of its first journal entry; null for one that is older than the journal. */
  no: number | null
  principal: string | null
  client: string | null
  identity: 'harness' | 'guarded'
  amountMinor: number | null
  currency: string | null
  reason: string | null
  merchant: string | null
  /** What is known of its answer's way to the agent. */
  delivery: 'written' | 'taken' | 'dropped' | null
  deliveredAt: string | null
}

/** What was found, the newest first. */
export interface FoundOperations {
  operations: FoundOperation[]
  /** There are more that match. */
  hasMore: boolean
  /** Operations that could not be looked into: their amount or their words were not written down. */
  notKnown: number
  hasJournal: boolean
}

/** An id that Hubu or Gongbu gave an operation. */
export interface ForeignId {
  kind: 'authorization' | 'approval' | 'execution'
  id: string
}

/** Looks through an open registry. Reads only. */
export function findOperationsIn(database: SqliteDatabase, query: FindQuery, now: Date): FoundOperations {
  return database.transaction((): FoundOperations => {
    const { words } = query
    const wish = { texts: words !== undefined, amounts: query.cents !== undefined }
    const found: FoundOperations = {
      operations: [],
      hasMore: false,
      notKnown: 0,
      hasJournal: hasJournalTables(database),
    }
    const hits: Scanned[] = []
    const mayBe = words && ((args: string) => mayHoldWords(args, words))
    const scan = createScan(database)
    for (const row of scan.all(wish, narrowed(query, found.hasJournal), mayBe)) {
      const match = fitOf(comparable(row, now), query)
      if (match === 'not_known') found.notKnown += 1
      if (match !== 'yes') continue
      if (hits.length === query.limit) {
        found.hasMore = true
        break
      }
      hits.push(row)
    }
    found.operations = describe(database, scan, hits, now)
    return found
  })()
}

/** The handles of the operations that such an id belongs to, an authorization's also after it was erased. */
export function handlesOf(database: SqliteDatabase, { kind, id }: ForeignId): Set<string> {
  const column = { authorization: 'auth_token_id', approval: 'approval_request_id', execution: 'gongbu_execution_id' }[
    kind
  ]
  const live = database
    .prepare<[string], string>(`select operation_handle from harness_operations where ${column} = ?`)
    .pluck()
    .all(id)
  if (live.length > 0 || kind === 'execution' || !hasJournalTables(database)) return new Set(live)
  const name = kind === 'approval' ? 'approval_request_id' : 'authorization'
  const value = kind === 'approval' ? id : createHash('sha256').update(id).digest('hex')
  const told = database
    .prepare<[string, string], string>(
      `select distinct first.entry ->> '$.handle' from operation_journal told
       join operation_journal first on first.seq = told.operation
       where instr(told.entry, ?) > 0 and told.entry ->> '$.kind' = 'answered' and told.entry ->> '$.${name}' = ?`,
    )
    .pluck()
  return new Set(told.all(value, value))
}

function comparable(row: Scanned, now: Date): Comparable {
  return {
    handle: row.operation_handle,
    tool: row.tool_name,
    platform: row.platform,
    createdAt: row.created_at,
    principal: row.principal,
    client: row.client,
    amountMinor: row.amount_minor,
    reason: row.reason,
    merchant: row.merchant,
    answer: () => answerOf(row, now),
    state: () => toOperationStatus(row, now).state,
  }
}

function answerOf(row: Scanned, now: Date): MoneyAnswer {
  return moneyAnswer(row, { payment: paymentOf(row.result_json), dispatchBegun: row.dispatch_begun }, now)
}

/** Everything about the operations that were found, in their order. */
function describe(
  database: SqliteDatabase,
  scan: OperationScan,
  hits: readonly Scanned[],
  now: Date,
): FoundOperation[] {
  if (hits.length === 0) return []
  const places = JSON.stringify(hits.map(({ place }) => place))
  const where = { sql: 'h.rowid in (select value from json_each(?))', values: [places] }
  const views = prepareOnce(database, `select ${viewColumns} from harness_operations where rowid = ?`)
  return [...scan.all({ texts: true, amounts: true }, where)].map((row) => {
    const view = toOperationView(views.get(row.place) as ViewColumns, now)
    const answer = answerOf(row, now)
    return {
      view,
      answer,
      sentence: answerSentence(answer),
      nextStep: adviceFor(answer, view),
      no: row.no,
      principal: row.principal,
      client: row.client,
      identity: row.platform === 'guarded' ? 'guarded' : 'harness',
      amountMinor: row.amount_minor,
      currency: row.currency ?? (row.amount_minor === null ? null : 'USD'),
      reason: row.reason,
      merchant: row.merchant,
      delivery: row.answer,
      deliveredAt: row.answer_at,
    }
  })
}
