// How a spend ends: by its payment, by Hubu's refusal, or by an approval that came too late.
import { describe, expect, test } from 'vitest'
import { isOperationStatus } from '#generated/validators/router.js'
import { args, RouterWorld, type TestRouter } from './router-world.ts'
import { answer } from './scripted-hubu.ts'

const submit = (router: TestRouter, callId = 'c-1') => router.call('hubu_submit_spend', args, { callId })

async function statusOf(router: TestRouter, handle: unknown) {
  const { result } = await router.call('hubu_operation_status', { operation_handle: handle })
  expect(isOperationStatus(result?.structuredContent)).toBe(true)
  return result?.structuredContent
}

const waiting = answer({ decision: 'needs_approval', payment: null, approval: { approval_request_id: 'apr-1' } })
const paid = (decision: string, status: string) =>
  answer({
    decision,
    payment: { payment_id: 'pay-1', status, failure_reason: status === 'failed' ? 'declined' : null },
  })

describe('a spend that a human approved', () => {
  test('is paid when its payment says so, whatever the decision is called, and nobody is asked again', async () => {
    using it = new RouterWorld()
    const router = await it.start()
    it.hubu.next.push(
      () => waiting,
      () => paid('needs_approval', 'succeeded'),
    )
    const first = (await submit(router)).result?.structuredContent
    expect(first).toMatchObject({
      requires_human_approval: true,
      approval_reason: expect.stringContaining('No payment ran') as string,
    })
    const second = await submit(router)
    expect(second.result?.structuredContent).toMatchObject({
      requires_human_approval: false,
      payment: { status: 'succeeded' },
    })
    expect(second.result?.structuredContent).not.toHaveProperty('approval_reason')
    expect(await statusOf(router, first?.operation_handle)).toMatchObject({
      schema_version: 1,
      state: 'succeeded',
      terminal: true,
      result: { code: 'spend_succeeded' },
    })
    expect((await submit(router)).bytes).toBe(second.bytes)
    expect(it.hubu.posts).toHaveLength(2)
  })

  test('has failed for good when it is delivered after its authorization ran out', async () => {
    using it = new RouterWorld()
    const router = await it.start()
    it.hubu.next.push(
      () => waiting,
      () => answer({ error: 'token is expired' }, 400),
    )
    const handle = (await submit(router)).result?.structuredContent.operation_handle
    const late = await submit(router)
    expect(late.error?.message).toMatch(/token is expired\. A human had approved.*nothing was paid.*new call/)
    expect(late.error?.message).not.toMatch(/redeliver/)
    expect(await statusOf(router, handle)).toMatchObject({
      state: 'failed',
      terminal: true,
      replacement_safe: false,
      result: { code: 'authorization_continuation_unavailable' },
      guidance: expect.stringMatching(/nothing was paid.*approve it again/) as string,
    })
    expect((await submit(router)).bytes).toBe(late.bytes)
    expect(it.hubu.posts).toHaveLength(2)
  })
})

test.each(['allow', 'needs_approval'])('a declined payment after %s is a failure and no success', async (decision) => {
  using it = new RouterWorld()
  const router = await it.start()
  it.hubu.next.push(() => paid(decision, 'failed'))
  const { structuredContent } = (await submit(router)).result!
  expect(structuredContent.requires_human_approval).toBe(false)
  expect(await statusOf(router, structuredContent.operation_handle)).toMatchObject({
    schema_version: 2,
    state: 'failed',
    terminal: true,
    replacement_safe: false,
    result: { code: 'spend_payment_failed' },
    identity: 'harness',
    answer: 'not_paid',
  })
})

describe('a refusal of Hubu', () => {
  test.each([400, 401, 403, 422])('with %i ends the operation: the same call gets the same refusal', async (status) => {
    using it = new RouterWorld()
    const router = await it.start()
    it.hubu.next.push(() => answer({ error: 'no policy is assigned hubu-canary' }, status))
    const refused = await submit(router)
    expect(refused.error?.message).toMatch(/no policy is assigned <redacted>\. Correct the cause/)
    expect((await submit(router)).bytes).toBe(refused.bytes)
    const restarted = await it.start()
    expect((await submit(restarted)).bytes).toBe(refused.bytes)
    expect(it.hubu.posts).toHaveLength(1)
    const [row] = it.rows()
    expect(await statusOf(router, row?.operation_handle)).toMatchObject({
      schema_version: 2,
      state: 'failed',
      terminal: true,
      result: { code: 'spend_refused' },
      answer: 'refused',
    })
  })

  test('that comes too early is none: nothing was carried out, and the same call is sent again', async () => {
    using it = new RouterWorld()
    const router = await it.start()
    it.hubu.next.push(() => answer({ error: 'slow down' }, 429))
    expect((await submit(router)).error?.message).toMatch(/Nothing was carried out\. Redeliver this identical call/)
    expect((await submit(router)).result?.structuredContent).toMatchObject({ decision: 'allow' })
    expect(new Set(it.hubu.keys).size).toBe(1)
  })

  test.each([409, 500])('with %i leaves room for doubt at the next delivery', async (status) => {
    using it = new RouterWorld()
    const router = await it.start()
    it.hubu.next.push(
      () => answer({ error: 'no' }, status),
      () => answer({ error: 'no policy' }, 400),
    )
    await submit(router)
    expect((await submit(router)).error?.message).toMatch(/may have been carried out/)
    expect(it.hubu.posts).toHaveLength(2)
    expect((await submit(router)).result?.structuredContent).toMatchObject({ decision: 'allow' })
  })
})
