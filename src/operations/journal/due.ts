// Pure: which entries an operation still lacks, from its row and the entries that there are.
import { createHash } from 'node:crypto'
import { paymentOf } from '../money.ts'
import { isTerminal, type OperationRow } from '../row.ts'
import { isDecided } from '../stored-decision.ts'
import { bounded, commitment, type Opening } from './entry.ts'
import type { NewEntry, StoredEntry } from './journal.ts'

/** How an answer left, as its entry tells it. */
export interface DeliveredAnswer {
  delivery: 'written' | 'taken' | 'dropped'
  /** Why it counts so: proof or inference; null for one that was only written. */
  basis: 'used' | 'went_on' | 'waited' | 'cancelled' | 'pipe' | 'stream' | null
  happenedAt: string
}

/** How contents are committed to. */
export interface Committing {
  hasTexts: boolean
  salt(): string
}

type Entry = StoredEntry['entry']

/** The entries that are due, in the order in which things happened. Appending them leaves nothing due. */
export function dueEntries(
  row: OperationRow,
  entries: readonly StoredEntry[],
  answer: DeliveredAnswer | undefined,
  committing: Committing,
): NewEntry[] {
  const lastOf = (kind: Entry['kind']) => entries.findLast(({ entry }) => entry.kind === kind)?.entry
  const count = (kind: Entry['kind']) => entries.filter(({ entry }) => entry.kind === kind).length
  return [
    ...answered(row, lastOf('answered'), committing),
    ...delivered(lastOf('delivered'), answer),
    ...bound(row, lastOf('bound')),
    ...dispatched(row, count('dispatching'), count('dispatched')),
    ...observed(row, lastOf('observed')),
    ...finished(row, lastOf('finished')),
  ]
}

/** Whether nothing can happen to an operation any more, but that its answer is taken. */
export function isOver(row: OperationRow, isLive: boolean): boolean {
  if (row.operation_state !== null) return isTerminal(row.operation_state)
  if (row.decision === 'deny') return true
  // Of what a human approved Hubu says so for ever, also when it is paid.
  if (row.decision === 'needs_approval') return isDecided(row)
  return row.decision === 'allow' && (row.tool_name !== 'hubu_authorize_spend' || !isLive)
}

function answered(row: OperationRow, before: Entry | undefined, { hasTexts, salt }: Committing): NewEntry[] {
  if (row.decision === null || row.result_json === null) return []
  const told = {
    decision: row.decision,
    decision_id: bounded(row.decision_id),
    approval_request_id: bounded(row.approval_request_id),
  }
  const isTold =
    before !== undefined &&
    Object.entries(told).every(([name, value]) => before[name] === value) &&
    before.payment === paymentOf(row.result_json)
  if (isTold) return []
  const result = JSON.parse(row.result_json) as Record<string, unknown>
  const review = row.decision === 'needs_approval' ? reviewOf(result) : null
  const openings: Record<string, Opening> = {}
  const commit = (name: string, content: string | null, isElsewhere: boolean): string | null => {
    if (content === null || !hasTexts) return null
    const under = salt()
    openings[name] = { salt: under, ...(!isElsewhere && { content }) }
    return commitment(under, content)
  }
  const members = {
    ...told,
    authorization: row.auth_token_id === null ? null : sha256(row.auth_token_id),
    expires_at: bounded(row.authorization_expires_at),
    payment: paymentOf(row.result_json),
    ledger_transaction_id: bounded(
      (result.payment as { ledger_transaction_id?: unknown } | null)?.ledger_transaction_id,
    ),
    result: commit('result', shareable(result), true),
    review: commit('review', review, false),
    happened_at: row.result_recorded_at,
  }
  return [{ kind: 'answered', members, openings: Object.keys(openings).length === 0 ? undefined : openings }]
}

/** The stored result as it may be shown: without what could still be used. */
export function shareable(result: Record<string, unknown>): string {
  const { auth_token_id: _token, spend_auth_token_id: _same, ...rest } = result
  return JSON.stringify(rest)
}

function reviewOf(result: Record<string, unknown>): string | null {
  const review = (result.approval as { review?: unknown } | null)?.review
  return review === undefined || review === null ? null : JSON.stringify(review)
}

function delivered(before: Entry | undefined, answer: DeliveredAnswer | undefined): NewEntry[] {
  if (answer === undefined || before?.delivery === 'taken') return []
  const { delivery, basis, happenedAt } = answer
  if (before?.delivery === delivery && before.basis === basis) return []
  return [{ kind: 'delivered', members: { delivery, basis, happened_at: happenedAt } }]
}

function bound(row: OperationRow, before: Entry | undefined): NewEntry[] {
  if (row.gongbu_create_started_at === null || before !== undefined) return []
  const request = row.gongbu_request_json
  const bytes = request === null ? null : Buffer.byteLength(request)
  return [
    {
      kind: 'bound',
      members: { request: row.gongbu_request_hash, bytes, happened_at: row.gongbu_create_started_at },
    },
  ]
}

/** What became of requests to Gongbu that are over. While a worker has the row, the last one is not. */
function dispatched(row: OperationRow, begun: number, ended: number): NewEntry[] {
  const over = row.operation_state === 'dispatching' && row.worker_lease_id !== null ? begun - 1 : begun
  return Array.from({ length: Math.max(0, over - ended) }, (_, index) => {
    const attempt = ended + index + 1
    const isLast = attempt === begun
    const wasAnswered = row.gongbu_execution_id !== null
    const outcome = !isLast
      ? 'retry'
      : wasAnswered
        ? 'answered'
        : row.operation_state === 'failed'
          ? 'refused'
          : 'retry'
    return { kind: 'dispatched', members: { attempt, outcome, code: isLast ? row.operation_result_code : null } }
  })
}

function observed(row: OperationRow, before: Entry | undefined): NewEntry[] {
  if (row.gongbu_status === null) return []
  const members = {
    status: row.gongbu_status,
    code: row.operation_result_code,
    execution_id: bounded(row.gongbu_execution_id),
  }
  const isTold = before !== undefined && Object.entries(members).every(([name, value]) => before[name] === value)
  return isTold ? [] : [{ kind: 'observed', members }]
}

function finished(row: OperationRow, before: Entry | undefined): NewEntry[] {
  if (!isTerminal(row.operation_state) || before !== undefined) return []
  return [
    {
      kind: 'finished',
      members: {
        state: row.operation_state,
        code: row.operation_result_code,
        status: row.gongbu_status,
        outcome: bounded(row.gongbu_outcome),
        execution_id: bounded(row.gongbu_execution_id),
        attempts: row.dispatch_attempts,
      },
    },
  ]
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
