import { expect, test } from 'vitest'
import { exactReceipt, localSelector, receipt, reconciliation, refusal, setup } from './setup.ts'
import { testHubu, tokens, type TestHubu } from './start.ts'

const reason = 'Render one test image'

/** A limit and a budget of 500, and an authorization of 500 at vendor.example. */
async function authorized(hubu: TestHubu, more: Record<string, unknown> = {}) {
  const shorthand = setup(hubu)
  const { user, agent } = await shorthand.ready(500, 500)
  const spend = { key: 'k', amount: 500, merchant: 'vendor.example', reason, ...more }
  return { ...shorthand, owner: user, agent, spend, asked: await shorthand.authorize(agent, spend) }
}

test('a token resolves to the same snapshot until it is claimed', async () => {
  await using hubu = await testHubu()
  const { agent, spend, asked, claim, authorize } = await authorized(hubu)
  const token = { spend_auth_token_id: asked.body.auth_token_id as string }
  const first = await hubu.post('/spend/executor/resolve', token)
  expect(first.body).toMatchObject({
    status: 'available',
    reason,
    task_id: reason,
    merchant: 'vendor.example',
    lease_profile: 'default',
    expires_at: asked.body.authorization_expires_at,
    budget_hold: { status: 'frozen' },
  })
  expect((await hubu.post('/spend/executor/resolve', token)).text).toBe(first.text)
  for (const spelled of [token.spend_auth_token_id.toUpperCase(), `{${token.spend_auth_token_id}}`])
    expect((await hubu.post('/spend/executor/resolve', { spend_auth_token_id: spelled })).status).toBe(200)
  expect(refusal(await authorize(agent, { ...spend, amount: 499 }))).toEqual([
    409,
    'changed scope retry is unsafe for operation key `k`',
  ])
  expect((await claim(agent, asked)).status).toBe(200)
  expect((await hubu.post('/spend/executor/resolve', token)).status).toBe(400)
})

test('a claim is exclusive and repeats as itself', async () => {
  await using hubu = await testHubu()
  const { agent, asked, claim, presented } = await authorized(hubu)
  const claimed = await claim(agent, asked, { task_id: reason })
  expect(claimed.body).toMatchObject({
    status: 'claimed',
    claimed_at: '2030-01-02T03:04:05+00:00',
    claim_expires_at: '2030-01-02T03:19:05+00:00',
    reconciliation_required: false,
    spend: { status: 'claimed', budget_hold: { status: 'claimed' } },
  })
  hubu.clock.advance(10)
  expect((await claim(agent, asked)).text).toBe(claimed.text)
  const { operation_key, ...rest } = presented(agent, asked)
  const alias = await hubu.post('/spend/executor/claim', { ...rest, executor_execution_id: operation_key, extra: 1 })
  expect(alias.text).toBe(claimed.text)
  const both = await hubu.post('/spend/executor/claim', {
    ...rest,
    operation_key,
    executor_execution_id: operation_key,
  })
  expect(both.status).toBe(400)
})

test('a settlement charges the budget once and repeats as itself', async () => {
  await using hubu = await testHubu()
  const { agent, spend, asked, claim, settle, authorize, validate, balances } = await authorized(hubu)
  const claimed = await claim(agent, asked)
  const settled = await settle(agent, 'k', receipt(400))
  expect(settled.body).toMatchObject({
    status: 'settled',
    claim_id: claimed.body.claim_id,
    receipt: {
      authorized_max_cents: 500,
      actual_vendor_cost: { amount: 400, scale: 2, currency: 'usd' },
      actual_vendor_cost_cents: 400,
      budget_charge_cents: 400,
      released_amount_cents: 100,
      overrun_amount_cents: 0,
      price_model_snapshot: receipt(400).price_model_snapshot,
    },
    spend: { status: 'settled', budget_hold: { status: 'settled' } },
  })
  expect(await balances()).toEqual([400, 0, 100])
  expect((await settle(agent, 'k', receipt(400))).text).toBe(settled.text)
  expect(await balances()).toEqual([400, 0, 100])
  expect((await claim(agent, asked)).body).toMatchObject({
    claim_id: claimed.body.claim_id,
    status: 'settled',
    settlement_id: settled.body.settlement_id,
  })
  expect((await authorize(agent, spend)).body).toMatchObject({
    decision_id: asked.body.decision_id,
    auth_token_id: asked.body.auth_token_id,
    budget_hold: { status: 'settled' },
  })
  expect(refusal(await validate(agent, asked))).toEqual([400, 'spend auth token has already been used'])
  expect(refusal(await settle(agent, 'k', receipt(399)))[1]).toBe(
    'settlement receipt does not match the original settlement',
  )
})

test('a claimed operation key takes no other token, and a claimed token no other key', async () => {
  await using hubu = await testHubu()
  const { ready, authorize, claim } = setup(hubu)
  const { agent } = await ready(500, 500)
  const first = await authorize(agent, { key: 'k', amount: 100 })
  const second = await authorize(agent, { key: 'k2', amount: 100 })
  await claim(agent, first)
  expect(refusal(await claim(agent, second, { operation_key: 'k' }))).toEqual([
    400,
    'operation key was already authorized with different spend scope',
  ])
  expect(refusal(await claim(agent, first, { operation_key: 'k3' }))[1]).toContain('claimed by another operation')
  expect((await claim(agent, second)).body.status).toBe('claimed')
})

test('task id and reason are the stored ones, whatever an executor says', async () => {
  await using hubu = await testHubu()
  const { agent, asked, claim, validate } = await authorized(hubu, { task_id: 'demo:77' })
  expect(refusal(await validate(agent, asked, { task_id: 'spoofed-task' }))[1]).toContain('authoritative authorization')
  expect((await claim(agent, asked)).body.spend).toMatchObject({ task_id: 'demo:77', reason })
})

test('two agents use one operation key without meeting', async () => {
  await using hubu = await testHubu()
  const { agent: left, asked, ...shorthand } = await authorized(hubu)
  const right = await setup(hubu).agent('right')
  await shorthand.limit(right, 500)
  await shorthand.budget(right, 500)
  const other = await shorthand.authorize(right, { key: 'k', amount: 500, merchant: 'vendor.example', reason })
  expect(other.body.decision_id).not.toBe(asked.body.decision_id)
  await shorthand.claim(left, asked)
  const claimed = await shorthand.claim(right, other)
  await shorthand.settle(left, 'k', receipt(100))
  const seen = await hubu.get(`/spend/executor/claim?claim_id=${claimed.body.claim_id}`)
  expect(seen.body.status).toBe('claimed')
})

test('a release gives everything back and revokes the token', async () => {
  await using hubu = await testHubu()
  const { agent, asked, claim, release, settle, validate, balances } = await authorized(hubu)
  expect((await release(agent, 'k')).status).toBe(400)
  await claim(agent, asked)
  const released = await release(agent, 'k')
  expect(released.body).toMatchObject({ status: 'released', settlement_id: null, finalized_at: expect.any(String) })
  expect(await balances()).toEqual([0, 0, 500])
  hubu.clock.advance(5)
  expect((await release(agent, 'k')).text).toBe(released.text)
  expect(refusal(await validate(agent, asked))).toEqual([400, 'spend auth token has been revoked'])
  expect(refusal(await settle(agent, 'k', receipt(1)))[1]).toBe('executor claim has already been released')
})

test('a typed scope is presented to the letter', async () => {
  await using hubu = await testHubu()
  const { agent, asked, claim } = await authorized(hubu, { merchant: undefined, execution_scope: localSelector })
  const scope = asked.body.execution_scope
  expect(scope.billing_merchant.display_name).toBe('Local merchant')
  const changed = {
    execution_scope: { ...scope, billing_merchant: { ...scope.billing_merchant, id: 'merchant:ideogram' } },
  }
  expect(refusal(await claim(agent, asked, changed))).toEqual([400, 'unknown execution scope identifier'])
  const claimed = await claim(agent, asked)
  await hubu.restart()
  expect((await claim(agent, asked)).text).toBe(claimed.text)
})

test('a claim survives a restart and settles', async () => {
  await using hubu = await testHubu()
  const { agent, spend, asked, claim, authorize, settle } = await authorized(hubu)
  await claim(agent, asked)
  await hubu.restart()
  expect((await authorize(agent, spend)).body.budget_hold.status).toBe('claimed')
  expect((await settle(agent, 'k', receipt(400))).body.status).toBe('settled')
})

test('a human reconciles a claim whose lease is over, and nobody else does', async () => {
  await using hubu = await testHubu()
  const { owner, agent, asked, claim, settle, release, balances } = await authorized(hubu, {
    lease_profile: 'conformance_short',
  })
  const claimed = await claim(agent, asked)
  expect(claimed.body.reconciliation_required).toBe(false)
  const evidence = { claim_id: claimed.body.claim_id, provider_reference: ' charge-1 ', evidence: ' the invoice ' }
  const billed = { ...evidence, receipt: receipt(400) }
  const mixed = { ...billed, agent_id: agent.agent_id, operation_key: 'k' }
  expect(refusal(await hubu.post('/spend/executor/settle', mixed))[1]).toContain('did not match any variant')
  expect((await hubu.get('/spend/executor/reconciliation')).body).toEqual({ claims: [] })
  expect((await hubu.post('/spend/executor/settle', billed, reconciliation)).status).toBe(400)

  hubu.clock.advance(1)
  const expired = [400, 'executor claim expired and requires reconciliation']
  expect(refusal(await settle(agent, 'k', receipt(400)))).toEqual(expired)
  expect(refusal(await release(agent, 'k'))).toEqual(expired)
  const queue = (await hubu.get('/spend/executor/reconciliation')).body.claims
  expect(queue).toMatchObject([{ claim_id: claimed.body.claim_id, reconciliation_required: true, status: 'claimed' }])
  expect(await balances()).toEqual([0, 500, 0])

  expect(refusal(await hubu.post('/spend/executor/settle', billed))).toEqual([
    400,
    'missing human reconciliation capability',
  ])
  const wrong = { headers: { 'X-Hubu-Reconciliation-Capability': tokens.api } }
  expect(refusal(await hubu.post('/spend/executor/settle', billed, wrong))).toEqual([
    400,
    'invalid human reconciliation capability',
  ])
  const done = await hubu.post('/spend/executor/settle', billed, reconciliation)
  expect(done.body).toMatchObject({
    status: 'settled',
    reconciliation_outcome: 'vendor_billed',
    provider_reference: 'charge-1',
    evidence: 'the invoice',
    reconciled_at: '2030-01-02T03:04:06+00:00',
    reconciled_by_user_id: owner.user_id,
    reconciliation_required: false,
  })
  expect(await balances()).toEqual([400, 0, 100])
  expect((await hubu.get('/spend/executor/reconciliation')).body).toEqual({ claims: [] })
  hubu.clock.advance(5)
  expect((await hubu.get(`/spend/executor/claim?claim_id=${claimed.body.claim_id}`)).text).toBe(done.text)
})

test.each<[string, Record<string, unknown>, string]>([
  ['another amount', { amount_cents: 499 }, 'payment request does not match authorized spend'],
  ['nothing', { amount_cents: 0 }, 'amount_cents'],
  ['another merchant', { merchant: 'x' }, 'payment request does not match authorized spend'],
  ['a merchant with blanks', { merchant: ' vendor.example ' }, 'payment request does not match authorized spend'],
  ['no merchant', { merchant: undefined }, 'payment request does not match authorized spend'],
  ['an unknown account', { account_id: 'aga_000000000000' }, 'no such agent account'],
  ['an agent id', { agent_id: 'agt_000000000000' }, 'agent_id'],
  ['a broken token', { spend_auth_token_id: 'x' }, 'spend_auth_token_id'],
  ['an unknown token', { spend_auth_token_id: '00000000-0000-4000-8000-000000000000' }, 'no such spend authorization'],
])('an executor that presents %s is refused by both routes', async (_what, change, fragment) => {
  await using hubu = await testHubu()
  const { agent, asked, claim, validate } = await authorized(hubu)
  for (const answer of [await validate(agent, asked, change), await claim(agent, asked, change)]) {
    expect(answer.status).toBe(400)
    expect(answer.body.error).toContain(fragment)
  }
})

test('a stored legacy scope cannot be presented as a scope', async () => {
  await using hubu = await testHubu()
  const { agent, asked, validate } = await authorized(hubu)
  const body = { merchant: undefined, execution_scope: asked.body.execution_scope }
  expect(refusal(await validate(agent, asked, body))[1]).toBe('unknown execution scope identifier')
})

test.each<[string, Record<string, unknown>]>([
  ['both costs', { ...receipt(1), actual_vendor_cost: { amount: 1, scale: 2, currency: 'usd' } }],
  ['no cost', { ...receipt(1), actual_vendor_cost_cents: undefined }],
  ['an extra key', receipt(1, { tip: 1 })],
  ['a list as snapshot', receipt(1, { price_model_snapshot: ['usd'] })],
])('a receipt with %s fits no shape', async (_what, sent) => {
  await using hubu = await testHubu()
  const { agent, asked, claim, settle, balances } = await authorized(hubu)
  await claim(agent, asked)
  expect(refusal(await settle(agent, 'k', sent))[1]).toContain('did not match any variant')
  expect(await balances()).toEqual([0, 500, 0])
})

test.each<[string, Record<string, unknown>, string]>([
  ['a negative cost', exactReceipt(-1, 2), 'negative'],
  ['a scale of 19', exactReceipt(1, 19), 'scale'],
  ['euros', exactReceipt(1, 2, { actual_vendor_cost: { amount: 1, scale: 2, currency: 'eur' } }), 'eur'],
  ['a snapshot in euros', receipt(1, { price_model_snapshot: { currency: 'EUR' } }), 'USD'],
  ['a blank artifact', receipt(1, { artifact_reference: ' ' }), 'artifact_reference'],
  ['an overflowing cost', exactReceipt(9_007_199_254_740_991, 0), 'exceeds the authorized maximum'],
])('a receipt with %s is refused and the claim stays', async (_what, sent, fragment) => {
  await using hubu = await testHubu()
  const { agent, asked, claim, settle, balances } = await authorized(hubu)
  await claim(agent, asked)
  const [status, error] = refusal(await settle(agent, 'k', sent))
  expect(status).toBe(400)
  expect(error).toContain(fragment)
  expect(await balances()).toEqual([0, 500, 0])
})

test('a cost beyond 64 bits is a 400, and big digits of a snapshot come back as sent', async () => {
  await using hubu = await testHubu()
  const { agent, asked, claim, balances } = await authorized(hubu)
  await claim(agent, asked)
  const body = (cost: string) =>
    `{"agent_id":"${agent.agent_id}","operation_key":"k","receipt":{"actual_vendor_cost":${cost},"provider_request_id":"v",` +
    `"price_model_snapshot":{"z":12345678901234567890,"a":0.10,"currency":"Usd"},"artifact_reference":"a"}}`
  for (const cost of [
    '{"amount":9223372036854775807,"scale":0,"currency":"usd"}',
    '{"amount":92233720368547758070,"scale":18,"currency":"usd"}',
  ])
    expect((await hubu.post('/spend/executor/settle', body(cost))).status).toBe(400)
  expect(await balances()).toEqual([0, 500, 0])
  const settled = await hubu.post(
    '/spend/executor/settle',
    body('{"amount":4000000000000000001,"scale":18,"currency":"USD"}'),
  )
  expect(settled.text).toContain('"price_model_snapshot":{"z":12345678901234567890,"a":0.10,"currency":"Usd"}')
  expect(settled.text).toContain('"amount":4000000000000000001,"scale":18')
  expect(settled.body.receipt.budget_charge_cents).toBe(401)
})
