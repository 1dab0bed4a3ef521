// The setup of the v4.3 corpus.
import { localSelector, setup } from './setup.ts'
import type { TestHubu } from './start.ts'

/** Default deny, allow the local fixture provider, budget 1000. */
export async function corpus(hubu: TestHubu) {
  const shorthand = setup(hubu)
  const owner = await shorthand.user()
  const agent = await shorthand.agent()
  const when = { op: 'eq', field: 'provider', value: { string: 'provider:local:fixture' } }
  const policy = { id: 'local-only', version: 'v1', default_effect: 'deny' }
  const rules = [{ id: 'local', effect: 'allow', reason: 'the local provider', when }]
  await hubu.post('/policies', { policy_yaml: JSON.stringify({ ...policy, rules }) })
  const budget = await shorthand.budget(agent, 1000)
  const ask = (key: string, amount: number, more: Record<string, unknown> = {}) =>
    shorthand.authorize(agent, { key, amount, execution_scope: localSelector, task_id: 'one task', ...more })
  const page = (path: string) => hubu.get(`${path}?agent_id=${agent.agent_id}`)
  return {
    ...shorthand,
    owner,
    agent,
    budgetId: budget.budget_id,
    ask,
    workflows: async () => (await page('/spend/workflows')).body.workflows as Record<string, unknown>[],
    postings: async () =>
      (await hubu.get(`/ledger/transactions?agent_id=${agent.agent_id}&budget_id=${budget.budget_id}`)).body,
  }
}
