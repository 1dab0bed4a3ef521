import { expect, test } from 'vitest'
import { seedHubu } from '../../../src/sandbox/hubu/seed.ts'
import { testHubu } from './start.ts'

const stamp = { productVersion: '0.2.0', sourceCommit: 'abc123' }
const wanted = {
  username: 'sandbox-owner',
  agentName: 'first-agent',
  policyYaml: `id: sandbox
version: v1
default_effect: deny
rules:
  - {id: small, effect: allow, reason: small enough, when: {op: lte, field: amount, value: {money_cents: 500}}}
  - id: middle
    effect: needs_approval
    reason: ask a human
    when: {op: all, conditions: [{op: gt, field: amount, value: {money_cents: 500}}, {op: lte, field: amount, value: {money_cents: 5000}}]}
`,
  budgetCents: 10_000,
}

test('a seeded Hubu allows small, asks in the middle and denies above', async () => {
  await using hubu = await testHubu()
  const seeded = await seedHubu({ databasePath: hubu.databasePath, stamp }, wanted)
  const decisions = []
  for (const amount of [500, 5000, 5001]) {
    const body = { operation_key: `k:${amount}`, account_id: seeded.accountId, amount_cents: amount, reason: 'r' }
    decisions.push((await hubu.post('/spend/authorize', body)).body.decision)
  }
  expect(decisions).toEqual(['allow', 'needs_approval', 'deny'])
  expect((await hubu.get('/budgets')).body.budgets[0].budget_id).toBe(seeded.budgetId)
  expect((await hubu.get(`/policies/show?agent_id=${seeded.agentId}`)).body.policy_id).toBe(seeded.policyId)
})

test('seeding again is a no-op with the same ids, also under another current owner and after changes', async () => {
  await using hubu = await testHubu()
  const first = await seedHubu({ databasePath: hubu.databasePath, stamp }, wanted)
  await hubu.post('/budgets/replace', { budget_id: first.budgetId, amount_cents: 7 })
  const replaced = (await hubu.get('/budgets')).body.budgets[0].budget_id
  await hubu.post('/init', { username: 'somebody-else' })
  const again = await seedHubu({ databasePath: hubu.databasePath, stamp }, { ...wanted, budgetCents: 5 })
  expect(again).toEqual({ ...first, budgetId: replaced })
  expect((await hubu.get('/user')).body.username).toBe('somebody-else')
  expect((await hubu.get('/users')).body.users).toHaveLength(3)
})

test('what an interrupted setup left out is added, and an unusable policy changes nothing', async () => {
  await using hubu = await testHubu()
  const state = { databasePath: hubu.databasePath, stamp }
  await expect(seedHubu(state, { ...wanted, policyYaml: 'id: x' })).rejects.toThrow('failed to parse policy yaml')
  expect((await hubu.get('/users')).body.users).toHaveLength(1)
  const user = (await hubu.post('/init', { username: 'sandbox-owner' })).body
  const agent = (await hubu.post('/agents/register', { name: 'first-agent', version: 'v0' })).body
  expect(await seedHubu(state, wanted)).toMatchObject({ userId: user.user_id, agentId: agent.agent_id })
  expect((await hubu.get('/budgets')).body.budgets).toHaveLength(1)
})
