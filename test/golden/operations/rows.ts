import type { OperationRow } from '../../../src/operations/row.ts'

/** The handle of every row here. */
export const handle = `hubu:public-operation:v1:${'a'.repeat(32)}`

/** When the statuses are read. */
export const readAt = '2026-08-25T00:00:00.000Z'

/** An authorization whose dispatch was marked and not yet answered. */
export const awaiting: OperationRow = {
  platform: 'codex',
  installation_id: `hubu-installation:v1:${'1'.repeat(32)}`,
  harness_call_id: 'codex-call-1',
  request_hash: `sha256:${'2'.repeat(64)}`,
  tool_name: 'hubu_authorize_spend',
  operation_key: `hubu:operation:v1:codex:${'3'.repeat(32)}`,
  operation_handle: handle,
  codex_call_id: 'codex-call-1',
  claude_tool_use_id: null,
  hubu_invocation_id: null,
  controlled_installation_id: null,
  task_id: 'private-task',
  decision: null,
  decision_id: null,
  auth_token_id: null,
  approval_request_id: null,
  authorization_expires_at: null,
  result_json: null,
  dispatch_started_at: '2026-08-25T00:00:00.000Z',
  result_recorded_at: null,
  gongbu_request_hash: null,
  gongbu_request_json: null,
  gongbu_execution_id: null,
  gongbu_status: null,
  gongbu_outcome: null,
  gongbu_create_started_at: null,
  gongbu_result_recorded_at: null,
  operation_state: null,
  operation_result_code: null,
  dispatch_attempts: 0,
  observation_failures: 0,
  reconciliation_attempts: 0,
  operation_deadline_at: null,
  next_operation_attempt_at: null,
  worker_lease_id: null,
  worker_lease_expires_at: null,
  operation_updated_at: null,
  created_at: '2026-08-24T23:59:59.000Z',
}

/** An authorization that Hubu allowed, with a token that lives. */
export const authorized: OperationRow = {
  ...awaiting,
  decision: 'allow',
  decision_id: 'dec-1',
  auth_token_id: 'tok-1',
  authorization_expires_at: '2026-08-25T00:05:00+00:00',
  result_json: '{"decision":"allow","auth_token_id":"tok-1"}',
  result_recorded_at: '2026-08-25T00:00:00.000Z',
}

/** A create that was acknowledged and not yet taken up. */
export const accepted: OperationRow = {
  ...authorized,
  gongbu_request_hash: `sha256:${'4'.repeat(64)}`,
  gongbu_request_json: '{"input":{"prompt":"a private prompt"}}',
  gongbu_create_started_at: '2026-08-25T00:00:00.000Z',
  operation_state: 'accepted',
  operation_deadline_at: '2026-08-26T00:00:00.000Z',
  operation_updated_at: '2026-08-25T00:00:00.000Z',
}

/** The columns that hold something: what a golden file shows of a row. */
export function filled(row: OperationRow): Partial<OperationRow> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== 0))
}
