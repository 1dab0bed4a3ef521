import { expect, test } from 'vitest'
import { args, RouterWorld, type TestRouter } from './router-world.ts'

const authorize = (router: TestRouter, callId: string, callArgs: object = args) =>
  router.call('hubu_authorize_spend', callArgs, { callId })

async function world(options: Parameters<RouterWorld['start']>[0] = {}) {
  const it = new RouterWorld()
  return { it, router: await it.start(options), [Symbol.dispose]: () => it[Symbol.dispose]() }
}

const repeating = ['hubu_authorize_spend:0', 'functions.hubu_authorize_spend:0', 'call_tool_1', 'call_0', '7']

test.each(repeating)(
  'an old answer to %s is given again first, and a text beside it says that nothing was bought',
  async (id) => {
    using w = await world()
    const first = (await authorize(w.router, id)).result
    await w.it.time.pass(61_000)
    const again = (await authorize(w.router, id)).result
    expect(first?.content).toHaveLength(1)
    expect(again?.structuredContent).toEqual(first?.structuredContent)
    expect(again?.content[0]).toEqual(first?.content[0])
    expect(again?.content).toHaveLength(2)
    const note = again?.content[1]?.text
    for (const part of ['bought nothing', 'not distinct', '2026-11-29T00:00:0']) expect(note).toContain(part)
    expect(note).not.toContain(id === '7' ? ' 7 ' : id)
    expect(Object.keys(again ?? {})).toEqual(Object.keys(first ?? {}))
    expect(w.it.hubu.posts).toHaveLength(1)
  },
)

test('a retry soon after the answer gets the very same bytes', async () => {
  using w = await world()
  const first = await authorize(w.router, 'call_0')
  await w.it.time.pass(30_000)
  expect((await authorize(w.router, 'call_0')).bytes).toBe(first.bytes)
})

test('a later run of the router tells the answer of the one before as an earlier one', async () => {
  using w = await world()
  await authorize(w.router, 'call_0')
  w.router.kill()
  await w.it.time.pass(1000)
  expect((await authorize(await w.it.start(), 'call_0')).result?.content).toHaveLength(2)
})

test.each(['c-1', 'toolu_01ABCDEFGHIJKLMNOPQRSTUV', '3f2b8c1e-9d47-4a60-8f3c-5b1e7a9d2c46'])(
  'ids like %s get the same bytes however late',
  async (id) => {
    using w = await world()
    const first = await authorize(w.router, id)
    await w.it.time.pass(120_000)
    expect((await authorize(w.router, id)).bytes).toBe(first.bytes)
  },
)

test.each(repeating)('a collision of %s says that the ids are not distinct and who can mend it', async (id) => {
  using w = await world()
  await authorize(w.router, id)
  const { error } = await authorize(w.router, id, { ...args, amount_cents: 30 })
  expect(error?.data).toEqual({ code: 'identity_collision', reason: 'ids_repeat' })
  expect(error?.message).toMatch(/nothing was bought.*not distinct.*UUID/)
  expect(error?.message).not.toMatch(/Redeliver/)
  expect(w.it.hubu.posts).toHaveLength(1)
})

test('after one collision the ids of that client count as repeating, whatever their form', async () => {
  using w = await world({ rules: { journal: 'full' } })
  await authorize(w.router, 'c-1')
  await authorize(w.router, 'c-2')
  await authorize(w.router, 'c-1', { ...args, amount_cents: 30 })
  const { error } = await authorize(w.router, 'c-2', { ...args, amount_cents: 30 })
  expect(error?.data).toEqual({ code: 'identity_collision', reason: 'ids_repeat' })
  expect(error?.message).toMatch(/used for two purchases before.*HUBU_UNIFIED_IDENTITY=replace/)
  await w.it.time.pass(61_000)
  const again = (await authorize(w.router, 'c-2')).result
  expect(again?.content[1]?.text).toContain('bought nothing')
  await w.it.time.pass(24 * 60 * 60 * 1000)
  expect((await authorize(w.router, 'c-2')).result?.content).toHaveLength(1)
})

test('a collision of distinct ids keeps its words', async () => {
  using w = await world()
  await authorize(w.router, 'c-1')
  const { error } = await authorize(w.router, 'c-1', { ...args, amount_cents: 30 })
  expect(error?.data).toEqual({ code: 'identity_collision' })
  expect(error?.message).toMatch(/Redeliver the original call unchanged/)
})
