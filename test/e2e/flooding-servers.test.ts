// Mounted servers that say more than anybody wants, beside calls that matter.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { residentMiB } from '../support/resident-memory.ts'
import { stubRouter } from '../support/stub-router.ts'
import { lazyRouter, mounted } from './lazy-router.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const asking = { messages: [{ role: 'user', content: { type: 'text', text: 'x'.repeat(500) } }], maxTokens: 5 }

test.each<[string, object]>([
  ['log lines', { method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(300) } }],
  ['news of resources', { method: 'notifications/resources/updated', params: { uri: 'file:///a b' } }],
  ['questions', { id: 'q', method: 'sampling/createMessage', params: asking }],
  ['questions that nobody can answer', { id: 'q', method: 'hubu/anything', params: {} }],
  ['answers that nobody asked for', { id: 77_777, result: {} }],
])('beside a flood of %s calls are answered, and little is kept', async (_what, flood) => {
  await using stub = await stubRouter()
  const servers = { s: mounted({ flood, offers: true }), calm: mounted() }
  using router = await lazyRouter(built.bin, stub, { servers }, { capabilities: { sampling: {} } })
  await router.callTool('calm__echo')
  await router.request('resources/subscribe', { uri: `mcphub://s/${encodeURIComponent('file:///a b')}` })
  for (let n = 0; n < 30; n++) expect(await router.callTool('hubu_list_ledger')).toHaveProperty('result')
  expect(residentMiB(router.child.pid)).toBeLessThan(400)
  // What is asked of the client is bounded, also while it does not answer.
  expect(router.messages.filter(({ method }) => method === 'sampling/createMessage').length).toBeLessThanOrEqual(32)
})

test('a resource that nobody watches is not told of', async () => {
  await using stub = await stubRouter()
  const tools = [{ name: 'touch', inputSchema: { type: 'object' } }]
  using router = await lazyRouter(built.bin, stub, { servers: { s: mounted({ offers: true, tools }) } })
  await router.callTool('s__touch', { uri: 'file:///other' })
  await router.request('resources/subscribe', { uri: `mcphub://s/${encodeURIComponent('file:///a')}` })
  await router.callTool('s__touch', { uri: 'file:///a/part' })
  const told = router.messages.filter(({ method }) => method === 'notifications/resources/updated')
  expect(told.map(({ params }) => params)).toEqual([{ uri: `mcphub://s/${encodeURIComponent('file:///a/part')}` }])
})
