// Resources and prompts of mounted servers: templates, subscriptions and completions.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { lazyRouter, mounted, type LazyRouter } from './lazy-router.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const address = `mcphub://s/${encodeURIComponent('file:///a b')}`
const updates = (router: LazyRouter) =>
  router.messages.filter(({ method }) => method === 'notifications/resources/updated').map(({ params }) => params)
const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n')

test("a server's templates are listed under addresses that can be filled in, and what is filled in is read as it is", async () => {
  await using stub = await stubRouter()
  using router = await lazyRouter(built.bin, stub, { servers: { s: mounted({ offers: true }) } })
  await router.callTool('s__echo')
  const { result } = await router.request('resources/templates/list')
  const { resourceTemplates } = result as unknown as { resourceTemplates: object[] }
  expect(resourceTemplates).toMatchObject([
    { uriTemplate: 'mcphub://s//db://{table}/{row}', name: 'row', description: '[s]' },
    { name: 'stored-result' },
    { name: 'operation' },
  ])
  const read = await router.request('resources/read', { uri: 'mcphub://s//db://a%20b/x%2Fy' })
  expect(read.result).toMatchObject({ contents: [{ uri: 'db://a%20b/x%2Fy' }] })
})

test('who subscribes to a resource hears of its changes under the address it used, also after the server was restarted', async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const log = folder.file('log')
  const tools = ['touch', 'die'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  const servers = { s: mounted({ offers: true, log, tools }), quiet: mounted({ quiet: true }) }
  using router = await lazyRouter(built.bin, stub, { servers })
  expect((await router.request('resources/subscribe', { uri: address })).result).toEqual({})
  await router.callTool('s__touch', { uri: 'file:///a b' })
  expect(updates(router)).toEqual([{ uri: address }])
  await router.callTool('s__die')
  while (updates(router).length < 2) await router.request('ping')
  expect(linesOf(log).filter((line) => line === 'resources/subscribe file:///a b')).toHaveLength(2)
  expect((await router.request('resources/unsubscribe', { uri: address })).result).toEqual({})
  expect(linesOf(log)).toContain('resources/unsubscribe file:///a b')
  for (const [uri, why] of [
    [`mcphub://quiet/x`, 'does not tell when its resources change'],
    ['mcphub://ghost/x', 'no mounted server in scope has this resource'],
    ['hubu-result://x', 'never changes'],
    [7, 'uri must be the address of a resource'],
  ])
    expect((await router.request('resources/subscribe', { uri })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining(String(why)) as string,
    })
})

test('completions of prompts and templates are passed on byte by byte, in scope only', async () => {
  await using stub = await stubRouter()
  const servers = { s: mounted({ offers: true }), quiet: mounted({ quiet: true }), hidden: mounted({ offers: true }) }
  const agents = { a: { type: 'claude', path: '/x', servers: ['s', 'quiet'] } }
  using router = await lazyRouter(built.bin, stub, { servers, agents }, { agent: 'a' })
  const argument = { name: 'row', value: '1' }
  const complete = (ref: object) => router.request('completion/complete', { ref, argument })
  for (const [ref, own] of [
    [
      { type: 'ref/prompt', name: 's__greet__all' },
      { type: 'ref/prompt', name: 'greet__all' },
    ],
    [
      { type: 'ref/resource', uri: 'mcphub://s//db://{table}/{row}' },
      { type: 'ref/resource', uri: 'db://{table}/{row}' },
    ],
  ] as const) {
    await complete(ref)
    expect(router.lines.at(-1)).toContain('"total":1.0')
    expect(router.messages.at(-1)?.result).toMatchObject({
      completion: { values: [JSON.stringify({ ref: own, argument })] },
    })
  }
  expect((await complete({ type: 'ref/prompt', name: 'quiet__x' })).result).toEqual({ completion: { values: [] } })
  for (const ref of [
    { type: 'ref/prompt', name: 'hidden__x' },
    { type: 'ref/resource', uri: 'mcphub://hidden//x' },
    {},
  ])
    expect((await complete(ref)).error).toMatchObject({ code: -32602 })
})

test('an agent with some tools of a server reads nothing else of it but what those tools gave', async () => {
  await using stub = await stubRouter()
  const tools = ['link', 'other'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  const servers = { s: mounted({ offers: true, tools }), t: mounted({ offers: true }) }
  const agents = { a: { type: 'claude', path: '/x', tools: ['s__link', 't__*'] } }
  using router = await lazyRouter(built.bin, stub, { servers, agents }, { agent: 'a' })
  await router.callTool('s__link')
  await router.callTool('t__echo')
  const { resources } = (await router.request('resources/list')).result as unknown as { resources: { uri: string }[] }
  expect(resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('mcphub://s/'))).toEqual([])
  expect(resources.map(({ uri }) => uri)).toContain(address.replace('//s/', '//t/'))
  const read = (uri: string) => router.request('resources/read', { uri })
  expect((await read(address)).error).toMatchObject({ code: -32602 })
  expect((await read('mcphub://s//db://a/b')).error).toMatchObject({ code: -32602 })
  expect((await router.request('prompts/get', { name: 's__greet__all' })).error).toMatchObject({ code: -32602 })
  expect((await router.request('prompts/get', { name: 't__greet__all' })).result).toBeDefined()
  expect((await read('note://1')).result).toMatchObject({ contents: [{ uri: 'note://1' }] })
})
