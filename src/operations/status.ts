// Pure: a row becomes what clients see of it. No clock and no I/O.
import type { OperationResult, OperationResultCode, OperationStatus } from '#generated/types/router.js'
import { isExpired } from './instants.ts'
import type { OperationRow } from './row.ts'

/** The admission diagnostics by the internal code under which a row keeps them. */
const diagnostics = {
  execution_request_target_not_selectable: {
    reason_code: 'target_not_selectable',
    fields: ['workload_type', 'provider', 'adapter', 'model'],
  },
  execution_request_pricing_selector_not_matched: {
    reason_code: 'pricing_selector_not_matched',
    fields: ['input.image_size'],
  },
} as const

/** The columns that a status needs. Of the authorization id it matters only whether there is one. */
export type StatusColumns = Pick<
  OperationRow,
  | 'operation_handle'
  | 'tool_name'
  | 'decision'
  | 'auth_token_id'
  | 'authorization_expires_at'
  | 'operation_state'
  | 'operation_result_code'
  | 'gongbu_execution_id'
  | 'operation_updated_at'
  | 'result_recorded_at'
  | 'dispatch_started_at'
  | 'created_at'
>

/** Projects a row onto the operation contract. The projection holds no private key, token, identity or prompt. */
export function toOperationStatus(row: StatusColumns, now: Date): OperationStatus {
  const { state, code } = stateOf(row, now)
  const terminal = state === 'succeeded' || state === 'failed'
  return {
    schema_version: 1,
    operation_handle: row.operation_handle,
    state,
    terminal,
    replacement_safe: state === 'authorized',
    execution_id: row.gongbu_execution_id,
    result: code === null ? null : toResult(code),
    updated_at: row.operation_updated_at ?? row.result_recorded_at ?? row.dispatch_started_at ?? row.created_at,
    guidance: guidance[guidanceClass(state)],
  }
}

type State = OperationStatus['state']

function stateOf(row: StatusColumns, now: Date): { state: State; code: string | null } {
  if (row.operation_state !== null) return { state: row.operation_state, code: row.operation_result_code }
  const isAuthorize = row.tool_name === 'hubu_authorize_spend'
  switch (row.decision) {
    case null:
      return { state: 'awaiting_hubu_result', code: null }
    case 'needs_approval':
      return { state: 'approval_required', code: 'human_approval_required' }
    case 'deny':
      return { state: 'failed', code: isAuthorize ? 'authorization_denied' : 'spend_denied' }
    case 'allow':
      if (!isAuthorize) return { state: 'succeeded', code: 'spend_succeeded' }
      if (isTokenLive(row, now)) return { state: 'authorized', code: null }
      return { state: 'failed', code: 'authorization_continuation_unavailable' }
  }
}

function isTokenLive(row: StatusColumns, now: Date): boolean {
  if (row.auth_token_id === null) return false
  return row.authorization_expires_at === null || !isExpired(row.authorization_expires_at, now)
}

function toResult(code: string): OperationResult {
  const diagnostic = diagnostics[code as keyof typeof diagnostics]
  if (diagnostic === undefined) return { code: code as OperationResultCode }
  return { code: 'execution_request_invalid', reason_code: diagnostic.reason_code, fields: [...diagnostic.fields] }
}

function guidanceClass(state: State): keyof typeof guidance {
  if (state === 'succeeded' || state === 'failed') return 'closed'
  if (state === 'authorized') return 'continue'
  if (state === 'approval_required') return 'approve'
  return state === 'awaiting_hubu_result' ? 'redeliver' : 'observe'
}

const guidance = {
  continue:
    'The spend is authorized and nothing has been executed. Pass auth_token_id once to gongbu_create_execution; ' +
    'if the plan has changed, let it expire.',
  approve:
    'Nothing was spent. A human must decide the existing approval request at Hubu; then redeliver the original call with ' +
    'the same harness identity. Do not submit a replacement.',
  redeliver:
    'Hubu may have acted but its answer is not known. Redeliver the original call with the same harness identity. ' +
    'Do not submit a replacement.',
  closed: 'This operation is finished and will not change. Do not submit a replacement for this operation.',
  observe:
    'The execution is acknowledged and runs in the background. Keep reading hubu_operation_status with this handle. ' +
    'Do not submit a replacement.',
}
