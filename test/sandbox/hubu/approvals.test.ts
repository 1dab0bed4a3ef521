import { expect, test } from 'vitest'
import { approval, refusal, setup } from './setup.ts'
import { testHubu, tokens, type TestHubu } from './start.ts'

/** A limit of 500, a budget of 1000 and a spend of 600: a pending request. */
async function pending(hubu: TestHubu) {
  const shorthand = setup(hubu)
  const { agent } = await shorthand.ready(500, 1000)
  const spend = { key: 'k', amount: 600, merchant: 'vendor.example' }
  const asked = await shorthand.authorize(agent, spend)
  return { ...shorthand, agent, spend, asked, id: asked.body.decision_id as string }
}

test('a spend that no rule allows waits for a human', async () => {
  await using hubu = await testHubu()
  const { agent, spend, asked, id, authorize } = await pending(hubu)
  expect(asked.body).toMatchObject({
    decision: 'needs_approval',
    approval: {
      approval_request_id: id,
      status: 'pending',
      review: { amount_cents: 600, account_id: agent.account_id, lease_profile: 'default', operation_key: 'k' },
    },
    auth_token_id: null,
    budget_hold: null,
    attempt_history: [{ final_decision: 'pending_approval', decision_id: null, reasons: [expect.any(String)] }],
    retry_guidance: { action: 'replay_exactly' },
  })
  const conflict = await authorize(agent, { ...spend, amount: 400 })
  expect([conflict.status, conflict.body.retry_guidance.action]).toEqual([409, 'create_new_operation'])
  expect((await hubu.get(`/spend/approval?approval_request_id=${id}`)).body).toEqual(asked.body.approval)
})

test('an approval issues token and hold, is recovered by the same request, and survives a restart', async () => {
  await using hubu = await testHubu()
  const { agent, spend, asked, id, authorize, resolve } = await pending(hubu)
  const approved = await resolve(id, 'approve')
  expect(approved.body).toMatchObject({
    decision: 'allow',
    approval: { status: 'approved' },
    budget_hold: { status: 'frozen', amount_cents: 600 },
    idempotent_replay: false,
    reasons: asked.body.reasons,
    attempt_history: [{ final_decision: 'allowed' }],
    scope_inputs: { currency: { source: 'supplied' }, provider: { source: 'inferred' } },
  })
  const token = approved.body.auth_token_id
  expect((await authorize(agent, spend)).body).toMatchObject({
    decision: 'allow',
    approval: { status: 'approved' },
    auth_token_id: token,
    idempotent_replay: true,
  })
  await hubu.restart()
  expect((await hubu.get(`/spend/approval?approval_request_id=${id}`)).body.status).toBe('approved')
  const resolved = await hubu.post('/spend/executor/resolve', { spend_auth_token_id: token })
  expect(resolved.body).toMatchObject({ status: 'available', budget_hold: { status: 'frozen' } })
})

test('two approvals at once give one token and one hold', async () => {
  await using hubu = await testHubu()
  const { id, resolve, balances } = await pending(hubu)
  const answers = await Promise.all([resolve(id, 'approve'), resolve(id, 'approve')])
  expect(answers.map((answer) => answer.status)).toEqual([200, 200])
  expect(new Set(answers.map((answer) => answer.body.auth_token_id)).size).toBe(1)
  expect(new Set(answers.map((answer) => answer.body.budget_hold.hold_id)).size).toBe(1)
  expect(answers.filter((answer) => answer.body.idempotent_replay)).toHaveLength(1)
  expect(await balances()).toEqual([0, 600, 400])
})

test.each<[string, Record<string, string>, string]>([
  ['no capability', {}, 'missing human approval capability'],
  ['a blank capability', { 'X-Hubu-Approval-Capability': '  ' }, 'missing human approval capability'],
  ['the bearer as capability', { 'X-Hubu-Approval-Capability': tokens.api }, 'invalid human approval capability'],
  [
    'the other capability',
    { 'X-Hubu-Approval-Capability': tokens.reconciliation },
    'invalid human approval capability',
  ],
])('%s is a 400 before the body is read', async (_what, headers, error) => {
  await using hubu = await testHubu()
  const { id } = await pending(hubu)
  expect(refusal(await hubu.post('/spend/approval/resolve', 'not json', { headers }))).toEqual([400, error])
  expect((await hubu.get(`/spend/approval?approval_request_id=${id}`)).body.status).toBe('pending')
})

test('a denial is terminal, repeats as itself, and cannot become an approval', async () => {
  await using hubu = await testHubu()
  const { agent, spend, id, resolve, authorize } = await pending(hubu)
  const denied = await resolve(id, 'deny')
  expect(denied.body).toMatchObject({
    decision: 'deny',
    approval: { status: 'denied' },
    auth_token_id: null,
    budget_hold: null,
    retry_guidance: { action: 'replay_exactly' },
  })
  expect(denied.body.reasons).toEqual(denied.body.attempt_history[0].reasons)
  expect((await resolve(id, 'deny')).body).toEqual({ ...denied.body, idempotent_replay: true })
  expect(refusal(await resolve(id, 'approve'))[1]).toContain('already denied')
  const corrected = await authorize(agent, { ...spend, amount: 500 })
  expect(corrected.body).toMatchObject({ decision: 'allow', revision: 2 })
  expect((await hubu.get(`/spend/approval?approval_request_id=${id}`)).body.status).toBe('denied')
})

test('an approval cannot become a denial, and paying it says what the policy said', async () => {
  await using hubu = await testHubu()
  const { agent, spend, id, resolve, pay } = await pending(hubu)
  await resolve(id, 'approve')
  expect(refusal(await resolve(id, 'deny'))[1]).toContain('already approved')
  expect((await pay(agent, spend)).body).toMatchObject({
    decision: 'needs_approval',
    approval: { status: 'approved' },
    payment: { status: 'succeeded' },
    budget_hold: { status: 'settled' },
  })
})

test.each([
  ['another word', { decision: 'maybe' }],
  ['an extra key', { note: 1 }],
  ['an id that is none', { approval_request_id: 'x' }],
  ['an unknown id', { approval_request_id: '00000000-0000-4000-8000-000000000000' }],
])('a resolution with %s is a 400', async (_what, change) => {
  await using hubu = await testHubu()
  const { id } = await pending(hubu)
  const body = { approval_request_id: id, decision: 'approve', ...change }
  expect((await hubu.post('/spend/approval/resolve', body, approval)).status).toBe(400)
})

test("what is not a pending request of one's own cannot be seen or resolved", async () => {
  await using hubu = await testHubu()
  const { agent, id, authorize, resolve, user } = await pending(hubu)
  const allowed = await authorize(agent, { key: 'small', amount: 1 })
  const show = (which: string) => hubu.get(`/spend/approval${which}`)
  expect((await show(`?approval_request_id=${allowed.body.decision_id}`)).status).toBe(400)
  expect((await resolve(allowed.body.decision_id, 'approve')).status).toBe(400)
  expect((await show('')).status).toBe(400)
  await user('stranger')
  expect((await show(`?approval_request_id=${id}`)).status).toBe(400)
  expect((await resolve(id, 'approve')).status).toBe(400)
})

test('an approval without budget leaves the request pending, and the lifetime starts with the one that succeeds', async () => {
  await using hubu = await testHubu()
  const { agent: register, limit, budget, authorize, resolve } = setup(hubu)
  const agent = await register()
  await limit(agent, 500)
  const asked = await authorize(agent, { key: 'k', amount: 600 })
  const id = asked.body.decision_id as string
  expect(refusal(await resolve(id, 'approve'))).toEqual([400, 'no active USD budget found for agent'])
  const made = await budget(agent, 599)
  expect(refusal(await resolve(id, 'approve'))).toEqual([400, 'budget does not have enough remaining balance'])
  hubu.clock.advance(3600)
  expect((await hubu.get(`/spend/approval?approval_request_id=${id}`)).body.status).toBe('pending')
  await hubu.post('/budgets/replace', { ...made, amount_cents: 600 })
  expect((await resolve(id, 'approve')).body).toMatchObject({
    decision: 'allow',
    authorization_expires_at: '2030-01-02T04:09:05+00:00',
  })
})
