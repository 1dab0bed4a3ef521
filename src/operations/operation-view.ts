// Pure: a row becomes what a human may see of it on the command line. No clock and no I/O.
import type { OperationStatus } from '#generated/types/router.js'
import { nextStepOf } from './next-step.ts'
import type { OperationRow } from './row.ts'
import { toOperationStatus, type StatusColumns } from './status.ts'

/** The columns that a view is made of: no key, token, prompt, result, task or harness identity among them. */
export type ViewColumns = StatusColumns &
  Pick<
    OperationRow,
    | 'platform'
    | 'approval_request_id'
    | 'gongbu_status'
    | 'gongbu_create_started_at'
    | 'dispatch_attempts'
    | 'observation_failures'
    | 'reconciliation_attempts'
    | 'operation_deadline_at'
    | 'next_operation_attempt_at'
    | 'worker_lease_expires_at'
  >

/** One operation for human eyes. Times are RFC 3339 UTC with milliseconds. */
export interface OperationView {
  handle: string
  tool: string
  platform: string
  state: OperationStatus['state']
  /** What the state is due to; null when there is nothing to say. */
  result: OperationStatus['result']
  terminal: boolean
  executionId: string | null
  /** What Gongbu said last. */
  executionStatus: string | null
  approvalRequestId: string | null
  attempts: { dispatches: number; failedObservations: number; ambiguousObservations: number }
  createdAt: string
  /** When the spend was first sent to Hubu. */
  dispatchedAt: string | null
  answeredAt: string | null
  authorizationExpiresAt: string | null
  /** When the execution was acknowledged to the agent. */
  acknowledgedAt: string | null
  updatedAt: string
  nextAttemptAt: string | null
  deadlineAt: string | null
  /** Until then one router process has it for itself; null when none has. */
  heldUntil: string | null
  /** What a human can do now. */
  nextStep: string
}

/** Projects a row onto what a human sees of it. */
export function toOperationView(row: ViewColumns, now: Date): OperationView {
  const status = toOperationStatus(row, now)
  const held = row.worker_lease_expires_at
  const isOpen = row.operation_state !== null && !status.terminal
  const view = {
    handle: row.operation_handle,
    tool: row.tool_name,
    platform: row.platform,
    state: status.state,
    result: status.result,
    terminal: status.terminal,
    executionId: row.gongbu_execution_id,
    executionStatus: row.gongbu_status,
    approvalRequestId: row.approval_request_id,
    attempts: {
      dispatches: row.dispatch_attempts,
      failedObservations: row.observation_failures,
      ambiguousObservations: row.reconciliation_attempts,
    },
    createdAt: row.created_at,
    dispatchedAt: row.dispatch_started_at,
    answeredAt: row.result_recorded_at,
    authorizationExpiresAt: row.authorization_expires_at,
    acknowledgedAt: row.gongbu_create_started_at,
    updatedAt: status.updated_at,
    nextAttemptAt: isOpen ? (row.next_operation_attempt_at ?? row.operation_updated_at) : null,
    deadlineAt: row.operation_deadline_at,
    heldUntil: held !== null && held > now.toISOString() ? held : null,
  }
  return { ...view, nextStep: nextStepOf(view, now) }
}
