import { expect, test } from 'vitest'
import { readOffer, type AskPage } from '../../src/downstream/offer.ts'
import { FakeClock } from '../support/fake-clock.ts'

const can = { tools: {}, resources: {}, prompts: {} }
const lists: Record<string, object> = {
  'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
  'resources/list': { resources: [{ uri: 'x:1', name: 'one' }] },
  'resources/templates/list': { resourceTemplates: [] },
}

test('a list that is never answered costs three seconds and itself, not the other lists', async () => {
  const clock = new FakeClock()
  const ask: AskPage = (method, _params, signal) =>
    lists[method] === undefined
      ? new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('given up'))))
      : Promise.resolve(lists[method] as Record<string, unknown>)
  const read = readOffer(ask, can, { turn: () => Promise.resolve(), after: clock.after })
  await clock.pass(3000)
  const { tools, resources, prompts, notes } = await read
  expect([tools.length, resources.length, prompts]).toEqual([1, 1, []])
  expect(notes).toEqual([{ what: 'list of prompts', done: 'could not be read' }])
  expect(clock.pending).toBe(0)
})
