// Pure: what became of the money of one operation, from its row and what the journal knows. No clock and no I/O.
import type { NewOperationStatus } from '#generated/types/router.js'
import { isExpired } from './instants.ts'
import type { OperationRow } from './row.ts'

/**
 * What became of the money: it moved once (`paid`), is reserved (`held`), waits for a human (`waiting`), Hubu said no
 * (`refused`), certainly nothing was spent and nothing will be (`not_paid`), or nobody here knows (`unknown`).
 */
export type MoneyAnswer = NewOperationStatus['answer']

/** The columns that the answer depends on. Of the authorization id it matters only whether there is one. */
export type MoneyColumns = Pick<
  OperationRow,
  | 'tool_name'
  | 'decision'
  | 'auth_token_id'
  | 'authorization_expires_at'
  | 'dispatch_started_at'
  | 'operation_state'
  | 'operation_result_code'
  | 'gongbu_status'
  | 'gongbu_execution_id'
>

/** What a row does not tell by itself. */
export interface MoneyFacts {
  /** What Hubu's stored result says of a payment; null without one, or where it cannot be read. */
  payment: 'succeeded' | 'failed' | null
  /** How often a request may have left for Gongbu; null where nobody counted, as for operations older than the journal. */
  dispatchBegun: number | null
}

/** Reads the payment out of a stored result. */
export function paymentOf(resultJson: string | null): MoneyFacts['payment'] {
  // A result is stored as it was printed, member names unescaped; parsing one without a payment would be the dearest part of a status.
  if (resultJson === null || !resultJson.includes('"payment"')) return null
  const { payment } = JSON.parse(resultJson) as { payment?: { status?: unknown } | null }
  const status = payment?.status
  return status === 'succeeded' || status === 'failed' ? status : null
}

/** Exactly one answer for every row that there can be. */
export function moneyAnswer(row: MoneyColumns, facts: MoneyFacts, now: Date): MoneyAnswer {
  if (row.operation_result_code === 'spend_refused') return 'refused'
  if (row.operation_result_code === 'spend_payment_failed') return 'not_paid'
  // Approved, and not delivered again before the authorization ran out.
  if (row.operation_result_code === 'authorization_continuation_unavailable') return 'not_paid'
  if (row.tool_name !== 'hubu_authorize_spend') {
    if (facts.payment === 'succeeded') return 'paid'
    if (facts.payment === 'failed') return 'not_paid'
  }
  if (row.operation_state !== null) return executionAnswer(row, facts)
  switch (row.decision) {
    case null:
      return row.dispatch_started_at === null ? 'not_paid' : 'unknown'
    case 'needs_approval':
      return 'waiting'
    case 'deny':
      return 'refused'
    case 'allow':
      if (row.tool_name !== 'hubu_authorize_spend') return 'unknown'
      return isLive(row, now) ? 'held' : 'not_paid'
  }
}

/** Whether an authorization can still be used. */
export function isLive(row: Pick<OperationRow, 'auth_token_id' | 'authorization_expires_at'>, now: Date): boolean {
  if (row.auth_token_id === null) return false
  return row.authorization_expires_at === null || !isExpired(row.authorization_expires_at, now)
}

function executionAnswer(row: MoneyColumns, { dispatchBegun }: MoneyFacts): MoneyAnswer {
  const code = row.operation_result_code
  if (row.operation_state === 'succeeded') return 'paid'
  if (row.operation_state !== 'failed') return code === 'provider_outcome_ambiguous' ? 'unknown' : 'held'
  if (code === 'authorization_released') return 'not_paid'
  // Gongbu fails an execution before its claim, and claims before it pays: the hold ends with the authorization.
  if (code === 'execution_failed') return row.gongbu_status === 'failed' ? 'not_paid' : 'unknown'
  if (code === null || !isRefusalOfGongbu(code)) return 'unknown'
  // A refusal says this much only of the one request that was ever made.
  const isOnlyTry = dispatchBegun !== null && dispatchBegun <= 1 && row.gongbu_execution_id === null
  return isOnlyTry ? 'not_paid' : 'unknown'
}

function isRefusalOfGongbu(code: string): boolean {
  if (code === 'execution_request_unavailable') return false
  return (
    code.startsWith('execution_request_') ||
    code === 'gongbu_unconfigured' ||
    code === 'gongbu_authentication_failed' ||
    code === 'gongbu_access_forbidden'
  )
}
