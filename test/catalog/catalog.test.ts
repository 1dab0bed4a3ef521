import { expect, test } from 'vitest'
import { findTool, toolEntries, toolsOfClass } from '../../src/catalog/catalog.ts'

test('a tool is found by its exact name, with its owner and its definition', () => {
  const entry = findTool('gongbu_create_execution')
  expect(entry?.row).toEqual({ owner: 'gongbu', approval_class: 'execution', method: 'POST', path: '/v2/executions' })
  expect(entry?.definition.name).toBe('gongbu_create_execution')
})

test.each([
  'hubu_get_spend_approval',
  'hubu_resolve_spend_approval',
  'HUBU_HEALTH',
  'hubu_health ',
  'hubu__health',
  'toString',
  '__proto__',
  '',
])('%j has no owner, whatever it begins with', (name) => {
  expect(findTool(name)).toBeUndefined()
})

test('all 34 tools are there once, each the same under its name', () => {
  expect(toolEntries).toHaveLength(34)
  for (const entry of toolEntries) expect(findTool(entry.name)).toBe(entry)
})

test('the classes hold 14 reads, 2 spends and 12 protected tools, in catalog order', () => {
  expect(toolsOfClass('spend')).toEqual(['hubu_submit_spend', 'hubu_authorize_spend'])
  expect(toolsOfClass('protected')).toEqual([
    ...['hubu_register_human', 'hubu_register_agent', 'hubu_add_policy', 'hubu_apply_policy', 'hubu_create_budget'],
    ...['hubu_create_recurring_budget', 'hubu_revoke_budget', 'hubu_replace_budget', 'hubu_set_spending_target'],
    ...['hubu_revoke_spending_target', 'hubu_reconcile_vendor_billed_claim'],
    'hubu_reconcile_vendor_did_not_bill_claim',
  ])
  expect(toolsOfClass('read')).toEqual([
    ...['hubu_health', 'hubu_registration_guidance', 'hubu_client_approval_profile', 'hubu_list_users'],
    ...['hubu_show_policy', 'hubu_export_policy', 'hubu_policy_history', 'hubu_policy_diff'],
    ...['hubu_show_spending_targets', 'hubu_list_agents', 'hubu_list_budgets', 'hubu_list_ledger'],
    ...['hubu_get_executor_claim', 'hubu_list_claims_requiring_reconciliation'],
  ])
  expect(toolsOfClass('read', 'spend')).toHaveLength(16)
})
