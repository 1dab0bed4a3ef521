// A purchase that waits for a human completes by itself, whoever asks and whichever process is there.
import { expect, onTestFinished, test } from 'vitest'
import { args, RouterWorld, type TestRouter } from './router-world.ts'
import { answer } from './scripted-hubu.ts'

const waiting = answer({ decision: 'needs_approval', payment: null, approval: { approval_request_id: 'apr-1' } })
const approved = answer({
  decision: 'allow',
  auth_token_id: 'tok-9',
  authorization_expires_at: '2099-01-01T00:00:00Z',
  approval: { approval_request_id: 'apr-1' },
})
const paid = answer({
  decision: 'needs_approval',
  payment: { status: 'succeeded' },
  approval: { approval_request_id: 'apr-1' },
})

const completing = { completesWaiting: true }

function world(): RouterWorld {
  const made = new RouterWorld()
  onTestFinished(() => made[Symbol.dispose]())
  return made
}

const codex = (callId: string) => ({ callId })

async function askFor(w: RouterWorld, router: TestRouter, tool: string, callId = 'c-1'): Promise<string> {
  w.hubu.next.push(() => waiting)
  const { result } = await router.call(tool, args, codex(callId))
  return String(result?.structuredContent.operation_handle)
}

async function statusOf(router: TestRouter, handle: string) {
  const { result } = await router.call('hubu_operation_status', { operation_handle: handle })
  return result!.structuredContent
}

const waits = (w: RouterWorld) => w.sql<{ request_text: string }>('select * from waiting_spends')

test('an authorization that a human approved is told by the status, with nothing delivered again', async () => {
  const w = world()
  const router = await w.start(completing)
  const handle = await askFor(w, router, 'hubu_authorize_spend')
  expect((await statusOf(router, handle)).guidance).toMatch(/completes by itself/)
  w.hubu.next.push(() => approved)
  await w.time.pass(1500)
  const status = await statusOf(router, handle)
  expect(status).toMatchObject({ schema_version: 1, state: 'authorized' })
  expect(status.guidance).toContain('tok-9')
  expect(new Set(w.hubu.keys).size).toBe(1)
  expect(waits(w)).toEqual([])
})

test('the harness that delivers the call again gets the same bytes as the worker stored', async () => {
  const w = world()
  const router = await w.start(completing)
  await askFor(w, router, 'hubu_authorize_spend')
  w.hubu.next.push(() => approved)
  await w.time.pass(1500)
  const posts = w.hubu.posts.length
  const again = await router.call('hubu_authorize_spend', args, codex('c-1'))
  expect(again.result?.structuredContent.auth_token_id).toBe('tok-9')
  expect(w.hubu.posts).toHaveLength(posts)
})

test('a payment that a human approved is told as paid', async () => {
  const w = world()
  const router = await w.start(completing)
  const handle = await askFor(w, router, 'hubu_submit_spend')
  w.hubu.next.push(() => paid)
  await w.time.pass(1500)
  expect(await statusOf(router, handle)).toMatchObject({ state: 'succeeded', result: { code: 'spend_succeeded' } })
  expect(waits(w)).toEqual([])
})

test.each([
  ['denied', answer({ decision: 'deny' }), 'authorization_denied'],
  ['ran out', answer({ error: 'the token is expired' }, 400), 'authorization_continuation_unavailable'],
])('what a human approved or not ends: %s', async (_what, last, code) => {
  const w = world()
  const router = await w.start(completing)
  const handle = await askFor(w, router, 'hubu_authorize_spend')
  w.hubu.next.push(() => last)
  await w.time.pass(1500)
  expect(await statusOf(router, handle)).toMatchObject({ state: 'failed', result: { code } })
  expect(waits(w)).toEqual([])
})

test('another process goes on where one was killed, with the same key', async () => {
  const w = world()
  const first = await w.start(completing)
  const handle = await askFor(w, first, 'hubu_authorize_spend')
  first.kill()
  const second = await w.start(completing)
  w.hubu.next.push(() => approved)
  await w.time.pass(15_000)
  expect(await statusOf(second, handle)).toMatchObject({ state: 'authorized' })
  expect(new Set(w.hubu.keys).size).toBe(1)
})

test('it is asked for soon at first, then slower, and for a day at most', async () => {
  const w = world()
  const router = await w.start(completing)
  const handle = await askFor(w, router, 'hubu_submit_spend')
  const waitFor = async (ms: number) => {
    const before = w.hubu.posts.length
    for (let left = ms; left > 0; left -= 500) {
      if (w.hubu.next.length === 0) w.hubu.next.push(() => waiting)
      await w.time.pass(500)
    }
    return w.hubu.posts.length - before
  }
  expect(await waitFor(5000)).toBeGreaterThanOrEqual(3)
  await waitFor(60_000)
  const inAMinute = await waitFor(60_000)
  expect(inAMinute).toBeGreaterThanOrEqual(3)
  expect(inAMinute).toBeLessThanOrEqual(5)
  w.sql("update waiting_spends set waits_since = '2026-11-27T00:00:00.000Z'")
  await w.time.pass(20_000)
  expect(waits(w)).toEqual([])
  const posts = w.hubu.posts.length
  await w.time.pass(60_000)
  expect(w.hubu.posts).toHaveLength(posts)
  expect((await statusOf(router, handle)).guidance).toMatch(/then redeliver the original call/)
})

test('while Hubu is away it waits on, and nothing is lost', async () => {
  const w = world()
  const router = await w.start(completing)
  const handle = await askFor(w, router, 'hubu_authorize_spend')
  w.hubu.next.push(() => ({ kind: 'not_connected' }))
  await w.time.pass(1200)
  expect(w.hubu.next).toEqual([])
  expect(await statusOf(router, handle)).toMatchObject({ state: 'approval_required' })
  w.hubu.next.push(() => approved)
  await w.time.pass(3000)
  expect(await statusOf(router, handle)).toMatchObject({ state: 'authorized' })
})

test('with a journal the worker tells its tries once, and the change of the answer', async () => {
  const w = world()
  const router = await w.start({ ...completing, rules: { journal: 'full' } })
  await askFor(w, router, 'hubu_authorize_spend')
  w.hubu.next.push(
    () => waiting,
    () => waiting,
    () => approved,
  )
  await w.time.pass(8000)
  await router.registry!.books!.sealer.sealAll()
  const kinds = w
    .sql<{ entry: string }>('select entry from operation_journal order by seq')
    .map(({ entry }) => (JSON.parse(entry) as { kind: string }).kind)
  expect(kinds).toEqual(['journal_opened', 'opened', 'answered', 'sent', 'answered'])
})
