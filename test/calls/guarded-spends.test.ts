// Spends of clients that name no call: the router names them, and an equal one joins the one that is open.
import { expect, onTestFinished, test } from 'vitest'
import { args, create, RouterWorld, type RouterOptions } from './router-world.ts'
import { answer } from './scripted-hubu.ts'

const guarded: RouterOptions = {
  rules: { journal: 'full', twinGuard: 'refuse', principal: 'cursor' },
  spendIdentity: 'guarded',
}
const tool = 'hubu_submit_spend'
const paid = answer({ decision: 'allow', payment: { status: 'succeeded' } })

function world(): RouterWorld {
  const made = new RouterWorld()
  onTestFinished(() => made[Symbol.dispose]())
  return made
}

test('a call without an identity buys, under a name of the router, and its status says so', async () => {
  const w = world()
  const router = await w.start(guarded)
  w.hubu.next.push(() => paid)
  const bought = await router.call(tool, args)
  expect(bought.result?.structuredContent).not.toHaveProperty('purchase')
  const row = w.row()
  expect(row.platform).toBe('guarded')
  expect(row.harness_call_id).toMatch(/^guarded:v1:[0-9a-f]{64}$/)
  expect([row.codex_call_id, row.claude_tool_use_id, row.hubu_invocation_id, row.task_id]).toEqual([
    null,
    null,
    null,
    null,
  ])
  expect(row.operation_key).toMatch(/^hubu:operation:v1:guarded:[0-9a-f]{32}$/)
  const status = await router.call('hubu_operation_status', { operation_handle: row.operation_handle })
  expect(status.result?.structuredContent).toMatchObject({ schema_version: 2, identity: 'guarded', answer: 'paid' })
})

test('the same call again is the answer of the first one and says that it bought nothing', async () => {
  const w = world()
  const router = await w.start(guarded)
  w.hubu.next.push(() => paid)
  const first = await router.call(tool, args)
  const again = await router.call(tool, args)
  const { purchase, ...same } = again.result!.structuredContent
  expect(same).toEqual(first.result?.structuredContent)
  expect(purchase).toMatchObject({ repeated: true, bought_by_this_call: false })
  expect(w.hubu.posts).toHaveLength(1)
  expect(w.row().result_json).not.toContain('repeated')
})

test('calls of several processes at one instant are one purchase', async () => {
  const w = world()
  const routers = [await w.start(guarded), await w.start(guarded), await w.start(guarded)]
  let tell = () => {}
  const told = new Promise<void>((resolve) => (tell = resolve))
  w.hubu.next.push(async () => {
    await told
    return paid
  })
  const calls = Array.from({ length: 8 }, (_, n) => routers[n % 3]!.call(tool, args))
  await w.time.pass(200)
  tell()
  await w.time.pass(500)
  const outcomes = await Promise.all(calls)
  const bare = outcomes.map(({ result }) => {
    const { purchase: _purchase, ...rest } = result!.structuredContent
    return JSON.stringify(rest)
  })
  expect(new Set(bare).size).toBe(1)
  expect(outcomes.filter(({ result }) => result?.structuredContent.purchase === undefined)).toHaveLength(1)
  expect(w.hubu.posts).toHaveLength(1)
  expect(w.rows()).toHaveLength(1)
})

test('an answer that never came is asked for again under the same key', async () => {
  const w = world()
  const router = await w.start(guarded)
  w.hubu.next.push(() => answer('no object', 200))
  const lost = router.call(tool, args)
  await w.time.pass(1000)
  expect((await lost).error?.message).toMatch(/exactly the same arguments/)
  w.hubu.next.push(() => paid)
  const again = await router.call(tool, args)
  expect(again.result?.structuredContent.purchase).toMatchObject({ repeated: true })
  expect(new Set(w.hubu.keys).size).toBe(1)
  expect(w.hubu.posts).toHaveLength(2)
})

test('once paid and taken, an equal one is refused for a while, and is a new purchase after it', async () => {
  const w = world()
  const router = await w.start(guarded)
  w.hubu.next.push(() => paid)
  await router.call(tool, args)
  const { operation_handle: handle } = w.row()
  await router.call('hubu_operation_status', { operation_handle: handle })
  await w.time.pass(9 * 60_000)
  const refused = await router.call(tool, args)
  expect(refused.error?.data).toMatchObject({
    code: 'possible_duplicate',
    operation_handle: handle,
    reason: 'earlier_just_paid',
    answer: 'paid',
  })
  expect(w.hubu.posts).toHaveLength(1)
  await w.time.pass(2 * 60_000)
  w.hubu.next.push(() => paid)
  expect((await router.call(tool, args)).result?.structuredContent).not.toHaveProperty('purchase')
  expect(w.rows()).toHaveLength(2)
})

test('a denied purchase may be asked for again', async () => {
  const w = world()
  const router = await w.start(guarded)
  w.hubu.next.push(() => answer({ decision: 'deny' }))
  await router.call(tool, args)
  w.hubu.next.push(() => paid)
  expect((await router.call(tool, args)).result?.structuredContent.decision).toBe('allow')
  expect(new Set(w.hubu.keys).size).toBe(2)
})

test('an equal call while a human decides asks for the same review', async () => {
  const w = world()
  const router = await w.start(guarded)
  const waiting = answer({ decision: 'needs_approval', payment: null, approval: { approval_request_id: 'apr-1' } })
  w.hubu.next.push(
    () => waiting,
    () => waiting,
  )
  await router.call(tool, args)
  const again = await router.call(tool, args)
  expect(again.result?.structuredContent).toMatchObject({ decision: 'needs_approval', purchase: { repeated: true } })
  expect(new Set(w.hubu.keys).size).toBe(1)
})

test('two sessions that are joined to one authorization can execute one thing with it', async () => {
  const w = world()
  const [one, other] = [await w.start(guarded), await w.start(guarded)]
  const first = await one.call('hubu_authorize_spend', args)
  const joined = await other.call('hubu_authorize_spend', args)
  const token = first.result?.structuredContent.auth_token_id
  expect(joined.result?.structuredContent.auth_token_id).toBe(token)
  const made = { ...create, spend_auth_token_id: token }
  expect((await one.call('gongbu_create_execution', made)).result?.isError).toBe(false)
  const changed = { ...made, input: { image_count: 1, prompt: 'a square' } }
  expect((await other.call('gongbu_create_execution', changed)).error?.data).toMatchObject({
    code: 'continuation_intent_conflict',
  })
})

test('a call with an id keeps it, and the guard covers it too; in place of an id that repeats, the router names the call', async () => {
  const w = world()
  const router = await w.start(guarded)
  w.hubu.next.push(() => paid)
  await router.call(tool, args, { callId: 'c-1' })
  expect(w.row().platform).toBe('codex')
  expect((await router.call(tool, args, { callId: 'c-2' })).error?.data).toMatchObject({ code: 'possible_duplicate' })
  const replacing = await w.start({ ...guarded, spendIdentity: 'replace' })
  w.hubu.next.push(() => paid)
  await replacing.call(tool, { ...args, amount_cents: 26 }, { callId: 'NAME:0' })
  const [, named] = w.rows()
  expect(named?.platform).toBe('guarded')
  expect(JSON.stringify(w.rows())).not.toContain('NAME:0')
})

test.each(['harness', 'guarded', 'replace'] as const)(
  'a wrong identity is never filled in: %s',
  async (spendIdentity) => {
    const w = world()
    const router = await w.start({ ...guarded, spendIdentity })
    const codeOf = async (meta: object) => (await router.call(tool, args, meta)).error?.data?.code
    expect(await codeOf({ callId: 'a', 'claudecode/toolUseId': 'b' })).toBe('identity_ambiguous')
    expect(await codeOf({ callId: 7 })).toBe('identity_invalid')
    const envelope = { platform: 'guarded', invocation_id: 'x' }
    expect(await codeOf({ 'hubu.dev/platform-invocation': envelope })).toBe('identity_invalid')
    expect(w.hubu.posts).toEqual([])
  },
)

test('another principal makes a purchase of its own', async () => {
  const w = world()
  const [cursor, kimi] = [
    await w.start(guarded),
    await w.start({ ...guarded, rules: { ...guarded.rules, principal: 'kimi' } }),
  ]
  w.hubu.next.push(
    () => paid,
    () => paid,
  )
  await cursor.call(tool, args)
  expect((await kimi.call(tool, args)).result?.structuredContent).not.toHaveProperty('purchase')
  expect(w.rows()).toHaveLength(2)
})

test('a harness that says which purchase it means beside its id makes one more, once', async () => {
  const w = world()
  const router = await w.start(guarded)
  w.hubu.next.push(() => paid)
  await router.call(tool, args, { callId: 'c-1' })
  const meant = { 'hubu.dev/purchase': { confirms: w.row().operation_handle } }
  w.hubu.next.push(() => paid)
  expect((await router.call(tool, args, { callId: 'c-2', ...meant })).result?.isError).not.toBe(true)
  await router.call(tool, args, { callId: 'c-2', ...meant })
  expect((await router.call(tool, args, { callId: 'c-3', ...meant })).error?.data).toMatchObject({
    code: 'possible_duplicate',
  })
  expect(w.rows()).toHaveLength(2)
  const wrong = { 'hubu.dev/purchase': { confirms: 'mine' } }
  expect((await router.call(tool, args, { callId: 'c-4', ...wrong })).error?.data).toMatchObject({
    code: 'identity_invalid',
  })
})

test('with ids, a new call for what waits for a human is refused and names it; five equal ones that are taken are five', async () => {
  const w = world()
  const router = await w.start({ rules: { journal: 'full', twinGuard: 'doubt' } })
  w.hubu.next.push(() => answer({ decision: 'needs_approval', payment: null }))
  await router.call(tool, args, { callId: 'c-1' })
  expect((await router.call(tool, args, { callId: 'c-2' })).error?.data).toMatchObject({
    code: 'possible_duplicate',
    reason: 'earlier_waits_for_a_human',
  })
  const other = { ...args, amount_cents: 5 }
  for (const n of [1, 2, 3, 4, 5]) {
    w.hubu.next.push(() => paid)
    const one = await router.call(tool, other, { callId: `p-${n}` })
    await router.call('hubu_operation_status', { operation_handle: one.result?.structuredContent.operation_handle })
  }
  expect(w.rows()).toHaveLength(6)
})

test('to tell is not to refuse: the result names the purchase that it equals', async () => {
  const w = world()
  const router = await w.start({ rules: { journal: 'full', twinGuard: 'tell' } })
  w.hubu.next.push(
    () => paid,
    () => paid,
  )
  await router.call(tool, args, { callId: 'c-1' })
  const { operation_handle: first } = w.row()
  const second = await router.call(tool, args, { callId: 'c-2' })
  expect(second.result?.structuredContent.purchase).toMatchObject({ repeated: false, similar_operation: first })
})
