import { once } from 'node:events'
import net from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { approval, receipt, reconciliation, setup } from './setup.ts'
import { leases, testHubu } from './start.ts'

const most = '9223372036854775807'

test('a connection that says nothing holds up nobody', async () => {
  await using hubu = await testHubu()
  const silent = [1, 2, 3].map(() => net.connect({ port: hubu.port, host: '127.0.0.1' }))
  await Promise.all(silent.map((socket) => once(socket, 'connect')))
  expect((await hubu.get('/user')).status).toBe(200)
  for (const socket of silent) socket.destroy()
})

test('counts, times and amounts at the edge are a clear 400 and cost nothing', async () => {
  await using hubu = await testHubu()
  const agent = await setup(hubu).agent()
  const id = `"agent_id":"${agent.agent_id}"`
  for (const [path, body] of [
    ['/budgets/series', `{${id},"amount_cents":1,"recurrence":"daily","period_count":1e18}`],
    ['/budgets/series', `{${id},"amount_cents":1,"recurrence":"daily","period_count":1000000000000000000}`],
    [
      '/budgets/series',
      `{${id},"amount_cents":1,"recurrence":"yearly","period_count":3,"starting_at":"9998-06-01T00:00:00Z"}`,
    ],
    ['/budgets', `{${id},"amount_cents":9223372036854775808}`],
    ['/budgets', `{${id},"amount_cents":1,"ending_before":"10000-01-01T00:00:00Z"}`],
    ['/budgets', `[1,"${agent.agent_id}"]`],
    ['/user/spending-target', `{"amount_cents":-1}`],
    ['/policies', `{"daily_limit_cents":1e3}`],
  ] as const) {
    const answer = await hubu.post(path, body)
    expect([path, answer.status]).toEqual([path, 400])
  }
  expect((await hubu.get('/budgets?all=1')).body.budgets).toEqual([])
  await hubu.restart()
  expect((await hubu.get('/budgets?all=1')).body.budgets).toEqual([])
})

test('sums beyond 64 bits are capped and never wrap', async () => {
  await using hubu = await testHubu()
  const { agent } = setup(hubu)
  await hubu.post('/user/spending-target', { amount_cents: 1000 })
  for (const name of ['left', 'right']) {
    const { agent_id } = await agent(name)
    const made = await hubu.post('/budgets', `{"agent_id":"${agent_id}","amount_cents":${most}}`)
    expect(made.text).toContain(`"amount_limit_cents":${most}`)
    expect(made.text).toContain(`"allocated_amount_cents":${most}`)
  }
  await hubu.restart()
  const targets = await hubu.get('/user/spending-target')
  expect(targets.text).toContain(`"allocated_amount_cents":${most},"exceeded_by_cents":9223372036854774807`)
})

test('an overrun that would leave 64 bits is refused, and the claim stays', async () => {
  await using hubu = await testHubu()
  const { user, agent: register, limit, authorize, claim } = setup(hubu)
  await user()
  const agent = await register()
  await limit(agent, 500)
  await hubu.post('/budgets', `{"agent_id":"${agent.agent_id}","amount_cents":${most}}`)
  const bill = async (key: string, cents: string) => {
    const claimed = await claim(agent, await authorize(agent, { key, amount: 1, lease_profile: 'conformance_short' }))
    hubu.clock.advance(1)
    const body = { claim_id: claimed.body.claim_id, provider_reference: 'p', evidence: 'e', receipt: receipt(0) }
    const text = JSON.stringify(body).replace('"actual_vendor_cost_cents":0', `"actual_vendor_cost_cents":${cents}`)
    return (await hubu.post('/spend/executor/settle', text, reconciliation)).status
  }
  expect(await bill('one', '9223372036854775806')).toBe(200)
  expect(await bill('two', '2')).toBe(400)
  expect((await hubu.get('/spend/executor/reconciliation')).body.claims).toHaveLength(1)
  expect((await hubu.get('/budgets')).text).toContain(
    '"consumed_amount_cents":9223372036854775806,"frozen_amount_cents":1',
  )
})

test('lifetimes beyond all use stop the start', async () => {
  for (const authorizationTtlSeconds of [1e15, 0, -1, 1.5, Number.NaN])
    await expect(testHubu({ leases: { ...leases, authorizationTtlSeconds } })).rejects.toThrow(
      'authorization_ttl_seconds',
    )
})

test('tokens must be filled and pairwise different', async () => {
  for (const tokens of [
    { api: 'a', approval: 'a', reconciliation: 'c' },
    { api: 'a', approval: 'b', reconciliation: '' },
    { api: 'a', approval: 'b', reconciliation: 'c', admin: 'b' },
  ])
    await expect(testHubu({ tokens })).rejects.toThrow('token')
})

type Step = { kind: 'pay' | 'authorize' | 'claim' | 'settle' | 'release' | 'wait'; key: number; amount: number }

test('a budget always adds up, whatever happens in whatever order', async () => {
  const step = fc.record<Step>({
    kind: fc.constantFrom('pay', 'authorize', 'claim', 'settle', 'release', 'wait'),
    key: fc.integer({ min: 0, max: 3 }),
    amount: fc.integer({ min: 1, max: 400 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (script) => {
      await using hubu = await testHubu()
      const { ready, authorize, pay, claim, settle, release } = setup(hubu)
      const { agent } = await ready(1000, 1000)
      const asked = new Map<number, Awaited<ReturnType<typeof authorize>>>()
      for (const { kind, key, amount } of script) {
        const spend = { key: `k${key}`, amount }
        if (kind === 'wait') hubu.clock.advance(amount)
        else if (kind === 'pay') await pay(agent, spend)
        else if (kind === 'authorize') asked.set(key, await authorize(agent, spend))
        else if (kind === 'settle') await settle(agent, `k${key}`, receipt(amount))
        else if (kind === 'release') await release(agent, `k${key}`)
        else {
          const authorized = asked.get(key)
          if (authorized?.body.auth_token_id) await claim(agent, authorized)
        }
      }
      const [budget] = (await hubu.get('/budgets?all=1')).body.budgets
      const { amount_limit_cents: limit, consumed_amount_cents: consumed } = budget
      const { frozen_amount_cents: frozen, remaining_amount_cents: remaining } = budget
      expect(consumed + frozen + remaining).toBe(limit)
      expect(Math.min(consumed, frozen, remaining)).toBeGreaterThanOrEqual(0)
      const { coverage, transactions } = (
        await hubu.get(`/ledger/transactions?limit=100&agent_id=${agent.agent_id}&budget_id=${budget.budget_id}`)
      ).body
      expect(coverage.unaccounted_consumption_cents).toBe(0)
      const posted = transactions.reduce(
        (sum: number, row: Record<string, number>) => sum + (row.budget_charge_delta_cents ?? 0),
        0,
      )
      expect(posted).toBe(consumed)
      const { workflows } = (await hubu.get('/spend/workflows?limit=100')).body
      const held = workflows
        .map((row: { budget_hold: { status: string; amount_cents: number } }) => row.budget_hold)
        .filter((hold: { status: string }) => hold.status === 'frozen' || hold.status === 'claimed')
      expect(held.reduce((sum: number, hold: { amount_cents: number }) => sum + hold.amount_cents, 0)).toBe(frozen)
    }),
    { numRuns: 12 },
  )
})

test('whatever a body says, the answer is one of the contract and never a fault', async () => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { user, agent, budget } = await ready(500, 500)
  const asked = await authorize(agent, { key: 'k', amount: 100 })
  const known = [user.user_id, agent.agent_id, agent.account_id, budget.budget_id, asked.body.auth_token_id, 'k', 'usd']
  const leaf = fc.oneof(fc.constantFrom<unknown>(...known), fc.bigInt().map(String), fc.jsonValue(), fc.integer())
  const keys = fc.constantFrom(
    ...['agent_id', 'account_id', 'amount_cents', 'operation_key', 'reason', 'merchant', 'execution_scope', 'receipt'],
    ...[
      'spend_auth_token_id',
      'claim_id',
      'evidence',
      'provider_reference',
      'policy_yaml',
      'daily_limit_cents',
      'name',
    ],
    ...['version', 'identity', 'protocol_version', 'starting_at', 'ending_before', 'recurrence', 'period_count'],
    ...[
      'budget_id',
      'target_id',
      'task_id',
      'lease_profile',
      'approval_request_id',
      'decision',
      'username',
      '__proto__',
    ],
  )
  const body = fc.dictionary(keys, fc.oneof(leaf, fc.dictionary(keys, leaf, { maxKeys: 3 })), { maxKeys: 9 })
  const paths = fc.constantFrom(
    ...['/init', '/agents/register', '/policies', '/budgets', '/budgets/series', '/budgets/revoke', '/budgets/replace'],
    ...[
      '/user/spending-target',
      '/user/spending-target/revoke',
      '/spend/authorize',
      '/spend',
      '/spend/approval/resolve',
    ],
    ...['/spend/executor/validate', '/spend/executor/resolve', '/spend/executor/claim', '/spend/executor/settle'],
    '/spend/executor/release',
  )
  const human = { headers: { ...approval.headers, ...reconciliation.headers } }
  await fc.assert(
    fc.asyncProperty(paths, body, async (path, sent) => {
      const answer = await hubu.post(path, sent, human)
      expect([200, 400, 409]).toContain(answer.status)
      if (answer.status !== 200) expect(Object.keys(answer.body).sort()).toEqual(['error', 'retry_guidance'])
    }),
    { numRuns: 300 },
  )
  await hubu.restart()
  expect((await hubu.get('/users')).status).toBe(200)
})
