import { expect, test } from 'vitest'
import { OfferKeeper } from '../../src/downstream/offer-keeper.ts'
import { readOffer, type Offer } from '../../src/downstream/offer.ts'
import { realClock } from '../../src/timing/clock.ts'
import { FakeClock } from '../support/fake-clock.ts'

const offering = (name: string): Offer => ({
  tools: [],
  resources: [{ uri: 'a:1', name }],
  resourceTemplates: [],
  prompts: [],
  notes: [],
})

test('of two tools whose names nobody can tell apart the first is offered', async () => {
  const tools = ['a', 'a\u202e', 'b'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  const offer = await readOffer(() => Promise.resolve({ tools }), { tools: {} }, realClock)
  expect(offer.tools.map(({ listed }) => listed.name)).toEqual(['a', 'b'])
})

test('a server that announces a change in answer to each list is read seldom and ever more seldom, and no change is lost', async () => {
  const clock = new FakeClock()
  const readAtMs: number[] = []
  let name = 'a'
  let changes = 0
  const keeper = new OfferKeeper({
    clock,
    onChange: () => changes++,
    read: () => {
      readAtMs.push(clock.monotonicMs())
      keeper.refresh()
      return Promise.resolve(offering(name))
    },
  })
  keeper.refresh()
  for (let second = 0; second < 60; second++) {
    await new Promise(setImmediate)
    clock.advance(1000)
  }
  expect(readAtMs).toEqual([0, 2000, 6000, 14_000, 30_000])
  // Equal lists are no change.
  expect(changes).toBe(1)
  name = 'b'
  await new Promise(setImmediate)
  clock.advance(60_000)
  await new Promise(setImmediate)
  expect([changes, keeper.offer.resources[0]?.name]).toEqual([2, 'b'])
})

test('cursors that come again end a list, and nothing is in it twice', async () => {
  const pages: Record<string, object> = {
    '': { resources: [{ uri: 'a:1', name: 'a' }], nextCursor: '1' },
    '1': { resources: [{ uri: 'a:2', name: 'b' }], nextCursor: '2' },
    '2': { resources: [{ uri: 'a:3', name: 'c' }], nextCursor: '1' },
  }
  const ask = (method: string, params: Record<string, unknown>) =>
    Promise.resolve((method === 'resources/list' ? pages[String(params.cursor ?? '')] : {}) as Record<string, unknown>)
  const { resources } = await readOffer(ask, { resources: {} }, realClock)
  expect(resources.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
})

test('a list of tools that cannot be read does not cost the prompts, and is told', async () => {
  const ask = (method: string) =>
    method === 'tools/list' ? Promise.reject(new Error('no')) : Promise.resolve({ prompts: [{ name: 'p' }] })
  const offer = await readOffer(ask, { tools: {}, prompts: {} }, realClock)
  expect([offer.prompts, offer.notes]).toEqual([
    [{ name: 'p' }],
    [{ what: 'list of tools', done: 'could not be read' }],
  ])
  await expect(readOffer(ask, { tools: {} }, realClock)).rejects.toThrow('no')
})
