// Pure: a row becomes what clients see of it. No clock and no I/O.
import type { NewOperationResultCode, OperationResult, OperationStatus } from '#generated/types/router.js'
import { isLive, moneyAnswer, paymentOf, type MoneyFacts } from './money.ts'
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

/**
 * The columns that a status is made from. The authorization id is told only where a human approved it, and of the result it
 * matters only what became of the payment.
 */
export type StatusColumns = Pick<
  OperationRow,
  | 'operation_handle'
  | 'platform'
  | 'tool_name'
  | 'decision'
  | 'auth_token_id'
  | 'approval_request_id'
  | 'authorization_expires_at'
  | 'operation_state'
  | 'operation_result_code'
  | 'gongbu_execution_id'
  | 'gongbu_status'
  | 'result_json'
  | 'operation_updated_at'
  | 'result_recorded_at'
  | 'dispatch_started_at'
  | 'created_at'
>

/** Codes that the first version of the contract has no word for. */
const newCodes = new Set<string | null>(['spend_payment_failed', 'spend_refused'])

/**
 * Projects a row onto the operation contract: its first version, except for what that has no words for. The projection holds
 * no private key, identity or prompt. `completesItself`: a worker asks for the decision of a human by itself.
 */
export function toOperationStatus(
  row: StatusColumns,
  now: Date,
  { completesItself }: { completesItself: boolean } = { completesItself: false },
): OperationStatus {
  const payment = paymentOf(row.result_json)
  const { state, code } = stateOf(row, payment, now)
  const identity = row.platform === 'guarded' ? 'guarded' : 'harness'
  const status = {
    operation_handle: row.operation_handle,
    state,
    terminal: state === 'succeeded' || state === 'failed',
    replacement_safe: state === 'authorized',
    execution_id: row.gongbu_execution_id,
    updated_at: row.operation_updated_at ?? row.result_recorded_at ?? row.dispatch_started_at ?? row.created_at,
    guidance: guidanceOf(state, code, row, completesItself),
  }
  const { updated_at, guidance: text, ...first } = status
  const result = code === null ? null : toResult(code)
  if (identity === 'harness' && !newCodes.has(code))
    return { schema_version: 1, ...first, result: result as OperationResult | null, updated_at, guidance: text }
  const answer = moneyAnswer(row, { payment, dispatchBegun: null }, now)
  return { schema_version: 2, ...first, result, updated_at, guidance: text, identity, answer }
}

type State = OperationStatus['state']

function stateOf(row: StatusColumns, payment: MoneyFacts['payment'], now: Date): { state: State; code: string | null } {
  if (row.operation_state !== null) return { state: row.operation_state, code: row.operation_result_code }
  const isAuthorize = row.tool_name === 'hubu_authorize_spend'
  // Of a purchase that a human approved Hubu says `needs_approval` for ever: what became of the payment counts.
  if (!isAuthorize && payment === 'succeeded') return { state: 'succeeded', code: 'spend_succeeded' }
  if (!isAuthorize && payment === 'failed') return { state: 'failed', code: 'spend_payment_failed' }
  switch (row.decision) {
    case null:
      return { state: 'awaiting_hubu_result', code: null }
    case 'needs_approval':
      return { state: 'approval_required', code: 'human_approval_required' }
    case 'deny':
      return { state: 'failed', code: isAuthorize ? 'authorization_denied' : 'spend_denied' }
    case 'allow':
      if (!isAuthorize) return { state: 'succeeded', code: 'spend_succeeded' }
      if (isLive(row, now)) return { state: 'authorized', code: null }
      return { state: 'failed', code: 'authorization_continuation_unavailable' }
  }
}

function toResult(code: string): { code: NewOperationResultCode; reason_code?: AdmissionReason; fields?: string[] } {
  const diagnostic = diagnostics[code as keyof typeof diagnostics]
  if (diagnostic === undefined) return { code: code as NewOperationResultCode }
  return { code: 'execution_request_invalid', reason_code: diagnostic.reason_code, fields: [...diagnostic.fields] }
}

type AdmissionReason = NonNullable<OperationResult['reason_code']>

function guidanceOf(state: State, code: string | null, row: StatusColumns, completesItself: boolean): string {
  const { tool_name: tool, auth_token_id: token } = row
  const again = row.platform === 'guarded' ? againByName : againByHarness
  if (code === 'spend_payment_failed') return guidance.declined
  if (code === 'spend_refused') return guidance.refused
  if (code === 'authorization_continuation_unavailable' && tool === 'hubu_submit_spend') return guidance.tooLate
  // Gongbu took the request for a wrong one, without a reason that may be told.
  if (code === 'execution_request_invalid') return `${guidance.closed} ${guidance.check}`
  if (state === 'succeeded' || state === 'failed') return guidance.closed
  // The answer to the call itself said that a human must decide, so this is where the agent learns the id.
  if (state === 'authorized')
    return row.approval_request_id === null ? guidance.continue : guidance.approved.replace('ID', token ?? '')
  if (state === 'approval_required')
    return completesItself ? guidance.approve : `${guidance.approveFirst} then ${again}`
  if (state !== 'awaiting_hubu_result') return guidance.observe
  return `${guidance.lost} ${again[0]?.toUpperCase()}${again.slice(1)}`
}

const againByHarness = 'redeliver the original call with the same harness identity. Do not submit a replacement.'
const againByName = 'make the call again with exactly the same arguments. Do not submit a replacement.'

const guidance = {
  continue:
    'The spend is authorized and nothing has been executed. Pass auth_token_id once to gongbu_create_execution; ' +
    'if the plan has changed, let it expire.',
  approved:
    'A human approved this spend. It is authorized and nothing has been executed. Pass auth_token_id ID once to ' +
    'gongbu_create_execution; if the plan has changed, let it expire.',
  approve:
    'Nothing was spent. A human must decide the existing approval request at Hubu; the operation then completes by itself. ' +
    'Read hubu_operation_status with this handle again later. Do not submit a replacement.',
  approveFirst: 'Nothing was spent. A human must decide the existing approval request at Hubu;',
  lost: 'Hubu may have acted but its answer is not known.',
  check:
    'Tell your user that the provider took the request for a wrong one, and check its target (workload_type, provider, adapter, ' +
    'model), its input and the execution_scope of the spend before another purchase.',
  declined:
    'Hubu allowed this spend, but the payment was declined, so nothing was paid. This operation will not change. Tell your user ' +
    'why, as the spend result says; do not submit a replacement before the cause is known.',
  refused:
    'Hubu refused this request and carried out nothing. This operation will not change. Do not submit a replacement before the ' +
    'cause that the refusal named is corrected.',
  tooLate:
    'A human approved this spend, but it was not delivered again before its authorization ran out, so nothing was paid. This ' +
    'operation will not change. Ask your user whether it is still wanted: that is a purchase of its own, and a human must ' +
    'approve it again. Do not submit a replacement unasked.',
  closed: 'This operation is finished and will not change. Do not submit a replacement for this operation.',
  observe:
    'The execution is acknowledged and runs in the background. Keep reading hubu_operation_status with this handle. ' +
    'Do not submit a replacement.',
}
