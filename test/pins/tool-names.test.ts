// Literals on purpose: a change here is a change of the promise, and wants a new contract version.
import { expect, test } from 'vitest'
import { contractVersion, ownership, routingRevision, toolNames } from '#generated/ownership.js'

const promised = [
  'hubu_unified_capabilities router local',
  'hubu_operation_status router local',
  'hubu_health hubu read',
  'hubu_registration_guidance hubu read',
  'hubu_client_approval_profile hubu read',
  'hubu_list_users hubu read',
  'hubu_register_human hubu protected',
  'hubu_register_agent hubu protected',
  'hubu_add_policy hubu protected',
  'hubu_apply_policy hubu protected',
  'hubu_show_policy hubu read',
  'hubu_export_policy hubu read',
  'hubu_policy_history hubu read',
  'hubu_policy_diff hubu read',
  'hubu_create_budget hubu protected',
  'hubu_create_recurring_budget hubu protected',
  'hubu_revoke_budget hubu protected',
  'hubu_replace_budget hubu protected',
  'hubu_set_spending_target hubu protected',
  'hubu_revoke_spending_target hubu protected',
  'hubu_show_spending_targets hubu read',
  'hubu_submit_spend hubu spend',
  'hubu_authorize_spend hubu spend',
  'hubu_list_agents hubu read',
  'hubu_list_budgets hubu read',
  'hubu_list_ledger hubu read',
  'hubu_get_executor_claim hubu read',
  'hubu_list_claims_requiring_reconciliation hubu read',
  'hubu_reconcile_vendor_billed_claim hubu protected',
  'hubu_reconcile_vendor_did_not_bill_claim hubu protected',
  'gongbu_create_execution gongbu execution',
  'gongbu_get_execution gongbu execution-read',
  'gongbu_list_artifacts gongbu execution-read',
  'gongbu_get_artifact gongbu execution-read',
]

test('the 34 tools keep their names, owners, approval classes and order', () => {
  const present = toolNames.map((name) => `${name} ${ownership[name].owner} ${ownership[name].approval_class}`)
  expect(present).toEqual(promised)
  expect(present).toHaveLength(34)
})

test('the contract is hubu-gongbu-mcp-v1, revision 1', () => {
  expect([contractVersion, routingRevision]).toEqual(['hubu-gongbu-mcp-v1', 1])
})
