// Pure: what a direct read of an execution does to its operation.
import type { GongbuExecutionStatus } from '#generated/types/backends.js'
import { stateOfStatus } from '../execution-outcome.ts'
import { isTerminal, type AdapterState, type OperationRow } from '../row.ts'

/** What Gongbu reported on a direct read, already checked. */
export interface ReportedExecution {
  executionId: string
  status: GongbuExecutionStatus
  outcome: string | null
}

/** What changes. */
export interface MirroredRead {
  /** The next state, where it is another one; `isEnd`: no worker has anything to do any more. */
  move: { state: AdapterState; code: string; isEnd: boolean } | null
}

/** Decides it: null when nothing is written. Nothing final is ever moved, nor is its report replaced by one that is none. */
export function decideRead(row: OperationRow, { executionId, status }: ReportedExecution): MirroredRead | null {
  if (row.gongbu_execution_id !== executionId) return null
  if (isTerminal(row.operation_state)) return isBackendTerminal(status) ? { move: null } : null
  const { state, code } = stateOfStatus(status)
  if (state === row.operation_state && code === row.operation_result_code) return { move: null }
  return { move: { state, code, isEnd: isTerminal(state) } }
}

function isBackendTerminal(status: GongbuExecutionStatus): boolean {
  return status === 'succeeded' || status === 'released' || status === 'failed'
}
