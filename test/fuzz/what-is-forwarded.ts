// A second reading of the published rules: which calls reach a backend, and as what. It shares no code with the router.
import type { ToolName } from '#generated/ownership.js'
import type { Facts } from './json-text.ts'

type Arguments = Record<string, unknown>

/** Whether a call with these arguments goes out. `fits`: an interpreted validator takes them. */
export function isForwardable(tool: ToolName, args: unknown, facts: Facts, fits: boolean): boolean {
  if (!fits || !facts.isExact || facts.hasDuplicate || facts.hasProto || !facts.isWellFormed) return false
  if (facts.depth > 100) return false
  const given = args as Arguments
  if (typeof given.policy_id === 'string' && typeof given.agent_id === 'string' && isSelector(tool)) return false
  if ([given.from_revision, given.to_revision].some((revision) => Number(revision) < 0)) return false
  if (tool !== 'gongbu_create_execution') return true
  return /^[\w-]{1,255}$/.test(String(given.spend_auth_token_id)) && !namesPlatformState(given.input)
}

/** The one request that goes out: of a read its route and decoded query, of a POST its content. */
export function expectedRequest(tool: ToolName, args: Arguments): object {
  const [method, path] = routes[tool] ?? []
  if (method === 'POST') return { method, path, content: withPlainZero(args) }
  return {
    method,
    path: path?.replace('{id}', String(args.execution_id ?? args.artifact_id)),
    content: queryOf(tool, args),
  }
}

function queryOf(tool: ToolName, args: Arguments): [string, string][] {
  const query: [string, string][] = []
  if (isSelector(tool)) {
    for (const name of ['policy_id', 'agent_id']) if (typeof args[name] === 'string') query.push([name, args[name]])
    for (const name of ['from_revision', 'to_revision'])
      if (args[name] !== undefined) query.push([name, BigInt(args[name] as number).toString()])
  }
  if (args.include_all === true) query.push(['all', 'true'])
  if (tool === 'hubu_get_executor_claim') query.push(['claim_id', String(args.claim_id)])
  return query
}

function isSelector(tool: ToolName): boolean {
  return ['hubu_show_policy', 'hubu_export_policy', 'hubu_policy_history', 'hubu_policy_diff'].includes(tool)
}

const routes: Partial<Record<ToolName, readonly ['GET' | 'POST', string]>> = {
  hubu_health: ['GET', '/health'],
  hubu_registration_guidance: ['GET', '/registration/guidance'],
  hubu_list_users: ['GET', '/users'],
  hubu_register_human: ['POST', '/init'],
  hubu_register_agent: ['POST', '/agents/register'],
  hubu_add_policy: ['POST', '/policies'],
  hubu_apply_policy: ['POST', '/policies'],
  hubu_show_policy: ['GET', '/policies/show'],
  hubu_export_policy: ['GET', '/policies/export'],
  hubu_policy_history: ['GET', '/policies/history'],
  hubu_policy_diff: ['GET', '/policies/diff'],
  hubu_create_budget: ['POST', '/budgets'],
  hubu_create_recurring_budget: ['POST', '/budgets/series'],
  hubu_revoke_budget: ['POST', '/budgets/revoke'],
  hubu_replace_budget: ['POST', '/budgets/replace'],
  hubu_set_spending_target: ['POST', '/user/spending-target'],
  hubu_revoke_spending_target: ['POST', '/user/spending-target/revoke'],
  hubu_show_spending_targets: ['GET', '/user/spending-target'],
  hubu_submit_spend: ['POST', '/spend'],
  hubu_authorize_spend: ['POST', '/spend/authorize'],
  hubu_list_agents: ['GET', '/agents'],
  hubu_list_budgets: ['GET', '/budgets'],
  hubu_list_ledger: ['GET', '/ledger'],
  hubu_get_executor_claim: ['GET', '/spend/executor/claim'],
  hubu_list_claims_requiring_reconciliation: ['GET', '/spend/executor/reconciliation'],
  hubu_reconcile_vendor_billed_claim: ['POST', '/spend/executor/settle'],
  hubu_reconcile_vendor_did_not_bill_claim: ['POST', '/spend/executor/release'],
  gongbu_create_execution: ['POST', '/v2/executions'],
  gongbu_get_execution: ['GET', '/v1/executions/{id}'],
  gongbu_list_artifacts: ['GET', '/v1/executions/{id}/artifacts'],
  gongbu_get_artifact: ['GET', '/v1/artifacts/{id}'],
}

/** The names of trusted members that a spend must not have, as far as the generator makes them. */
function namesPlatformState(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesPlatformState)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, member]) =>
      ['headers', 'api_key'].includes(name.toLowerCase().replace('-', '_')) || namesPlatformState(member),
  )
}

/** JSON has two zeros and they are the same number; the router may send either. */
function withPlainZero(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainZero)
  if (typeof value !== 'object' || value === null) return value === 0 ? 0 : value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withPlainZero(member)]))
}
