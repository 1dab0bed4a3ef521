import { expect, test } from 'vitest'
import { ownership, toolNames, type ToolName } from '#generated/ownership.js'
import { assertHubuRoute, toHubuRequest, type HubuAdditions } from '../../../src/backends/hubu/request.ts'
import { RouterError } from '../../../src/errors/router-error.ts'
import { Secret } from '../../../src/redaction/secret.ts'

type Args = Record<string, unknown>
const capability = { reconciliationCapability: new Secret('recon-canary') }
const spend = { account_id: 'account-1', amount_cents: 25, reason: 'test' }
const evidence = { claim_id: 'claim-1', provider_reference: 'ref-1', evidence: 'seen' }

const routes: [ToolName, Args, string][] = [
  ['hubu_health', {}, 'GET /health'],
  ['hubu_registration_guidance', {}, 'GET /registration/guidance'],
  ['hubu_list_users', {}, 'GET /users'],
  ['hubu_register_human', { username: 'ada' }, 'POST /init'],
  ['hubu_register_agent', { name: 'agent' }, 'POST /agents/register'],
  ['hubu_add_policy', { daily_limit_cents: 100 }, 'POST /policies'],
  ['hubu_apply_policy', { policy_yaml: 'v' }, 'POST /policies'],
  ['hubu_show_policy', { policy_id: 'p-1' }, 'GET /policies/show?policy_id=p-1'],
  ['hubu_export_policy', { agent_id: 'a-1' }, 'GET /policies/export?agent_id=a-1'],
  ['hubu_export_policy', {}, 'GET /policies/export'],
  ['hubu_policy_history', { agent_id: 'a-1' }, 'GET /policies/history?agent_id=a-1'],
  ['hubu_policy_diff', { from_revision: 3 }, 'GET /policies/diff?from_revision=3'],
  [
    'hubu_policy_diff',
    { to_revision: 4, from_revision: 2, agent_id: 'a-1' },
    'GET /policies/diff?agent_id=a-1&from_revision=2&to_revision=4',
  ],
  ['hubu_policy_diff', { from_revision: 0, to_revision: 4 }, 'GET /policies/diff?from_revision=0&to_revision=4'],
  ['hubu_create_budget', { amount_cents: 5 }, 'POST /budgets'],
  ['hubu_create_recurring_budget', { recurrence: 'daily' }, 'POST /budgets/series'],
  ['hubu_revoke_budget', { budget_id: 'b-1' }, 'POST /budgets/revoke'],
  ['hubu_replace_budget', { budget_id: 'b-1', amount_cents: 7 }, 'POST /budgets/replace'],
  ['hubu_set_spending_target', { amount_cents: 9 }, 'POST /user/spending-target'],
  ['hubu_revoke_spending_target', { target_id: 't-1' }, 'POST /user/spending-target/revoke'],
  ['hubu_show_spending_targets', {}, 'GET /user/spending-target'],
  ['hubu_show_spending_targets', { include_all: true }, 'GET /user/spending-target?all=true'],
  ['hubu_submit_spend', spend, 'POST /spend'],
  ['hubu_authorize_spend', spend, 'POST /spend/authorize'],
  ['hubu_list_agents', {}, 'GET /agents'],
  ['hubu_list_budgets', {}, 'GET /budgets'],
  ['hubu_list_budgets', { include_all: true }, 'GET /budgets?all=true'],
  ['hubu_list_budgets', { include_all: false }, 'GET /budgets'],
  ['hubu_list_ledger', {}, 'GET /ledger'],
  ['hubu_get_executor_claim', { claim_id: 'claim-1' }, 'GET /spend/executor/claim?claim_id=claim-1'],
  ['hubu_list_claims_requiring_reconciliation', {}, 'GET /spend/executor/reconciliation'],
  ['hubu_reconcile_vendor_billed_claim', { ...evidence, receipt: {} }, 'POST /spend/executor/settle'],
  ['hubu_reconcile_vendor_did_not_bill_claim', evidence, 'POST /spend/executor/release'],
]

test('every Hubu tool that has a route is in the table below', () => {
  const routed = toolNames.filter((tool) => ownership[tool].owner === 'hubu' && tool !== 'hubu_client_approval_profile')
  expect(new Set(routes.map(([tool]) => tool))).toEqual(new Set(routed))
})

test.each(routes)('%s %j is %s', (tool, args, route) => {
  const request = toHubuRequest(tool, args, tool.includes('reconcile_') ? capability : {})
  expect(`${request.method} ${request.path}`).toBe(route)
  expect(() => assertHubuRoute(request)).not.toThrow()
  if (request.method === 'GET') expect(request.body).toBe(undefined)
  else {
    expect(JSON.parse(request.body ?? '')).toEqual({ ...args, ...(tool === 'hubu_apply_policy' && { source: 'mcp' }) })
    expect(request.headers).toMatchObject({ 'content-type': 'application/json' })
  }
})

test('a spend body is the arguments and what the router adds, which wins', () => {
  const members = { operation_key: 'hubu:operation:v1:codex:1', task_id: 'task-1' }
  const { body } = toHubuRequest('hubu_authorize_spend', { ...spend, task_id: 'model' }, { members })
  expect(JSON.parse(body ?? '')).toEqual({ ...spend, ...members })
})

test('interpolated values are one query value each, whatever they hold', () => {
  for (const value of ['a&b=c', 'a b', '#?/%25+', 'ü', '../x', '']) {
    const { path } = toHubuRequest('hubu_show_policy', { policy_id: value })
    const query = new URL(path, 'http://h').searchParams
    expect([...query]).toEqual([['policy_id', value]])
  }
})

function refusal(tool: ToolName, args: Args, added: HubuAdditions = {}): string {
  try {
    toHubuRequest(tool, args, added)
  } catch (error) {
    if (error instanceof RouterError) return error.code
    throw error
  }
  return 'no refusal'
}

test('both selectors, a negative revision and half a surrogate pair are refused', () => {
  const both = { policy_id: 'p-1', agent_id: 'a-1' }
  for (const tool of ['hubu_show_policy', 'hubu_export_policy', 'hubu_policy_history'] as const) {
    expect(refusal(tool, both)).toBe('arguments_invalid')
  }
  expect(refusal('hubu_policy_diff', { ...both, from_revision: 1 })).toBe('arguments_invalid')
  expect(refusal('hubu_policy_diff', { from_revision: -1 })).toBe('arguments_invalid')
  expect(refusal('hubu_policy_diff', { from_revision: 1, to_revision: -2 })).toBe('arguments_invalid')
  expect(refusal('hubu_show_policy', { policy_id: '\ud800' })).toBe('arguments_invalid')
})

test('the reconciliation capability goes into its header on the two tools, and nowhere else', () => {
  const { headers, body } = toHubuRequest('hubu_reconcile_vendor_did_not_bill_claim', evidence, capability)
  expect(headers).toMatchObject({ 'x-hubu-reconciliation-capability': 'recon-canary' })
  expect(body).not.toContain('canary')
  expect(JSON.stringify(toHubuRequest('hubu_list_budgets', {}, capability))).not.toContain('canary')
  expect(refusal('hubu_reconcile_vendor_billed_claim', evidence)).toBe('reconciliation_capability_missing')
  for (const value of [' ', 'a\nb', 'a\u0100']) {
    const added = { reconciliationCapability: new Secret(value) }
    expect(refusal('hubu_reconcile_vendor_billed_claim', evidence, added)).toBe('reconciliation_capability_invalid')
  }
})

test('a tool without a Hubu route, and a request outside the table, are route violations', () => {
  for (const tool of ['hubu_client_approval_profile', 'hubu_unified_capabilities', 'gongbu_get_execution'] as const) {
    expect(refusal(tool, {})).toBe('hubu_route_invalid')
  }
  const outside = [
    { method: 'POST', path: '/health' },
    { method: 'GET', path: '/spend' },
    { method: 'GET', path: '/health/../users' },
    { method: 'GET', path: '/healthz' },
    { method: 'GET', path: 'health' },
  ] as const
  for (const request of outside) expect(() => assertHubuRoute(request)).toThrow(RouterError)
})
