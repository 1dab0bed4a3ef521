// Pure: what one answer of Gongbu does to an operation. Every answer that it can give is decided in this file.
import type { GongbuExecutionStatus } from '#generated/types/backends.js'
import type { AdapterState, OperationRow } from './row.ts'

/** What Gongbu answered about one operation, already checked against the row's key and execution id. */
export type ExecutionAnswer =
  | { kind: 'execution'; executionId: string; status: GongbuExecutionStatus; outcome: string | null }
  /** Transient, or a successful answer that could not be used. */
  | { kind: 'retryable' }
  | { kind: 'permanent'; code: string; httpStatus: number | null; diagnostic: AdmissionReason | null }

/** The two admission diagnostics that may reach an agent. */
export type AdmissionReason = 'target_not_selectable' | 'pricing_selector_not_matched'

/** The row an answer is about. */
export interface HeldOperation {
  row: OperationRow
  /** An earlier dispatch was begun and its outcome never recorded. */
  wasInterrupted: boolean
}

/** What changes in the row. Absent counters stay. */
export interface ExecutionChange {
  state: AdapterState
  code: string
  /** Wait before the next attempt; null when there is none. */
  nextInMs: number | null
  dispatchAttempts?: number
  observationFailures?: number
  reconciliationAttempts?: number
}

/** Tries of one exact create replay, and consecutive failing observations. */
const attemptLimit = 5
const reconciliationLimit = 6
const firstReconciliationTicks = 30

/** The change that an answer makes to a row that the worker holds. */
export function judgeAnswer(held: HeldOperation, answer: ExecutionAnswer, tickMs: number): ExecutionChange {
  const { row } = held
  switch (answer.kind) {
    case 'execution':
      return judgeStatus(row, answer.status, tickMs)
    case 'retryable':
      return row.gongbu_execution_id === null ? retryDispatch(row, tickMs) : retryObservation(row, tickMs)
    case 'permanent':
      return judgeRefusal(held, answer, tickMs)
  }
}

/** State and code of a valid execution body, as the worker and direct reads both take them. */
export function stateOfStatus(status: GongbuExecutionStatus): { state: AdapterState; code: string } {
  switch (status) {
    case 'succeeded':
      return { state: 'succeeded', code: 'execution_succeeded' }
    case 'failed':
      return { state: 'failed', code: 'execution_failed' }
    case 'released':
      return { state: 'failed', code: 'authorization_released' }
    case 'reconciliation_required':
      return { state: 'reconciling', code: 'provider_outcome_ambiguous' }
    case 'pending':
    case 'preflighting':
    case 'claimed':
    case 'executing':
    case 'settling':
      return { state: 'reconciling', code: 'execution_in_progress' }
  }
}

/** A failure that ends the operation. */
export function failWith(code: string): ExecutionChange {
  return { state: 'failed', code, nextInMs: null }
}

function judgeStatus(row: OperationRow, status: GongbuExecutionStatus, tickMs: number): ExecutionChange {
  const { state, code } = stateOfStatus(status)
  if (state !== 'reconciling') return { state, code, nextInMs: null, observationFailures: 0 }
  if (status !== 'reconciliation_required') return { state, code, nextInMs: tickMs, observationFailures: 0 }
  const n = row.reconciliation_attempts + 1
  const counted = { reconciliationAttempts: n, observationFailures: 0 }
  if (n >= reconciliationLimit) return { ...failWith('reconciliation_exhausted'), ...counted }
  return { state, code, nextInMs: tickMs * firstReconciliationTicks * 2 ** (n - 1), ...counted }
}

function retryDispatch(row: OperationRow, tickMs: number): ExecutionChange {
  const n = row.dispatch_attempts + 1
  if (n >= attemptLimit) return { ...failWith('dispatch_retry_exhausted'), dispatchAttempts: n }
  return { state: 'queued', code: 'dispatch_retry_pending', dispatchAttempts: n, nextInMs: tickMs * 2 ** (n - 1) }
}

function retryObservation(row: OperationRow, tickMs: number): ExecutionChange {
  const n = row.observation_failures + 1
  if (n >= attemptLimit) return { ...failWith('observation_retry_exhausted'), observationFailures: n }
  return {
    state: 'reconciling',
    code: 'observation_retry_pending',
    observationFailures: n,
    nextInMs: tickMs * 2 ** (n - 1),
  }
}

function judgeRefusal(
  { row, wasInterrupted }: HeldOperation,
  answer: ExecutionAnswer & { kind: 'permanent' },
  tickMs: number,
): ExecutionChange {
  const isDispatch = row.gongbu_execution_id === null
  const isReplay = row.dispatch_attempts >= 1 || wasInterrupted
  if (isDispatch && isReplay && mayComeFromAnEarlierTry(answer)) return retryDispatch(row, tickMs)
  if (isDispatch && answer.code === 'invalid_request' && answer.diagnostic !== null) {
    return failWith(`execution_request_${answer.diagnostic}`)
  }
  return failWith(permanentCodes[answer.code] ?? 'execution_dispatch_failed')
}

/**
 * A refusal on a replay proves nothing: the first try may still be under way or hold the authorization. The status
 * decides alone, because the code in the body of such a refusal may have been lost on the way.
 */
function mayComeFromAnEarlierTry({ httpStatus, diagnostic }: ExecutionAnswer & { kind: 'permanent' }): boolean {
  return httpStatus === 409 || (httpStatus === 400 && diagnostic === null)
}

const permanentCodes: Readonly<Record<string, string>> = {
  invalid_request: 'execution_request_invalid',
  unauthorized: 'gongbu_authentication_failed',
  forbidden: 'gongbu_access_forbidden',
  not_found: 'execution_not_found',
  immutable_scope_conflict: 'execution_intent_conflict',
}
