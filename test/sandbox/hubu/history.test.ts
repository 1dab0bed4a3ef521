import { expect, test } from 'vitest'
import { setup } from './setup.ts'
import { testHubu } from './start.ts'

interface Row {
  id: string
  created_at: string
}

test('pages come newest first and do not shift when newer rows appear', async () => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { agent } = await ready(500, 5000)
  const ask = async (key: string) => {
    hubu.clock.advance(1)
    return (await authorize(agent, { key, amount: 10 })).body.decision_id as string
  }
  const ids = [await ask('1'), await ask('2'), await ask('3')]
  const first = (await hubu.get('/spend/workflows?limit=2')).body
  expect(first.workflows.map((row: Row) => row.id)).toEqual([ids[2], ids[1]])
  await ask('4')
  const rest = (await hubu.get(`/spend/workflows?limit=2&cursor=${first.next_cursor}`)).body
  expect(rest.workflows.map((row: Row) => row.id)).toEqual([ids[0]])
  expect(rest.next_cursor).toBeNull()
})

test('a cursor belongs to one owner and its filters', async () => {
  await using hubu = await testHubu()
  const { ready, pay, user } = setup(hubu)
  const { agent } = await ready(500, 5000)
  for (const key of ['1', '2']) await pay(agent, { key, amount: 10 })
  const page = (await hubu.get('/ledger/transactions?limit=1')).body
  const cursor = encodeURIComponent(page.next_cursor as string)
  expect((await hubu.get(`/ledger/transactions?limit=50&cursor=${cursor}`)).body.transactions).toHaveLength(1)
  for (const path of [
    `/ledger/transactions?agent_id=${agent.agent_id}&cursor=${cursor}`,
    `/spend/workflows?cursor=${cursor}`,
    '/ledger/transactions?cursor=nonsense',
  ])
    expect((await hubu.get(path)).status).toBe(400)
  await user('other')
  expect((await hubu.get(`/ledger/transactions?cursor=${cursor}`)).status).toBe(400)
})

test.each([
  'limit=0',
  'limit=101',
  'limit=x',
  'limit=',
  'unknown=1',
  'limit=1&limit=1',
  'agent_id=agt_000000000000',
  'account_id=aga_000000000000',
  'agent_id=%zz',
  'cursor',
])('the query %s is refused', async (query) => {
  await using hubu = await testHubu()
  for (const path of ['/ledger/transactions', '/spend/workflows'])
    expect((await hubu.get(`${path}?${query}`)).status).toBe(400)
})

test('queries are decoded, and a budget needs its agent', async () => {
  await using hubu = await testHubu()
  const { ready, agent: register } = setup(hubu)
  const { agent, budget } = await ready(500, 500)
  const other = await register('other')
  const ask = async (query: string) => (await hubu.get(`/ledger/transactions?${query}`)).status
  expect(await ask(`agent_id=${agent.agent_id.replace('_', '%5F')}&budget_id=${budget.budget_id}`)).toBe(200)
  expect(await ask(`budget_id=${budget.budget_id}`)).toBe(400)
  expect(await ask(`agent_id=${other.agent_id}&budget_id=${budget.budget_id}`)).toBe(400)
  expect(await ask(`agent_id=${agent.agent_id}&account_id=${other.account_id}`)).toBe(400)
})

test('workflows show every state but denied ones, and no free text', async () => {
  await using hubu = await testHubu()
  const { ready, authorize, pay, claim } = setup(hubu)
  const { agent } = await ready(500, 1000)
  const spend = { amount: 100, merchant: 'secret-merchant', reason: 'secret-reason', task_id: 'secret-task' }
  await authorize(agent, { key: 'expires', ...spend })
  hubu.clock.advance(300)
  await hubu.get('/budgets')
  await authorize(agent, { key: 'open', ...spend })
  await authorize(agent, { key: 'asks', ...spend, amount: 501 })
  await pay(agent, { key: 'paid', ...spend })
  await claim(agent, await authorize(agent, { key: 'taken', ...spend }))
  await authorize(agent, { key: 'denied', ...spend, amount: 500, merchant: 'blocked-merchant' })
  const answer = await hubu.get('/spend/workflows')
  const statuses = (answer.body.workflows as { status: string }[]).map((row) => row.status)
  expect(statuses.sort()).toEqual(['authorized', 'claimed', 'expired', 'needs_approval', 'settled'])
  expect(answer.text + (await hubu.get('/ledger/transactions')).text).not.toContain('secret')
  const settled = (await hubu.get('/spend/workflows?status=settled')).body.workflows
  const posted = (await hubu.get('/ledger/transactions')).body.transactions
  expect(settled[0].ledger_transaction_ids).toEqual(posted.map((row: Row) => row.id))
  expect(posted).toMatchObject([{ kind: 'wallet_payment', effective_cost: { amount: '100', scale: 2 } }])
  const shown = await hubu.get(`/spend/workflows/show?agent_id=${agent.agent_id}&operation_key=paid`)
  expect(shown.body.workflow).toEqual(settled[0])
  expect((await hubu.get(`/spend/workflows/show?workflow_id=${settled[0].id}`)).text).toBe(shown.text)
  expect((await hubu.get('/spend/workflows?status=denied')).status).toBe(400)
})
