// Pure: what a worker writes into the operation that it holds.
import type { GongbuExecutionStatus } from '#generated/types/backends.js'
import { failWith, type ExecutionAnswer, type ExecutionChange } from '../execution-outcome.ts'
import { isTerminal, type AdapterState, type OperationRow } from '../row.ts'

/** The columns after it. */
export interface Settled {
  state: AdapterState
  code: string
  /** Wait before the next attempt; null when there is none. */
  nextInMs: number | null
  dispatchAttempts: number
  observationFailures: number
  reconciliationAttempts: number
  executionId: string | null
  status: GongbuExecutionStatus | null
  outcome: string | null
  /** Gongbu said something now. */
  isReported: boolean
  request: string | null
  /** Whoever reads the status sees a difference. */
  isVisible: boolean
}

/**
 * Decides it from the row as it is now. `owner` is the handle of the operation that already has the reported execution: one that belongs to
 * another operation ends this one.
 */
export function decideSettle(
  latest: OperationRow,
  wanted: ExecutionChange,
  answer: ExecutionAnswer | null,
  owner: string | undefined,
): Settled {
  const isForeign = owner !== undefined && owner !== latest.operation_handle
  const change = isForeign ? failWith('execution_dispatch_failed') : wanted
  const reported = answer?.kind === 'execution' && !isForeign ? answer : null
  const executionId = latest.gongbu_execution_id ?? reported?.executionId ?? null
  const isDone = isTerminal(change.state) || executionId !== null
  return {
    state: change.state,
    code: change.code,
    nextInMs: change.nextInMs,
    dispatchAttempts: change.dispatchAttempts ?? latest.dispatch_attempts,
    observationFailures: change.observationFailures ?? latest.observation_failures,
    reconciliationAttempts: change.reconciliationAttempts ?? latest.reconciliation_attempts,
    executionId,
    status: reported?.status ?? latest.gongbu_status,
    outcome: reported === null ? latest.gongbu_outcome : reported.outcome,
    isReported: reported !== null,
    request: isDone ? null : latest.gongbu_request_json,
    isVisible:
      change.state !== latest.operation_state ||
      change.code !== latest.operation_result_code ||
      executionId !== latest.gongbu_execution_id,
  }
}
