// The Hubu tools that are no spends: arguments, Hubu's answer, Hubu's refusal, and arguments that go no further.
import type { ToolName } from '../../../generated/ownership.js'
import { call, json, type CallCase } from './case.ts'
import * as bodies from './hubu-bodies.ts'

interface HubuRow {
  tool: ToolName
  args?: object
  /** What Hubu answers to it. */
  body: unknown
  /** Hubu's refusal, as its `error` says it. */
  refusal: { args?: object; status?: number; error: string }
  /** Arguments that the schema refuses. */
  bad: object
  isProtected?: true
}

const { budget, claim, ids, policy, policyText, receipt, target } = bodies
const settle = {
  claim_id: ids.claim,
  provider_reference: 'INV-2026-1187',
  evidence: 'Invoice INV-2026-1187 lists request req-42.',
}

const rows: HubuRow[] = [
  {
    tool: 'hubu_health',
    body: { status: 'ok' },
    refusal: { status: 503, error: 'the database is locked' },
    bad: { verbose: true },
  },
  {
    tool: 'hubu_registration_guidance',
    body: bodies.guidance,
    refusal: { status: 401, error: 'missing or invalid bearer token' },
    bad: { agent: 'codex' },
  },
  {
    tool: 'hubu_list_users',
    body: { users: [bodies.user] },
    refusal: { status: 401, error: 'missing or invalid bearer token' },
    bad: { all: true },
  },
  {
    tool: 'hubu_register_human',
    args: { username: 'ana-lopez', display_name: 'Ana Lopez', email: 'ana@example.com' },
    body: { user_id: ids.user, username: 'ana-lopez', display_name: 'Ana Lopez' },
    refusal: { args: { username: 'hubu-user' }, error: 'username is already taken' },
    bad: { username: 7 },
    isProtected: true,
  },
  {
    tool: 'hubu_register_agent',
    args: { name: 'codex-website', version: 'dev' },
    body: bodies.registration,
    refusal: { error: 'agent is already registered for this owner' },
    bad: { name: ['codex-website'] },
    isProtected: true,
  },
  {
    tool: 'hubu_add_policy',
    args: { daily_limit_cents: 500 },
    body: bodies.applied,
    refusal: { args: { daily_limit_cents: 0 }, error: 'daily_limit_cents must be greater than zero' },
    bad: { daily_limit_cents: 5.5 },
    isProtected: true,
  },
  {
    tool: 'hubu_apply_policy',
    args: { policy_yaml: policyText, agent_id: ids.agent, expected_revision: 1 },
    body: { ...bodies.applied, scope: 'agent_override', agent_id: ids.agent, revision: 2 },
    refusal: {
      args: { policy_yaml: 'rules: []' },
      error: 'failed to parse policy yaml: missing field `id`',
    },
    bad: { policy: policyText },
    isProtected: true,
  },
  {
    tool: 'hubu_show_policy',
    args: { agent_id: ids.agent },
    body: policy,
    refusal: { args: { policy_id: 'no such policy & more=1' }, error: 'policy not found' },
    bad: { policy_id: 1 },
  },
  {
    tool: 'hubu_export_policy',
    args: { policy_id: 'images' },
    body: { ...policy, policy_yaml: policyText },
    refusal: { args: {}, error: 'no default policy is assigned' },
    bad: { format: 'yaml' },
  },
  {
    tool: 'hubu_policy_history',
    args: {},
    body: bodies.history,
    refusal: { args: { policy_id: 'images' }, error: 'policy not found' },
    bad: { agent_id: null },
  },
  {
    tool: 'hubu_policy_diff',
    args: { policy_id: 'images', from_revision: 1, to_revision: 2 },
    body: bodies.difference,
    refusal: { args: { from_revision: 9 }, error: 'policy revision not found' },
    bad: { policy_id: 'images' },
  },
  {
    tool: 'hubu_create_budget',
    args: { agent_id: ids.agent, amount_cents: 5000, ending_before: '2027-01-01T00:00:00Z' },
    body: { budget, spending_target_warnings: [] },
    refusal: { error: 'budget period overlaps another active budget' },
    bad: { amount_cents: '5000' },
    isProtected: true,
  },
  {
    tool: 'hubu_create_recurring_budget',
    args: { agent_id: ids.agent, amount_cents: 1000, recurrence: 'monthly', period_count: 2 },
    body: { budgets: bodies.series, spending_target_warnings: [bodies.warning] },
    refusal: { args: { amount_cents: 1000 }, error: 'recurrence is required' },
    bad: { recurrence: 'weekly' },
    isProtected: true,
  },
  {
    tool: 'hubu_revoke_budget',
    args: { budget_id: ids.budget },
    body: { budget: { ...budget, status: 'revoked' } },
    refusal: { error: 'budget has frozen funds' },
    bad: { budget: ids.budget },
    isProtected: true,
  },
  {
    tool: 'hubu_replace_budget',
    args: { budget_id: ids.budget, amount_cents: 4000 },
    body: bodies.replaced,
    refusal: { args: { amount_cents: 4000 }, error: 'budget_id is required' },
    bad: { budget_id: ids.budget, amount_cents: true },
    isProtected: true,
  },
  {
    tool: 'hubu_set_spending_target',
    args: { amount_cents: 10_000, starting_at: '2026-12-01T00:00:00Z' },
    body: { target },
    refusal: { error: 'spending target overlaps another target' },
    bad: { amount_cents: null },
    isProtected: true,
  },
  {
    tool: 'hubu_revoke_spending_target',
    args: { target_id: ids.target },
    body: { target: { ...target, status: 'revoked' } },
    refusal: { error: 'spending target not found' },
    bad: { target_id: 12 },
    isProtected: true,
  },
  {
    tool: 'hubu_show_spending_targets',
    args: { include_all: true },
    body: { targets: [target] },
    refusal: { status: 500, error: 'internal error' },
    bad: { include_all: 'true' },
  },
  {
    tool: 'hubu_list_agents',
    body: { agents: [bodies.agent] },
    refusal: { status: 500, error: 'internal error' },
    bad: { owner: ids.user },
  },
  {
    tool: 'hubu_list_budgets',
    args: { include_all: false },
    body: { budgets: [budget] },
    refusal: { status: 500, error: 'internal error' },
    bad: { include_all: 1 },
  },
  {
    tool: 'hubu_list_ledger',
    body: { transactions: [bodies.transaction] },
    refusal: { status: 500, error: 'internal error' },
    bad: { limit: 10 },
  },
  {
    tool: 'hubu_get_executor_claim',
    args: { claim_id: ids.claim },
    body: claim,
    refusal: { args: { claim_id: 'not a claim?' }, error: 'claim_id must be a UUID' },
    bad: {},
  },
  {
    tool: 'hubu_list_claims_requiring_reconciliation',
    body: { claims: [claim] },
    refusal: { status: 500, error: 'internal error' },
    bad: { status: 'claimed' },
  },
  {
    tool: 'hubu_reconcile_vendor_billed_claim',
    args: { ...settle, receipt },
    body: bodies.reconciled('settled', 'vendor_billed'),
    refusal: { error: 'claim is still active' },
    bad: { ...settle, receipt: { ...receipt, price_model_snapshot: { provider: 'ideogram' } } },
    isProtected: true,
  },
  {
    tool: 'hubu_reconcile_vendor_did_not_bill_claim',
    args: settle,
    body: bodies.reconciled('released', 'vendor_did_not_bill'),
    refusal: { status: 403, error: 'invalid reconciliation capability' },
    bad: { claim_id: ids.claim, evidence: 'looked' },
    isProtected: true,
  },
]

/** Success, Hubu's refusal, the schema's refusal, and for protected tools the closed approval gate. */
export const hubuToolCases: CallCase[] = rows.flatMap((row): CallCase[] => {
  const { tool, args, body, refusal, bad } = row
  const { status = 400, error } = refusal
  const gate: CallCase = {
    tool,
    kind: 'rejection',
    variant: 'approval-gate',
    says: 'without trusted client approval a protected tool sends nothing',
    given: { clientApproval: 'not trusted' },
    steps: [call(tool, args)],
  }
  return [
    {
      tool,
      kind: 'success',
      says: 'one request to Hubu, and its answer as Hubu said it',
      steps: [call(tool, args, { hubu: [json(body)] })],
    },
    {
      tool,
      kind: 'backend-error',
      says: 'a refusal of Hubu with its status and its text',
      steps: [call(tool, refusal.args ?? args, { hubu: [json({ error }, status)] })],
    },
    {
      tool,
      kind: 'rejection',
      says: 'arguments outside the schema send nothing',
      steps: [call(tool, bad)],
    },
    ...(row.isProtected ? [gate] : []),
  ]
})
