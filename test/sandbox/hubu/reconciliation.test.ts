import { expect, test } from 'vitest'
import { corpus } from './corpus-setup.ts'
import { exactReceipt, receipt, reconciliation, refusal } from './setup.ts'
import { testHubu, tokens, type Answer } from './start.ts'

const expired = [400, 'executor claim expired and requires reconciliation']

test('claims whose lease is over wait for a human and change by nothing else', async () => {
  await using hubu = await testHubu()
  const { owner, agent, ask, claim, release, settle, balances, workflows, postings } = await corpus(hubu)
  const short = { lease_profile: 'conformance_short' }
  const first = await claim(agent, await ask('one', 300, short))
  const second = await claim(agent, await ask('two', 200, short))
  hubu.clock.advance(1)
  const seen = await hubu.get(`/spend/executor/claim?claim_id=${first.body.claim_id}`)
  expect(seen.body).toMatchObject({
    status: 'claimed',
    reconciliation_required: true,
    spend: { budget_hold: { status: 'claimed' } },
  })
  expect(refusal(await settle(agent, 'one', receipt(1)))).toEqual(expired)
  expect(refusal(await release(agent, 'one'))).toEqual(expired)
  const queue = async () => (await hubu.get('/spend/executor/reconciliation')).body.claims as unknown[]
  expect(await queue()).toHaveLength(2)
  expect((await workflows()).map((row) => row.status)).toEqual(['reconciliation_required', 'reconciliation_required'])
  expect((await postings()).coverage.pending_hold_count).toBe(2)

  const evidence = (claimed: Answer) => ({ claim_id: claimed.body.claim_id, provider_reference: 'p', evidence: 'e' })
  const billed = { ...evidence(first), receipt: exactReceipt(2_500_001, 6) }
  const asBearer = { headers: { 'X-Hubu-Reconciliation-Capability': tokens.api } }
  for (const [path, body] of [
    ['settle', billed],
    ['release', evidence(second)],
  ] as const) {
    const answers = [
      await hubu.post(`/spend/executor/${path}`, body),
      await hubu.post(`/spend/executor/${path}`, body, asBearer),
    ]
    expect(answers.map(refusal)).toEqual([
      [400, 'missing human reconciliation capability'],
      [400, 'invalid human reconciliation capability'],
    ])
  }
  expect(await queue()).toHaveLength(2)
  expect(await balances()).toEqual([0, 500, 500])

  const settled = await hubu.post('/spend/executor/settle', billed, reconciliation)
  expect(settled.body).toMatchObject({
    status: 'settled',
    reconciliation_outcome: 'vendor_billed',
    reconciled_by_user_id: owner.user_id,
  })
  hubu.clock.advance(1)
  expect((await hubu.post('/spend/executor/settle', billed, reconciliation)).text).toBe(settled.text)
  const otherEvidence = { ...billed, evidence: 'other' }
  expect(refusal(await hubu.post('/spend/executor/settle', otherEvidence, reconciliation))[1]).toContain(
    'reconciled with different evidence',
  )
  const released = await hubu.post('/spend/executor/release', evidence(second), reconciliation)
  expect(released.body).toMatchObject({
    status: 'released',
    settlement_id: null,
    reconciliation_outcome: 'vendor_did_not_bill',
  })
  hubu.clock.advance(1)
  expect((await hubu.post('/spend/executor/release', evidence(second), reconciliation)).text).toBe(released.text)
  expect(await balances()).toEqual([251, 0, 749])
  expect((await postings()).transactions).toHaveLength(1)
})

test('a human may record more than was authorized, and the budget shows it', async () => {
  await using hubu = await testHubu()
  const { agent, ask, claim, balances } = await corpus(hubu)
  const claimed = await claim(agent, await ask('k', 100, { lease_profile: 'conformance_short' }))
  hubu.clock.advance(1)
  const body = { claim_id: claimed.body.claim_id, provider_reference: 'p', evidence: 'e' }
  const billed = { ...body, receipt: exactReceipt(12_000_000, 6) }
  expect((await hubu.post('/spend/executor/settle', billed, reconciliation)).status).toBe(200)
  expect(await balances()).toEqual([1200, 0, -200])
  expect((await hubu.get('/budgets?all=1')).body.budgets[0].status).toBe('exhausted')
  const workflow = (await hubu.get('/spend/workflows')).body.workflows[0]
  expect(workflow.receipt).toMatchObject({ overrun_amount_cents: 1100, released_amount_cents: 0 })
})

test("another human's claim is neither seen nor finalized, and agents of others cannot be named", async () => {
  await using hubu = await testHubu()
  const { agent, ask, claim, settle, release, user } = await corpus(hubu)
  const asked = await ask('k', 100, { lease_profile: 'conformance_short' })
  const claimed = await claim(agent, asked)
  hubu.clock.advance(1)
  await user('stranger')
  const body = { claim_id: claimed.body.claim_id, provider_reference: 'p', evidence: 'e' }
  const answers = [
    await hubu.get(`/spend/executor/claim?claim_id=${claimed.body.claim_id}`),
    await hubu.post('/spend/executor/release', body, reconciliation),
    await hubu.post('/spend/executor/settle', { ...body, receipt: receipt(1) }, reconciliation),
    await settle(agent, 'k', receipt(1)),
    await release(agent, 'k'),
    await claim(agent, asked),
    await hubu.post('/spend/executor/resolve', { spend_auth_token_id: asked.body.auth_token_id }),
    await hubu.post('/budgets', { agent_id: agent.agent_id, amount_cents: 1 }),
    await hubu.post('/policies', { agent_id: agent.agent_id, daily_limit_cents: 1 }),
  ]
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 400))
  expect((await hubu.get('/spend/executor/reconciliation')).body).toEqual({ claims: [] })
})
