import { expect, test } from 'vitest'
import { receipt, refusal, setup } from './setup.ts'
import { testHubu } from './start.ts'

const far = '2099-01-01T00:00:00Z'

test('a budget is revoked by its id, and listed only with all afterwards', async () => {
  await using hubu = await testHubu()
  const { ready } = setup(hubu)
  const { budget } = await ready(500, 10_000)
  expect((await hubu.post('/budgets/revoke', budget)).body.budget.status).toBe('revoked')
  expect((await hubu.get('/budgets')).body.budgets).toEqual([])
  const all = (await hubu.get('/budgets?all=true')).body.budgets
  expect(all.map((row: { status: string }) => row.status)).toEqual(['revoked'])
  expect(refusal(await hubu.post('/budgets/revoke', budget))[0]).toBe(400)
})

test('a replaced budget gives way to a new one with the whole new amount', async () => {
  await using hubu = await testHubu()
  const { ready } = setup(hubu)
  const { budget } = await ready(500, 10_000)
  const { body } = await hubu.post('/budgets/replace', { ...budget, amount_cents: 20_000 })
  expect(body.revoked_budget).toMatchObject({ budget_id: budget.budget_id, status: 'revoked' })
  expect(body.budget).toMatchObject({
    status: 'active',
    amount_limit_cents: 20_000,
    remaining_amount_cents: 20_000,
    starting_at: '2030-01-02T03:04:05+00:00',
    ending_before: null,
  })
  expect(body.budget.budget_id).not.toBe(budget.budget_id)
})

test('a budget with frozen amounts is neither revoked nor replaced, and neither route expires holds', async () => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { agent, budget } = await ready(500, 500)
  await authorize(agent, { key: 'k', amount: 100 })
  hubu.clock.advance(301)
  expect((await hubu.post('/budgets/revoke', budget)).status).toBe(400)
  expect((await hubu.post('/budgets/replace', { ...budget, amount_cents: 5 })).status).toBe(400)
  await hubu.get('/budgets')
  expect((await hubu.post('/budgets/revoke', budget)).status).toBe(200)
})

test('a start expires overdue holds', async () => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { agent, budget } = await ready(500, 500)
  await authorize(agent, { key: 'k', amount: 100 })
  hubu.clock.advance(301)
  await hubu.restart()
  expect((await hubu.post('/budgets/revoke', budget)).status).toBe(200)
})

test('a budget whose period is over cannot be replaced, and a refused replacement revokes nothing', async () => {
  await using hubu = await testHubu()
  const { agent, budget } = setup(hubu)
  const made = await budget(await agent(), 500, { ending_before: '2030-01-03T00:00:00Z' })
  hubu.clock.advance(86_400)
  expect(refusal(await hubu.post('/budgets/replace', { ...made, amount_cents: 5 }))[1]).toContain('over')
  expect((await hubu.get('/budgets')).body.budgets).toMatchObject([{ ...made, status: 'active' }])
})

test('a budget above the target warns', async () => {
  await using hubu = await testHubu()
  const { agent: register } = setup(hubu)
  const agent = await register()
  await hubu.post('/user/spending-target', { amount_cents: 1000 })
  const made = await hubu.post('/budgets', { agent_id: agent.agent_id, amount_cents: 2000 })
  expect(made.body.spending_target_warnings).toMatchObject([
    { target_amount_cents: 1000, allocated_amount_cents: 2000, exceeded_by_cents: 1000 },
  ])
})

test('a target below what is allocated is exceeded at once', async () => {
  await using hubu = await testHubu()
  const { agent, budget } = setup(hubu)
  await budget(await agent(), 2000)
  expect((await hubu.post('/user/spending-target', { amount_cents: 1000 })).body.target).toMatchObject({
    allocated_amount_cents: 2000,
    exceeded_by_cents: 1000,
    is_exceeded: true,
    status: 'active',
  })
})

test('budgets in adjacent periods do not add up', async () => {
  await using hubu = await testHubu()
  const { agent, budget } = setup(hubu)
  await budget(await agent('a'), 2000, { starting_at: '2031-01-01T00:00:00Z', ending_before: '2031-02-01T00:00:00Z' })
  await budget(await agent('b'), 2000, { starting_at: '2031-02-01T00:00:00Z', ending_before: '2031-03-01T00:00:00Z' })
  const body = { amount_cents: 2500, starting_at: '2031-01-01T00:00:00Z', ending_before: '2031-03-01T00:00:00Z' }
  expect((await hubu.post('/user/spending-target', body)).body.target).toMatchObject({
    allocated_amount_cents: 2000,
    exceeded_by_cents: 0,
    is_exceeded: false,
    status: 'scheduled',
  })
})

test('a target never blocks a spend and survives a restart', async () => {
  await using hubu = await testHubu()
  const { agent: register, limit, budget, pay } = setup(hubu)
  const agent = await register()
  await hubu.post('/user/spending-target', { amount_cents: 1000 })
  await limit(agent, 2000)
  await budget(agent, 2000)
  const paid = await pay(agent, { key: 'k', amount: 1500 })
  expect(paid.body).toMatchObject({ decision: 'allow', budget_hold: { consumed_amount_cents: 1500 } })
  await hubu.restart()
  expect((await hubu.get('/user/spending-target')).body.targets).toMatchObject([
    { status: 'active', allocated_amount_cents: 2000, exceeded_by_cents: 1000 },
  ])
})

test('active budgets of one agent may touch and not overlap', async () => {
  await using hubu = await testHubu()
  const { agent: register } = setup(hubu)
  const agent = await register()
  const create = (starting_at: string, ending_before: string | null) =>
    hubu.post('/budgets', { agent_id: agent.agent_id, amount_cents: 5, starting_at, ending_before })
  expect((await create('2031-01-01T00:00:00Z', '2031-02-01T00:00:00Z')).status).toBe(200)
  expect((await create('2031-02-01T01:00:00+01:00', '2031-03-01T00:00:00Z')).status).toBe(200)
  expect((await create('2031-02-28T23:59:59.999999999Z', null)).status).toBe(400)
  expect((await create('2031-05-01T00:00:00Z', '2031-05-01T00:00:00Z')).status).toBe(400)
  const kept = await create('2031-06-01t00:00:00.1234567891-02:30', far)
  expect(kept.body.budget.starting_at).toBe('2031-06-01T02:30:00.123456789+00:00')
})

test('a spend uses the oldest active budget whose period contains now; an exhausted one is none', async () => {
  await using hubu = await testHubu()
  const { agent: register, limit, budget, authorize, pay } = setup(hubu)
  const agent = await register()
  await limit(agent, 500)
  await budget(agent, 900, { starting_at: '2040-01-01T00:00:00Z' })
  expect((await authorize(agent, { key: 'early', amount: 1 })).body.reasons).toEqual([
    'no active USD budget found for agent',
  ])
  await budget(agent, 100, { ending_before: '2035-01-01T00:00:00Z' })
  expect((await pay(agent, { key: 'all', amount: 100 })).body.budget_hold.remaining_amount_cents).toBe(0)
  expect((await authorize(agent, { key: 'more', amount: 1 })).body.reasons).toEqual([
    'no active USD budget found for agent',
  ])
  expect((await hubu.get('/budgets?all=1')).body.budgets.map((row: { status: string }) => row.status)).toEqual([
    'active',
    'exhausted',
  ])
})

test('a budget is exhausted when all is consumed and nothing is frozen any more', async () => {
  await using hubu = await testHubu()
  const { ready, authorize, claim, settle, release } = setup(hubu)
  const { agent } = await ready(500, 500)
  for (const [key, amount] of Object.entries({ one: 300, two: 150, three: 50 }))
    await claim(agent, await authorize(agent, { key, amount }))
  const status = async () => (await hubu.get('/budgets?all=1')).body.budgets[0].status
  await settle(agent, 'one', receipt(300))
  expect(await status()).toBe('active')
  await settle(agent, 'two', receipt(150))
  expect(await status()).toBe('active')
  await release(agent, 'three')
  expect((await authorize(agent, { key: 'four', amount: 50 })).body.decision).toBe('allow')
  await claim(agent, await authorize(agent, { key: 'four', amount: 50 }))
  await settle(agent, 'four', receipt(50))
  expect(await status()).toBe('exhausted')
})

test('a clamped day of a series stays clamped, without gaps, and a series is made whole or not at all', async () => {
  await using hubu = await testHubu()
  const { agent: register } = setup(hubu)
  const agent = await register()
  const series = (starting_at: string, recurrence: string, period_count: number) =>
    hubu.post('/budgets/series', { agent_id: agent.agent_id, amount_cents: 5, starting_at, recurrence, period_count })
  const rows = (await series('2031-01-31T12:00:00Z', 'monthly', 4)).body.budgets as Record<string, string>[]
  expect(rows.map((row) => row.starting_at?.slice(0, 10))).toEqual([
    '2031-01-31',
    '2031-02-28',
    '2031-03-28',
    '2031-04-28',
  ])
  expect(rows.slice(1).map((row) => row.starting_at)).toEqual(rows.slice(0, -1).map((row) => row.ending_before))
  const yearly = (await series('2040-02-29T00:00:00Z', 'yearly', 2)).body.budgets as Record<string, string>[]
  expect(yearly.map((row) => row.ending_before)).toEqual(['2041-02-28T00:00:00+00:00', '2042-02-28T00:00:00+00:00'])
  expect((await series('2030-11-15T00:00:00Z', 'monthly', 6)).status).toBe(400)
  expect((await series('2050-01-01T00:00:00Z', 'weekly', 1)).status).toBe(400)
  expect((await hubu.get('/budgets')).body.budgets).toHaveLength(6)
  expect((await series('2060-01-01T00:00:00Z', 'daily', 1000)).body.budgets).toHaveLength(1000)
})
