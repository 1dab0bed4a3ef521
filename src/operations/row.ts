import type { GongbuExecutionStatus } from '#generated/types/backends.js'
import type { CallIdentity } from '../identity/call-identity.ts'

/** What Hubu decided about one spend. */
export type Decision = 'allow' | 'deny' | 'needs_approval'

/** The adapter's own life of an acknowledged operation. */
export type AdapterState = 'accepted' | 'queued' | 'dispatching' | 'reconciling' | 'succeeded' | 'failed'

/** The two tools that allocate operations. */
export type SpendTool = 'hubu_submit_spend' | 'hubu_authorize_spend'

/** One row of `harness_operations`, column for column. It never leaves the process as it is. */
export interface OperationRow {
  platform: string
  installation_id: string
  harness_call_id: string
  request_hash: string
  tool_name: string
  operation_key: string | null
  operation_handle: string
  codex_call_id: string | null
  claude_tool_use_id: string | null
  hubu_invocation_id: string | null
  controlled_installation_id: string | null
  task_id: string | null
  decision: Decision | null
  decision_id: string | null
  auth_token_id: string | null
  approval_request_id: string | null
  authorization_expires_at: string | null
  result_json: string | null
  dispatch_started_at: string | null
  result_recorded_at: string | null
  gongbu_request_hash: string | null
  gongbu_request_json: string | null
  gongbu_execution_id: string | null
  gongbu_status: GongbuExecutionStatus | null
  gongbu_outcome: string | null
  gongbu_create_started_at: string | null
  gongbu_result_recorded_at: string | null
  operation_state: AdapterState | null
  operation_result_code: string | null
  dispatch_attempts: number
  observation_failures: number
  reconciliation_attempts: number
  operation_deadline_at: string | null
  next_operation_attempt_at: string | null
  worker_lease_id: string | null
  worker_lease_expires_at: string | null
  operation_updated_at: string | null
  created_at: string
}

/** Whether an adapter state can never change again. */
export function isTerminal(state: AdapterState | null): boolean {
  return state === 'succeeded' || state === 'failed'
}

/** The identity that a row was allocated for. */
export function identityOf(row: OperationRow): CallIdentity {
  return {
    platform: row.platform,
    harnessCallId: row.harness_call_id,
    codexCallId: row.codex_call_id,
    claudeToolUseId: row.claude_tool_use_id,
    hubuInvocationId: row.hubu_invocation_id,
    controlledInstallationId: row.controlled_installation_id,
    taskId: row.task_id,
  }
}
