import { expect, test } from 'vitest'
import { createHubuApprovals } from '../../src/approvals/hubu-approvals.ts'
import { Secret } from '../../src/redaction/secret.ts'
import { stubBackend, type AnswerRequest } from '../support/stub-backend.ts'

const key = `hubu:operation:v1:codex:${'0a'.repeat(16)}`
const review = {
  operation_key: key,
  account_id: 'aga_1',
  agent_id: 'agt_1',
  amount_cents: 250,
  currency: 'usd',
  reason: `for ${key}`,
  policy_reasons: ['asked'],
  attempts: [{ operation_key: 'another-key', auth_token_id: 'tok-1', spend_auth_token_id: 'tok-2' }],
}
const approval = { approval_request_id: 'apr-1', status: 'pending', review, note: 'of another-key' }
const workflow = {
  ...{ workflow_id: 'apr-1', status: 'needs_approval', created_at: '2031-01-01T00:00:00Z', agent_id: 'agt_1' },
  ...{ authorized_max_cents: 250, currency: 'usd', operation_key: key, spend_auth_token_id: null },
}

/** Opens the approvals of a Hubu that answers so. */
async function approvalsOf(answer: AnswerRequest) {
  const stub = await stubBackend(answer)
  const hubu = createHubuApprovals({
    endpoint: stub.url,
    bearer: new Secret('bearer-1'),
    capability: new Secret('cap-1'),
  })
  return Object.assign(hubu, {
    stub,
    async [Symbol.asyncDispose]() {
      await hubu.close()
      await stub[Symbol.asyncDispose]()
    },
  })
}

const json = (status: number, value: unknown) => ({ status, json: value })

test('no private operation key and no authorization is in what people see of a request, decided or not', async () => {
  await using hubu = await approvalsOf(() => json(200, approval))
  for (const seen of [await hubu.show('apr-1'), await hubu.resolve('apr-1', 'deny')]) {
    expect(JSON.stringify(seen)).not.toMatch(/hubu:operation|operation_key|another-key|tok-/)
    expect(seen.review).toMatchObject({ amount_cents: 250, attempts: [{ auth_token_id: '<hidden>' }] })
  }
})

test('no private operation key is in the list of what waits', async () => {
  await using hubu = await approvalsOf(() => json(200, { workflows: [workflow], next_cursor: null }))
  expect(JSON.stringify(await hubu.pending())).not.toMatch(/hubu:operation|operation_key/)
})

test("a refusal of Hubu's is told in one line that no terminal obeys", async () => {
  await using hubu = await approvalsOf(() => json(400, { error: 'no\u001b[2J\napproved \u202e', retry_guidance: null }))
  await expect(hubu.show('apr-1')).rejects.toThrow('status 400: no<U+001B>[2J⏎approved <U+202E>')
})

test('a cursor that leads nowhere else, or ever on, is given up, and the list says that it is cut', async () => {
  await using circle = await approvalsOf(() => json(200, { workflows: [workflow], next_cursor: 'same' }))
  expect((await circle.pending()).isWhole).toBe(false)
  expect(circle.stub.exchanges).toHaveLength(2)
  let page = 0
  await using endless = await approvalsOf(() => json(200, { workflows: [workflow], next_cursor: `c${++page}` }))
  expect((await endless.pending()).isWhole).toBe(false)
  expect(endless.stub.exchanges).toHaveLength(10)
})

test('a Hubu without the routes for the list is told so, with the way to an id', async () => {
  await using hubu = await approvalsOf(() => json(400, { error: 'unknown route', retry_guidance: null }))
  await expect(hubu.pending()).rejects.toThrow(/cannot list what waits.*operations list --state approval_required/)
})

test('only a Hubu that gives no answer is away', async () => {
  await using gone = await approvalsOf(() => 'hangUp')
  await expect(gone.pending()).rejects.toMatchObject({ isAway: true })
  await using refusing = await approvalsOf(() => json(401, { error: 'who are you', retry_guidance: null }))
  await expect(refusing.pending()).rejects.toMatchObject({ isAway: false })
})

/** A Hubu that judges the capability before the id, in these words. */
const judging = (words: { wrong: string; unknown: string }, status = 400): AnswerRequest => {
  return (request) => {
    const isRight = request.headers['x-hubu-approval-capability'] === 'cap-1'
    return json(isRight ? 400 : status, { error: isRight ? words.unknown : words.wrong })
  }
}
const drawn = () => {
  let count = 0
  return () => String(++count).padStart(32, '0')
}

test('the capability is proven by what Hubu refuses it for, with an id that was never issued and without a decision', async () => {
  await using hubu = await approvalsOf(judging({ wrong: 'invalid capability', unknown: 'no such request' }))
  expect(await hubu.provesCapability(drawn())).toBe(true)
  const bodies = hubu.stub.exchanges.map(({ request: { body } }) => JSON.parse(String(body)) as Record<string, unknown>)
  expect(new Set(bodies.map(({ approval_request_id: id }) => id)).size).toBe(1)
  expect(bodies[0]).toEqual({ approval_request_id: '00000000-0000-4000-8000-000000000001', decision: 'deny' })
})

test.each<[string, AnswerRequest]>([
  ['all are refused alike', judging({ wrong: 'no such request', unknown: 'no such request' })],
  ['Hubu breaks', () => json(500, { error: 'broken' })],
  ['Hubu decides', () => json(200, approval)],
  [
    'wrong ones are refused in words that differ by themselves',
    ({ headers }) => json(400, { error: `request ${String(headers['x-hubu-approval-capability'])} refused` }),
  ],
])('nothing is proven where %s', async (_why, answer) => {
  await using hubu = await approvalsOf(answer)
  expect(await hubu.provesCapability(drawn())).toBe(false)
})

test('a brake that stops the last request proves nothing', async () => {
  let count = 0
  await using hubu = await approvalsOf(() =>
    ++count < 3 ? json(400, { error: 'invalid' }) : json(429, { error: 'slow' }),
  )
  expect(await hubu.provesCapability(drawn())).toBe(false)
})
