import { expect, test } from 'vitest'
import { openRows } from '../../../src/sandbox/hubu/rows.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { localSelector, refusal, setup } from './setup.ts'
import { leases, testHubu } from './start.ts'

const notEnough = 'budget does not have enough remaining balance'

test('a payment settles its hold, is posted once, and repeats as itself', async () => {
  await using hubu = await testHubu()
  const { user: init, agent: register, budget, pay } = setup(hubu)
  const user = await init()
  const agent = await register()
  await hubu.post('/policies', { daily_limit_cents: 5000 })
  await budget(agent, 10_000)
  const spend = { key: 'pay:1', amount: 2500, merchant: 'vendor.example', task_id: 'task 1' }
  const paid = await pay(agent, spend)
  const settled = {
    status: 'settled',
    consumed_amount_cents: 2500,
    frozen_amount_cents: 0,
    remaining_amount_cents: 7500,
  }
  expect(paid.body).toMatchObject({
    payment: {
      status: 'succeeded',
      owner_user_id: user.user_id,
      owner_user_name: 'Owner owner',
      account_id: agent.account_id,
      rail_reference: `fiat_mock_${paid.body.decision_id}:task 1`,
      failure_reason: null,
    },
    budget_hold: settled,
  })
  const ledger = await hubu.get('/ledger')
  const { transactions } = ledger.body
  expect(transactions).toMatchObject([
    {
      id: paid.body.payment.ledger_transaction_id,
      external_ref: paid.body.payment.payment_id,
      description: `payment ${paid.body.payment.payment_id} via fiat_mock`,
      owner_user_name: 'Owner owner',
    },
  ])
  const entries = transactions[0].entries as Record<string, unknown>[]
  expect(entries.map((entry) => [entry.direction, entry.amount_cents, entry.owner_user_name]).sort()).toEqual([
    ['credit', 2500, 'Owner owner'],
    ['debit', 2500, 'Owner owner'],
  ])
  const again = await pay(agent, spend)
  expect(again.body).toMatchObject({ payment: paid.body.payment, budget_hold: settled, idempotent_replay: true })
  expect((await hubu.get('/ledger')).text).toBe(ledger.text)
})

test('a paid authorization cannot be claimed, and a claimed one cannot be paid', async () => {
  await using hubu = await testHubu()
  const { ready, authorize, pay, claim } = setup(hubu)
  const { agent } = await ready(500, 500)
  const paid = await pay(agent, { key: 'paid', amount: 100 })
  expect(refusal(await claim(agent, paid))[1]).toBe('spend auth token has already been used')
  await claim(agent, await authorize(agent, { key: 'claimed', amount: 100 }))
  expect(refusal(await pay(agent, { key: 'claimed', amount: 100 }))[1]).toContain('claimed by an executor')
})

test('a replayed budget denial always names the balance', async () => {
  await using hubu = await testHubu()
  const { agent: register, limit, authorize } = setup(hubu)
  const agent = await register()
  await limit(agent, 500)
  const none = 'no active USD budget found for agent'
  expect((await authorize(agent, { key: 'k', amount: 5 })).body.reasons).toEqual([none])
  const again = (await authorize(agent, { key: 'k', amount: 5 })).body
  expect([again.reasons, again.attempt_history[0].reasons]).toEqual([[notEnough], [none]])
})

test('a declined payment releases its hold, posts nothing and is not tried again', async () => {
  await using hubu = await testHubu()
  const { ready, pay, claim } = setup(hubu)
  const { agent } = await ready(5000, 10_000)
  const failed = await pay(agent, { key: 'k', amount: 1500, merchant: 'fail' })
  expect(failed.body).toMatchObject({
    decision: 'allow',
    payment: { status: 'failed', failure_reason: 'mock rail declined merchant', ledger_transaction_id: null },
    budget_hold: { status: 'released', remaining_amount_cents: 10_000 },
  })
  expect((await hubu.get('/ledger')).body).toEqual({ transactions: [] })
  const again = await pay(agent, { key: 'k', amount: 1500, merchant: 'fail' })
  expect(again.body.payment).toEqual(failed.body.payment)
  expect((await claim(agent, failed)).status).toBe(400)
})

test('an authorization freezes its amount; its repeat is a replay', async () => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { agent } = await ready(500, 500)
  const spend = { key: 'k', amount: 500, merchant: ' Acme Cafe ', reason: '  Buy coffee ' }
  const first = await authorize(agent, spend)
  expect(first.body).toMatchObject({
    decision: 'allow',
    auth_token_id: expect.any(String),
    payment: null,
    task_id: 'Buy coffee',
    budget_hold: { status: 'frozen', amount_cents: 500, remaining_amount_cents: 0 },
    execution_scope: { billing_merchant: { id: 'merchant:legacy:9bd5c89311ba46ec', display_name: 'Acme Cafe' } },
  })
  expect((await hubu.get('/ledger')).body).toEqual({ transactions: [] })
  const again = await authorize(agent, { ...spend, key: ' k ', reason: 'Buy coffee' })
  expect(again.body).toEqual({ ...first.body, idempotent_replay: true })
})

test.each<[string, Record<string, unknown>, string]>([
  ['no operation key', { operation_key: undefined }, 'spend operation_key is required'],
  ['a blank operation key', { operation_key: ' \t' }, 'spend operation_key is required'],
  ['an extra key', { job_id: 'j' }, 'unknown field `job_id`'],
  ['the name of v4.2', { workload_profile: 'default' }, 'unknown field `workload_profile`'],
  ['an agent id', { agent_id: 'agt_x' }, 'spend request must include account_id; agent_id is no longer accepted'],
  ['no account', { account_id: undefined }, 'spend request must include account_id'],
  ['euros', { currency: 'eur' }, 'unsupported currency `eur`'],
  ['a reason of 2001 bytes', { reason: `${'é'.repeat(1000)}x` }, 'reason'],
  ['an empty task id', { task_id: ' ' }, 'task_id'],
  ['a task id of 513 bytes', { task_id: `${'é'.repeat(256)}x` }, 'task_id'],
  ['nothing to pay', { amount_cents: 0 }, 'amount_cents'],
  ['a fraction', { amount_cents: 1.5 }, 'amount_cents'],
  ['merchant and scope', { merchant: 'm', execution_scope: localSelector }, 'not both'],
  ['an unknown scope', { execution_scope: { ...localSelector, provider: 'x' } }, 'unknown execution scope identifier'],
  [
    'a mixed scope',
    { execution_scope: { ...localSelector, billing_merchant: 'merchant:google' } },
    'unknown execution',
  ],
  ['another scope version', { execution_scope: { ...localSelector, schema_version: 2 } }, 'schema_version'],
  ['an unknown profile', { lease_profile: 'nowhere' }, 'unknown lease profile'],
])('a spend request with %s is a 400 on both routes', async (_what, change, fragment) => {
  await using hubu = await testHubu()
  const { ready, spendBody } = setup(hubu)
  const { agent } = await ready(500, 500)
  const body = { ...spendBody(agent, { key: 'k', amount: 10 }), ...change }
  for (const path of ['/spend/authorize', '/spend']) {
    const [status, error] = refusal(await hubu.post(path, body))
    expect(status).toBe(400)
    expect(error).toContain(fragment)
  }
})

test('scope inputs say what was supplied, inferred and omitted', async () => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { agent } = await ready(500, 500)
  const bare = (await authorize(agent, { key: '1', amount: 1 })).body
  expect(bare.scope_inputs.currency).toEqual({ source: 'inferred', value: 'usd' })
  expect(bare.scope_inputs.merchant).toEqual({ source: 'omitted', value: null })
  expect(bare.scope_inputs.billing_merchant).toEqual({ source: 'omitted', value: null })
  expect(bare.execution_scope).toBeNull()
  const dollars = (await authorize(agent, { key: '2', amount: 1, currency: ' USD ' })).body
  expect(dollars.scope_inputs.currency).toEqual({ source: 'supplied', value: 'usd' })
  const named = { ...localSelector, provider: ' local FIXTURE provider' }
  const byName = (await authorize(agent, { key: '3', amount: 1, execution_scope: named })).body
  expect(byName.scope_inputs.provider).toEqual({ source: 'supplied', value: ' local FIXTURE provider' })
  expect(byName.execution_scope.provider.id).toBe('provider:local:fixture')
})

test.each<[string, Record<string, unknown>]>([
  ['amount', { amount: 499 }],
  ['merchant', { merchant: 'Acme  Cafe' }],
  ['merchant to none', { merchant: undefined }],
  ['reason', { reason: 'Buy tea' }],
  ['task id', { task_id: 'x' }],
  ['task id to none', { task_id: null }],
  ['lease profile', { lease_profile: 'conformance_short' }],
])('another %s under a used key is a conflict', async (_what, change) => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { agent } = await ready(500, 500)
  const spend = { key: 'k', amount: 100, merchant: 'Acme Cafe', reason: 'Buy coffee', task_id: 'task' }
  await authorize(agent, spend)
  expect((await authorize(agent, { ...spend, ...change })).status).toBe(409)
})

test('a denied key is corrected as the next revision, stays replayable, and takes nothing third', async () => {
  await using hubu = await testHubu()
  const { ready, pay, authorize, balances } = setup(hubu)
  const { agent } = await ready(5000, 1000)
  const first = { key: 'fix:1', amount: 2500, reason: 'First try' }
  const denied = await pay(agent, first)
  expect(denied.body).toMatchObject({
    decision: 'deny',
    auth_token_id: null,
    budget_hold: null,
    payment: null,
    reasons: [notEnough],
    revision: 1,
    retry_guidance: { action: 'reuse_operation_key', operation_key: 'fix:1' },
    attempt_history: [{ final_decision: 'denied', decision_id: denied.body.decision_id }],
  })
  const corrected = await authorize(agent, { key: 'fix:1', amount: 500, reason: 'Second try' })
  expect(corrected.body).toMatchObject({
    decision: 'allow',
    revision: 2,
    attempt_history: [{ final_decision: 'denied' }, { final_decision: 'allowed' }],
  })
  expect((await authorize(agent, first)).body).toMatchObject({
    decision_id: denied.body.decision_id,
    revision: 1,
    idempotent_replay: true,
    retry_guidance: { action: 'replay_exactly' },
  })
  const third = await authorize(agent, { key: 'fix:1', amount: 400, reason: 'Third try' })
  expect([third.status, third.body.retry_guidance]).toMatchObject([
    409,
    { action: 'create_new_operation', operation_key: 'fix:1' },
  ])
  expect(third.body.error).toContain('changed scope retry is unsafe')
  expect(await balances()).toEqual([0, 500, 500])
})

test('an attempt that was journaled and never decided is replayed exactly or given up', async () => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { agent } = await ready(5000, 1000)
  await authorize(agent, { key: 'k', amount: 2500 })
  const database = openDatabase(hubu.databasePath)
  openRows(database).run('delete from decisions')
  openRows(database).run(`update attempts set outcome = 'pending_approval'`)
  database.close()
  await hubu.restart()
  const same = await authorize(agent, { key: 'k', amount: 2500 })
  expect([same.status, same.body.retry_guidance.action]).toEqual([409, 'replay_exactly'])
  const other = await authorize(agent, { key: 'k', amount: 1 })
  expect([other.status, other.body.retry_guidance.action]).toEqual([409, 'create_new_operation'])
})

test('an explicit null task id survives a restart, and the expiry says its offset', async () => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { agent } = await ready(500, 500)
  const first = await authorize(agent, { key: 'k', amount: 100, task_id: null })
  expect(first.body.authorization_expires_at).toBe('2030-01-02T03:09:05+00:00')
  await hubu.restart()
  const again = await authorize(agent, { key: 'k', amount: 100, task_id: null })
  expect(again.body).toEqual({ ...first.body, idempotent_replay: true })
  expect(again.body.task_id).toBeNull()
})

test('a changed default profile does not change what is stored', async () => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { agent } = await ready(500, 500)
  const first = await authorize(agent, { key: 'k', amount: 100 })
  await hubu.restart({ leases: { ...leases, defaultLeaseProfile: 'conformance_short' } })
  expect((await authorize(agent, { key: 'k', amount: 100 })).body).toMatchObject({
    decision_id: first.body.decision_id,
    lease_profile: 'default',
    idempotent_replay: true,
  })
  expect((await authorize(agent, { key: 'k', amount: 100, lease_profile: 'conformance_short' })).status).toBe(409)
})

test('an unknown profile leaves the key usable', async () => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { agent } = await ready(500, 500)
  for (const amount of [1, 501])
    expect((await authorize(agent, { key: 'k', amount, lease_profile: 'nowhere' })).status).toBe(400)
  expect((await authorize(agent, { key: 'k', amount: 1 })).body).toMatchObject({ decision: 'allow', revision: 1 })
})

test('an authorization that ran out is shown and never renewed or paid', async () => {
  await using hubu = await testHubu()
  const { ready, authorize, pay, balances } = setup(hubu)
  const { agent } = await ready(500, 500)
  const first = await authorize(agent, { key: 'k', amount: 500 })
  hubu.clock.advance(300)
  const replay = await authorize(agent, { key: 'k', amount: 500 })
  expect(replay.body).toMatchObject({
    auth_token_id: first.body.auth_token_id,
    authorization_expires_at: first.body.authorization_expires_at,
    budget_hold: { status: 'expired' },
  })
  expect((await pay(agent, { key: 'k', amount: 500 })).status).toBe(400)
  expect(await balances()).toEqual([0, 0, 500])
  expect((await authorize(agent, { key: 'k2', amount: 500 })).body.decision).toBe('allow')
})
