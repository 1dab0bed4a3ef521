import { expect, test } from 'vitest'
import type { HttpOutcome } from '../../src/backends/http-client.ts'
import { args, RouterWorld, type Outcome, type TestRouter } from './router-world.ts'
import { answer, type SpendPost } from './scripted-hubu.ts'

const authorize = (router: TestRouter | undefined, callId = 'c-1') =>
  (router as TestRouter).call('hubu_authorize_spend', args, { callId })
const dataCode = ({ error }: Outcome) => error?.data?.code
const decisionOf = ({ result }: Outcome) => result?.structuredContent.decision

/** A world of this many processes. */
async function world(count: number) {
  const it = new RouterWorld()
  const routers = await Promise.all(Array.from({ length: count }, () => it.start()))
  return {
    it,
    routers,
    hubu: it.hubu,
    pass: (ms: number) => it.time.pass(ms),
    [Symbol.dispose]: () => it[Symbol.dispose](),
  }
}

/** The next posts are answered when the test says so. */
function held(it: RouterWorld, count = 1) {
  const waiting: { post: SpendPost; say(outcome: HttpOutcome | Promise<HttpOutcome>): void }[] = []
  for (let i = 0; i < count; i++)
    it.hubu.next.push((post) => new Promise((resolve) => void waiting.push({ post, say: resolve })))
  return waiting
}

const pending = answer({ decision: 'needs_approval', approval: { approval_request_id: 'apr-1' } })

test('deliveries of one call in one process wait for the first and get what it stored; other calls do not wait', async () => {
  using w = await world(1)
  const [router] = w.routers
  const waiting = held(w.it)
  const same = [authorize(router), authorize(router), authorize(router)]
  await w.pass(0)
  expect(decisionOf(await authorize(router, 'c-2'))).toBe('allow')
  await w.pass(1000)
  waiting[0]?.say(w.hubu.allow(waiting[0].post))
  await w.pass(0)
  const replies = await Promise.all(same)
  expect(new Set(replies.map(({ bytes }) => bytes)).size).toBe(1)
  expect(w.hubu.posts).toHaveLength(2)
})

test('deliveries in several processes make one dispatch; all get its stored result', async () => {
  using w = await world(4)
  const waiting = held(w.it)
  const calls = w.routers.flatMap((router) => [authorize(router), authorize(router)])
  await w.pass(2500)
  expect(w.hubu.posts).toHaveLength(1)
  waiting[0]?.say(w.hubu.allow(waiting[0].post))
  await w.pass(100)
  const replies = await Promise.all(calls)
  expect(new Set(replies.map(({ bytes }) => bytes)).size).toBe(1)
  expect(w.hubu.posts).toHaveLength(1)
})

test.each([1, 3])(
  'a pending approval answers everybody who waited for it in %d processes, and only a new delivery asks again',
  async (count) => {
    using w = await world(count)
    const waiting = held(w.it)
    const calls = [0, 1, 2].map((i) => authorize(w.routers[i % count]))
    await w.pass(1000)
    waiting[0]?.say(pending)
    await w.pass(100)
    const replies = await Promise.all(calls)
    expect(replies.map(decisionOf)).toEqual(['needs_approval', 'needs_approval', 'needs_approval'])
    expect(w.hubu.posts).toHaveLength(1)
    await w.pass(100)
    expect(decisionOf(await authorize(w.routers[0]))).toBe('allow')
    expect(w.hubu.posts).toHaveLength(2)
  },
)

test('a delivery that meets a call under way, which was pending before, waits for the new answer and not for the old one', async () => {
  using w = await world(2)
  w.hubu.next.push(() => pending)
  await authorize(w.routers[0])
  await w.pass(100)
  const waiting = held(w.it)
  const calls = [authorize(w.routers[0]), authorize(w.routers[1])]
  await w.pass(500)
  expect(w.hubu.posts).toHaveLength(2)
  waiting[0]?.say(w.hubu.allow(waiting[0].post))
  await w.pass(100)
  expect((await Promise.all(calls)).map(decisionOf)).toEqual(['allow', 'allow'])
  expect(w.hubu.posts).toHaveLength(2)
})

test('a request that runs long keeps its dispatch: nobody else sends while its process lives', async () => {
  using w = await world(2)
  const waiting = held(w.it)
  const first = authorize(w.routers[0])
  await w.pass(0)
  const second = authorize(w.routers[1])
  await w.pass(12_000)
  expect(w.hubu.posts).toHaveLength(1)
  waiting[0]?.say(w.hubu.allow(waiting[0].post))
  await w.pass(100)
  expect((await first).bytes).toBe((await second).bytes)
})

test('when the sender dies, a waiting process takes the call over with the same key within its three seconds', async () => {
  using w = await world(2)
  held(w.it)
  void authorize(w.routers[0])
  await w.pass(1000)
  const second = authorize(w.routers[1])
  await w.pass(100)
  w.routers[0]?.kill()
  await w.pass(1800)
  expect(w.hubu.posts).toHaveLength(1)
  await w.pass(3000)
  expect(decisionOf(await second)).toBe('allow')
  expect(w.hubu.keys[1]).toBe(w.hubu.keys[0])
})

test('when the first try is lost, one of the waiting processes sends the call next', async () => {
  using w = await world(3)
  const waiting = held(w.it)
  const calls = w.routers.map((router) => authorize(router))
  await w.pass(500)
  waiting[0]?.say({ kind: 'no_answer' })
  await w.pass(500)
  const replies = await Promise.all(calls)
  expect(w.hubu.posts).toHaveLength(2)
  expect(new Set(w.hubu.keys).size).toBe(1)
  expect(replies.filter(({ error }) => error !== undefined)).toEqual([])
})

test('when the first try is refused, the waiting processes get the same refusal and send nothing', async () => {
  using w = await world(3)
  const waiting = held(w.it)
  const calls = w.routers.map((router) => authorize(router))
  await w.pass(500)
  waiting[0]?.say(answer({ error: 'no' }, 401))
  await w.pass(500)
  const replies = await Promise.all(calls)
  expect(w.hubu.posts).toHaveLength(1)
  expect(replies.map(dataCode)).toEqual(replies.map(() => 'hubu_application_error'))
})

test('an ambiguous outcome that a waiting delivery settles is answered with what that one learned, however long it takes', async () => {
  using w = await world(2)
  const waiting = held(w.it, 2)
  const first = authorize(w.routers[0])
  await w.pass(0)
  const second = authorize(w.routers[1])
  await w.pass(100)
  waiting[0]?.say({ kind: 'no_answer' })
  await w.pass(2500)
  waiting[1]?.say(w.hubu.allow(waiting[1].post))
  await w.pass(100)
  expect((await first).bytes).toBe((await second).bytes)
  expect(decisionOf(await first)).toBe('allow')
})

test('an ambiguous outcome that nobody settles is told after a quarter of a second', async () => {
  using w = await world(1)
  w.hubu.next.push(() => ({ kind: 'no_answer' }))
  let reply: Outcome | undefined
  void authorize(w.routers[0]).then((outcome) => {
    reply = outcome
  })
  await w.pass(200)
  expect(reply).toBeUndefined()
  await w.pass(100)
  expect(reply && dataCode(reply)).toBe('hubu_result_ambiguous')
})

test('a process that waits for another one gives up after fifteen seconds, with the handle and without a second dispatch', async () => {
  using w = await world(2)
  held(w.it)
  void authorize(w.routers[0])
  await w.pass(0)
  const second = authorize(w.routers[1])
  await w.pass(15_200)
  const reply = await second
  expect(dataCode(reply)).toBe('hubu_result_ambiguous')
  expect(reply.error?.message).toContain(w.it.row().operation_handle)
  expect(w.hubu.posts).toHaveLength(1)
})

test('a late pending answer of a process that lost its dispatch returns the allowance that another one stored', async () => {
  using w = await world(2)
  const waiting = held(w.it)
  const first = authorize(w.routers[0])
  await w.pass(0)
  w.it.sql("update harness_operations set worker_lease_expires_at = '2026-01-01T00:00:00.000Z'")
  const winner = await authorize(w.routers[1])
  expect(decisionOf(winner)).toBe('allow')
  waiting[0]?.say(pending)
  await w.pass(0)
  expect((await first).bytes).toBe(winner.bytes)
  expect(w.it.row()).toMatchObject({ decision: 'allow', approval_request_id: null })
})

test('a client that gave up and delivers again gets the stored result of its first delivery', async () => {
  using w = await world(1)
  const waiting = held(w.it)
  void authorize(w.routers[0])
  await w.pass(2000)
  waiting[0]?.say(w.hubu.allow(waiting[0].post))
  await w.pass(2000)
  expect(decisionOf(await authorize(w.routers[0]))).toBe('allow')
  expect(w.hubu.posts).toHaveLength(1)
})

test('fifty calls with fresh identities each reach Hubu, and each failure tells what it was', async () => {
  using w = await world(1)
  for (let i = 0; i < 50; i++) w.hubu.next.push(() => answer({ error: 'over budget' }, 402))
  const replies = await Promise.all(Array.from({ length: 50 }, (_, i) => authorize(w.routers[0], `loop-${i}`)))
  expect(w.hubu.posts).toHaveLength(50)
  expect(new Set(w.hubu.keys).size).toBe(50)
  for (const reply of replies)
    expect(reply.error?.message).toMatch(/402: over budget.*each new call is a purchase of its own/)
})

test('a waiting process looks without locking: the file is written once for each dispatch and once for each answer', async () => {
  using w = await world(2)
  let writes = 0
  const counting = await w.it.start({
    through: (database) =>
      new Proxy(database, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name, target)
          if (name === 'transaction')
            return (work: (...given: unknown[]) => unknown) =>
              target.transaction((...given) => {
                writes++
                return work(...given)
              })
          return typeof member === 'function' ? (member.bind(target) as unknown) : member
        },
      }),
    hasWorker: false,
  })
  const waiting = held(w.it)
  void authorize(w.routers[0])
  await w.pass(0)
  writes = 0
  const call = authorize(counting)
  await w.pass(2000)
  expect(writes).toBe(1)
  waiting[0]?.say(w.hubu.allow(waiting[0].post))
  await w.pass(100)
  expect(decisionOf(await call)).toBe('allow')
  expect(writes).toBe(2)
})
