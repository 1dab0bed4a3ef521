import { expect, test } from 'vitest'
import { isOperationStatus } from '#generated/validators/router.js'
import type { AdapterState, Decision, OperationRow } from '../../src/operations/row.ts'
import { toOperationStatus } from '../../src/operations/status.ts'

const now = new Date('2026-11-29T00:00:00.000Z')
const handle = `hubu:public-operation:v1:${'a'.repeat(32)}`

/** A row that holds everything that must not show. */
const full: OperationRow = {
  platform: 'canary-platform',
  installation_id: 'canary-installation',
  harness_call_id: 'canary-call',
  request_hash: 'canary-hash',
  tool_name: 'hubu_authorize_spend',
  operation_key: 'hubu:operation:v1:canary',
  operation_handle: handle,
  codex_call_id: 'canary-codex',
  claude_tool_use_id: 'canary-claude',
  hubu_invocation_id: 'canary-invocation',
  controlled_installation_id: 'canary-controlled',
  task_id: 'canary-task',
  decision: 'allow',
  decision_id: 'canary-decision',
  auth_token_id: 'canary-token',
  approval_request_id: 'canary-approval',
  authorization_expires_at: null,
  result_json: '{"canary":1}',
  dispatch_started_at: '2026-11-28T00:00:01.000Z',
  result_recorded_at: '2026-11-28T00:00:02.000Z',
  gongbu_request_hash: 'canary-hash',
  gongbu_request_json: '{"input":{"prompt":"canary-prompt"}}',
  gongbu_execution_id: null,
  gongbu_status: null,
  gongbu_outcome: 'canary-outcome',
  gongbu_create_started_at: null,
  gongbu_result_recorded_at: null,
  operation_state: null,
  operation_result_code: null,
  dispatch_attempts: 0,
  observation_failures: 0,
  reconciliation_attempts: 0,
  operation_deadline_at: null,
  next_operation_attempt_at: null,
  worker_lease_id: 'canary-lease',
  worker_lease_expires_at: null,
  operation_updated_at: null,
  created_at: '2026-11-28T00:00:00.000Z',
}

const show = (row: Partial<OperationRow>) => toOperationStatus({ ...full, ...row }, now)

const spends: [string, Decision | null, Partial<OperationRow>, string, string | null][] = [
  ['hubu_authorize_spend', 'allow', {}, 'authorized', null],
  ['hubu_authorize_spend', 'allow', { auth_token_id: null }, 'failed', 'authorization_continuation_unavailable'],
  ['hubu_authorize_spend', 'allow', { authorization_expires_at: '2026-11-29T00:00:00.001Z' }, 'authorized', null],
  [
    'hubu_authorize_spend',
    'allow',
    { authorization_expires_at: '2026-11-29T00:00:00Z' },
    'failed',
    'authorization_continuation_unavailable',
  ],
  [
    'hubu_authorize_spend',
    'allow',
    { authorization_expires_at: 'soon' },
    'failed',
    'authorization_continuation_unavailable',
  ],
  ['hubu_authorize_spend', 'deny', {}, 'failed', 'authorization_denied'],
  ['hubu_submit_spend', 'allow', {}, 'succeeded', 'spend_succeeded'],
  ['hubu_submit_spend', 'allow', { authorization_expires_at: 'soon' }, 'succeeded', 'spend_succeeded'],
  ['hubu_submit_spend', 'deny', {}, 'failed', 'spend_denied'],
  ['hubu_authorize_spend', 'needs_approval', {}, 'approval_required', 'human_approval_required'],
  ['hubu_submit_spend', 'needs_approval', {}, 'approval_required', 'human_approval_required'],
  ['hubu_authorize_spend', null, {}, 'awaiting_hubu_result', null],
  ['hubu_submit_spend', null, {}, 'awaiting_hubu_result', null],
]

test.each(spends)('%s with decision %s and %j is %s, code %s', (tool, decision, more, state, code) => {
  const status = show({ tool_name: tool, decision, ...more })
  expect(status).toMatchObject({ state, result: code === null ? null : { code } })
})

const adapterStates: AdapterState[] = ['accepted', 'queued', 'dispatching', 'reconciling', 'succeeded', 'failed']

test('only an authorization that lives may be replaced; only succeeded and failed are terminal', () => {
  for (const state of adapterStates)
    expect(show({ operation_state: state, operation_result_code: null })).toMatchObject({
      state,
      terminal: state === 'succeeded' || state === 'failed',
      replacement_safe: false,
    })
  for (const [tool, decision, more, state] of spends)
    expect(show({ tool_name: tool, decision, ...more }).replacement_safe).toBe(state === 'authorized')
})

test.each([
  [
    'execution_request_target_not_selectable',
    'target_not_selectable',
    ['workload_type', 'provider', 'adapter', 'model'],
  ],
  ['execution_request_pricing_selector_not_matched', 'pricing_selector_not_matched', ['input.image_size']],
])('the internal code %s shows as what it means', (code, reason_code, fields) => {
  const status = show({ operation_state: 'failed', operation_result_code: code })
  expect(status.result).toEqual({ code: 'execution_request_invalid', reason_code, fields })
  expect(JSON.stringify(status)).not.toContain(code)
})

test('guidance tells each class what to do and never invites a second purchase', () => {
  const guidance = (row: Partial<OperationRow>) => show(row).guidance
  expect(guidance({})).toMatch(/gongbu_create_execution/)
  const approve = guidance({ decision: 'needs_approval' })
  expect(approve).toMatch(/human.*redeliver.*[Dd]o not submit a replacement/)
  expect(approve).not.toContain('gongbu_create_execution')
  expect(guidance({ decision: null })).toMatch(
    /[Rr]edeliver the original call with the same harness identity.*[Dd]o not/,
  )
  for (const operation_state of ['accepted', 'queued', 'dispatching', 'reconciling'] as const)
    expect(guidance({ operation_state })).toMatch(/hubu_operation_status.*[Dd]o not submit a replacement/)
  for (const operation_state of ['succeeded', 'failed'] as const)
    expect(guidance({ operation_state })).toMatch(/finished.*[Dd]o not submit a replacement/)
  expect(guidance({ decision: 'deny' })).toBe(guidance({ operation_state: 'succeeded' }))
})

test('what a human approved is told with the authorization that goes on from it, because the answer to the call had none', () => {
  const approved = { approval_request_id: 'apr-1', auth_token_id: 'tok-7' }
  expect(show(approved).guidance).toContain('Pass auth_token_id tok-7 once to gongbu_create_execution')
  expect(show({ ...approved, approval_request_id: null }).guidance).not.toContain('tok-7')
})

test('a waiting purchase that completes by itself asks for no redelivery', () => {
  const row = { ...full, result_json: null, decision: 'needs_approval' as const, auth_token_id: null }
  expect(toOperationStatus(row, now, { completesItself: true }).guidance).toMatch(/completes by itself/)
  expect(toOperationStatus(row, now, { completesItself: true }).guidance).not.toMatch(/redeliver/i)
  const guarded = { ...row, platform: 'guarded' }
  expect(toOperationStatus(guarded, now).guidance).toMatch(/then make the call again with exactly the same arguments/)
})

test('the time is that of the last thing that a reader could have seen', () => {
  const at = (row: Partial<OperationRow>) => show(row).updated_at
  expect(at({ operation_updated_at: '2026-11-28T00:00:03.000Z' })).toBe('2026-11-28T00:00:03.000Z')
  expect(at({})).toBe('2026-11-28T00:00:02.000Z')
  expect(at({ result_recorded_at: null })).toBe('2026-11-28T00:00:01.000Z')
  expect(at({ result_recorded_at: null, dispatch_started_at: null })).toBe('2026-11-28T00:00:00.000Z')
})

test('no status of any state shows a key, an identity, a task or a prompt, a token only when a human approved it, and each keeps the contract', () => {
  const rows: Partial<OperationRow>[] = [
    ...spends.map(([tool_name, decision, more]) => ({ tool_name, decision, ...more })),
    ...adapterStates.map((operation_state) => ({ operation_state, gongbu_execution_id: 'exec-1' })),
  ]
  for (const row of rows) {
    const status = show(row)
    expect(JSON.stringify(status)).not.toMatch(/canary(?!-token)/)
    const isApproved = status.state === 'authorized' && row.approval_request_id !== null
    if (!isApproved) expect(JSON.stringify(status)).not.toMatch(/canary/)
    expect(isOperationStatus(status)).toBe(true)
    expect(Object.keys(status)).toHaveLength(9)
  }
})
