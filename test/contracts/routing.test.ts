import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { toolDefinitions } from '#generated/catalog.js'
import { ownership, toolNames } from '#generated/ownership.js'
import { root } from './root.ts'

test('each tool file has a row and each row a tool file, 34 of each, none twice', () => {
  const files = readdirSync(path.join(root, 'contracts/tools/v1')).map((file) => path.basename(file, '.json'))
  expect(files.sort()).toEqual([...toolNames].sort())
  expect(new Set(toolNames).size).toBe(34)
  expect(Object.keys(ownership)).toEqual([...toolNames])
  expect(toolDefinitions.map(({ name }) => name)).toEqual([...toolNames])
})

test('router tools come first, then Hubu, then Gongbu', () => {
  const owners = toolNames.map((name) => ownership[name].owner)
  expect(owners).toEqual([...Array(2).fill('router'), ...Array(28).fill('hubu'), ...Array(4).fill('gongbu')])
})

/** The routes of the contract, written down once more. */
const routes = `
hubu_health GET /health
hubu_registration_guidance GET /registration/guidance
hubu_list_users GET /users
hubu_register_human POST /init
hubu_register_agent POST /agents/register
hubu_add_policy POST /policies
hubu_apply_policy POST /policies
hubu_show_policy GET /policies/show
hubu_export_policy GET /policies/export
hubu_policy_history GET /policies/history
hubu_policy_diff GET /policies/diff
hubu_create_budget POST /budgets
hubu_create_recurring_budget POST /budgets/series
hubu_revoke_budget POST /budgets/revoke
hubu_replace_budget POST /budgets/replace
hubu_set_spending_target POST /user/spending-target
hubu_revoke_spending_target POST /user/spending-target/revoke
hubu_show_spending_targets GET /user/spending-target
hubu_submit_spend POST /spend
hubu_authorize_spend POST /spend/authorize
hubu_list_agents GET /agents
hubu_list_budgets GET /budgets
hubu_list_ledger GET /ledger
hubu_get_executor_claim GET /spend/executor/claim
hubu_list_claims_requiring_reconciliation GET /spend/executor/reconciliation
hubu_reconcile_vendor_billed_claim POST /spend/executor/settle
hubu_reconcile_vendor_did_not_bill_claim POST /spend/executor/release
gongbu_create_execution POST /v2/executions
gongbu_get_execution GET /v1/executions/{execution_id}
gongbu_list_artifacts GET /v1/executions/{execution_id}/artifacts
gongbu_get_artifact GET /v1/artifacts/{artifact_id}
`

test('every tool has the route of the contract, and three are answered without one', () => {
  const routed = toolNames.filter((name) => ownership[name].method !== null)
  const present = routed.map((name) => `${name} ${ownership[name].method} ${ownership[name].path}`)
  expect(present).toEqual(routes.trim().split('\n'))
  const local = toolNames.filter((name) => ownership[name].method === null)
  expect(local).toEqual(['hubu_unified_capabilities', 'hubu_operation_status', 'hubu_client_approval_profile'])
  expect(local.map((name) => ownership[name].path)).toEqual([null, null, null])
})
