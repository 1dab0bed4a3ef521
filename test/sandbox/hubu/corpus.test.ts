import { expect, test } from 'vitest'
import { corpus } from './corpus-setup.ts'
import { exactReceipt, localSelector, receipt, refusal } from './setup.ts'
import { testHubu, type Answer } from './start.ts'

const mismatch = [400, 'payment request does not match authorized spend']
const otherReceipt = [400, 'settlement receipt does not match the original settlement']

test('two spends of one task stay apart until each is settled at its exact cost', async () => {
  await using hubu = await testHubu()
  const { agent, ask, claim, settle, balances, workflows, postings } = await corpus(hubu)
  const asked = [await ask('one', 400), await ask('two', 300)]
  for (const one of asked) await claim(agent, one)
  expect(await balances()).toEqual([0, 700, 300])
  const claimed = await workflows()
  expect(claimed.map((row) => row.status)).toEqual(['claimed', 'claimed'])
  expect(claimed[0]?.task_reference).toEqual(claimed[1]?.task_reference)
  expect(claimed[0]?.task_reference).toEqual({ digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), redacted: true })
  expect(await postings()).toMatchObject({ transactions: [], coverage: { pending_hold_count: 2 } })

  const settled = [
    await settle(agent, 'one', exactReceipt(3_500_001, 6)),
    await settle(agent, 'two', exactReceipt(25_001, 4)),
  ]
  expect(settled.map(({ body }) => body.receipt)).toMatchObject([
    { budget_charge_cents: 351, released_amount_cents: 49, overrun_amount_cents: 0 },
    { budget_charge_cents: 251, released_amount_cents: 49, overrun_amount_cents: 0 },
  ])
  expect(await balances()).toEqual([602, 0, 398])

  for (const other of [
    exactReceipt(25_001, 4, { provider_request_id: 'vendor-req-2' }),
    exactReceipt(25_001, 4, { artifact_reference: 'artifact://other.png' }),
    exactReceipt(250_010, 5),
    exactReceipt(25_001, 5),
  ])
    expect(refusal(await settle(agent, 'two', other))).toEqual(otherReceipt)

  const history = await postings()
  const rows = history.transactions as Record<string, unknown>[]
  expect(rows.map((row) => [row.kind, row.budget_charge_delta_cents]).sort()).toEqual([
    ['external_provider', 251],
    ['external_provider', 351],
  ])
  const exact = rows.find((row) => row.budget_charge_delta_cents === 351)
  expect(exact).toMatchObject({
    workflow_id: asked[0]?.body.decision_id,
    settlement_id: settled[0]?.body.settlement_id,
    effective_cost: { amount: '3500001', scale: 6, currency: 'usd' },
    rounding_delta_amount: '9999000000000000',
    entries: ['debit', 'credit'].map((direction) => ({
      direction,
      amount: { amount: '3500001000000000000', scale: 18, currency: 'usd' },
    })),
  })
  expect((exact?.entries as { account_kind: string }[])[0]?.account_kind).toBe('AgentSpendExpense')
  expect(history.coverage).toMatchObject({
    consumed_amount_cents: 602,
    recorded_budget_charges_cents: 602,
    unaccounted_consumption_cents: 0,
    pending_hold_count: 0,
  })
})

test('lost answers are recovered by the same requests, and nothing happens twice', async () => {
  await using hubu = await testHubu()
  const { agent, ask, claim, settle, balances, workflows, postings } = await corpus(hubu)
  const twice = async (request: () => Promise<Answer>) => {
    await request()
    hubu.clock.advance(1)
    return request()
  }
  const asked = await twice(() => ask('k', 500))
  expect(asked.body).toMatchObject({ idempotent_replay: true, revision: 1 })
  const claimed = await twice(() => claim(agent, asked))
  expect(claimed.body.claimed_at).toBe('2030-01-02T03:04:06+00:00')
  await twice(() => settle(agent, 'k', receipt(351)))
  expect(await balances()).toEqual([351, 0, 649])
  expect(await workflows()).toMatchObject([{ revision: 1, status: 'settled' }])
  expect((await postings()).transactions).toHaveLength(1)
})

test('a used key takes no other amount, provider or profile', async () => {
  await using hubu = await testHubu()
  const { ask, balances } = await corpus(hubu)
  await ask('k', 300)
  const google = { ...localSelector, provider: 'provider:ideogram', billing_merchant: 'merchant:ideogram' }
  for (const answer of [
    await ask('k', 301),
    await ask('k', 300, { execution_scope: google }),
    await ask('k', 300, { lease_profile: 'conformance_short' }),
  ])
    expect([answer.status, answer.body.retry_guidance]).toMatchObject([
      409,
      { action: 'create_new_operation', operation_key: 'k' },
    ])
  expect(await balances()).toEqual([0, 300, 700])
})

test('only the exact claim works', async () => {
  await using hubu = await testHubu()
  const { agent, ask, claim } = await corpus(hubu)
  const asked = await ask('k', 300)
  const guidance = (await hubu.get('/spend/executor/guidance')).body
  const ideogram = guidance.execution_scope_catalog[3]
  expect(refusal(await claim(agent, asked, { amount_cents: 301 }))).toEqual(mismatch)
  expect(refusal(await claim(agent, asked, { execution_scope: ideogram }))).toEqual(mismatch)
  expect(refusal(await claim(agent, asked, { operation_key: 'other' }))).toEqual([
    400,
    'operation key was already authorized with different spend scope',
  ])
  expect((await claim(agent, asked)).body.status).toBe('claimed')
})

test('a released claim stays released', async () => {
  await using hubu = await testHubu()
  const { agent, ask, claim, release, settle, balances, workflows, postings } = await corpus(hubu)
  const asked = await ask('k', 500)
  await claim(agent, asked)
  const released = await release(agent, 'k')
  hubu.clock.advance(1)
  expect((await release(agent, 'k')).body.finalized_at).toBe(released.body.finalized_at)
  expect(refusal(await settle(agent, 'k', receipt(1)))).toEqual([400, 'executor claim has already been released'])
  expect((await claim(agent, asked)).body.status).toBe('released')
  expect(await balances()).toEqual([0, 0, 1000])
  expect((await postings()).transactions).toEqual([])
  expect(await workflows()).toMatchObject([{ status: 'released', receipt: null }])
})

test('a settlement whose answer was lost is found settled', async () => {
  await using hubu = await testHubu()
  const { agent, ask, claim, release, settle, balances } = await corpus(hubu)
  const claimed = await claim(agent, await ask('k', 500))
  const first = await settle(agent, 'k', exactReceipt(3_500_001, 6))
  const seen = await hubu.get(`/spend/executor/claim?claim_id=${claimed.body.claim_id}`)
  expect(seen.body.status).toBe('settled')
  expect(refusal(await release(agent, 'k'))).toEqual([400, 'executor claim has already been settled'])
  expect((await settle(agent, 'k', exactReceipt(3_500_001, 6))).text).toBe(first.text)
  expect(refusal(await settle(agent, 'k', exactReceipt(3_500_002, 6)))).toEqual(otherReceipt)
  expect(await balances()).toEqual([351, 0, 649])
})

test('restarts change nothing, also after a corrected key', async () => {
  await using hubu = await testHubu()
  const { agent, ask, claim, settle, balances } = await corpus(hubu)
  const asked = await ask('k', 400)
  await hubu.restart()
  expect((await ask('k', 400)).body).toEqual({ ...asked.body, idempotent_replay: true })
  const claimed = await claim(agent, asked)
  await hubu.restart()
  expect((await claim(agent, asked)).text).toBe(claimed.text)
  const settled = await settle(agent, 'k', exactReceipt(3_500_001, 6))
  await hubu.restart()
  expect((await settle(agent, 'k', exactReceipt(3_500_001, 6))).text).toBe(settled.text)
  const denied = await ask('fixed', 5000)
  const corrected = await ask('fixed', 100)
  await hubu.restart()
  expect((await ask('fixed', 5000)).body).toMatchObject({ decision_id: denied.body.decision_id, revision: 1 })
  expect((await ask('fixed', 100)).body).toMatchObject({
    decision_id: corrected.body.decision_id,
    revision: 2,
    idempotent_replay: true,
    attempt_history: [{ final_decision: 'denied' }, { final_decision: 'allowed' }],
  })
  expect(await balances()).toEqual([351, 100, 549])
})

test('a budget is handed out to the last cent and not beyond', async () => {
  await using hubu = await testHubu()
  const { agent, ask, claim, release, settle, balances, postings } = await corpus(hubu)
  const answers: Record<number, Answer> = {}
  for (const amount of [1001, 600, 500, 400, 1]) answers[amount] = await ask(`full:${amount}`, amount)
  const decisionOf = (amount: number) => answers[amount]?.body.decision as string
  expect([1001, 600, 500, 400, 1].map(decisionOf)).toEqual(['deny', 'allow', 'deny', 'allow', 'deny'])
  expect(answers[1001]?.body.reasons).toEqual(['budget does not have enough remaining balance'])
  expect(await balances()).toEqual([0, 1000, 0])

  const [six, four] = [answers[600] as Answer, answers[400] as Answer]
  expect(refusal(await claim(agent, six, { amount_cents: 601 }))).toEqual(mismatch)
  const claimed = await claim(agent, six)
  expect(six.body.lease_profile).toBe('default')
  expect(claimed.body.reconciliation_required).toBe(false)
  expect(Date.parse(six.body.attempt_history[0].submitted_at)).toBeLessThan(
    Date.parse(six.body.authorization_expires_at),
  )
  const above = await settle(agent, 'full:600', exactReceipt(6_000_001, 6))
  expect(refusal(above)).toEqual([400, 'actual vendor cost exceeds the authorized maximum'])
  const seen = await hubu.get(`/spend/executor/claim?claim_id=${claimed.body.claim_id}`)
  expect(seen.body.status).toBe('claimed')
  const settled = await settle(agent, 'full:600', exactReceipt(6_000_000, 6))
  expect(settled.body.receipt).toMatchObject({ budget_charge_cents: 600, released_amount_cents: 0 })

  await claim(agent, four)
  await release(agent, 'full:400')
  expect((await ask('full:500', 400)).body).toMatchObject({ decision: 'allow', revision: 2 })
  expect((await ask('full:more', 1)).body.decision).toBe('deny')
  expect(await balances()).toEqual([600, 400, 0])
  const history = await postings()
  expect([history.transactions.length, history.coverage.pending_hold_count]).toEqual([1, 1])
})
