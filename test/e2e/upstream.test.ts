// What mounted servers ask of the client behind us, and tell it.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { lazyRouter, mounted, textOf, type LazyRouter } from './lazy-router.ts'
import type { Message } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const able = { elicitation: {}, sampling: {}, roots: { listChanged: true }, experimental: { x: {} } }

/** The request with this method that the router sent us. */
async function asked(router: LazyRouter, method: string): Promise<Message> {
  for (;;) {
    const found = router.messages.find((message) => message.method === method)
    if (found !== undefined) return found
    await router.request('ping')
  }
}

const ask = (router: LazyRouter, method: string, params: object = {}) => router.callTool('s__ask', { method, params })

test("a mounted server knows what the client can do, and asks it under the server's name", async () => {
  await using stub = await stubRouter()
  using router = await lazyRouter(built.bin, stub, { servers: { s: mounted() } }, { capabilities: able })
  expect(JSON.parse(textOf(await router.callTool('s__capabilities')))).toEqual({
    elicitation: {},
    sampling: {},
    roots: { listChanged: true },
  })
  const call = ask(router, 'elicitation/create', {
    message: 'Sure?',
    requestedSchema: { type: 'object', properties: {} },
  })
  const request = await asked(router, 'elicitation/create')
  expect(request.params).toEqual({ message: '[s] Sure?', requestedSchema: { type: 'object', properties: {} } })
  router.sendLine(JSON.stringify({ jsonrpc: '2.0', id: request.id, result: { action: 'accept', content: { n: 1 } } }))
  expect(JSON.parse(textOf(await call))).toEqual({ action: 'accept', content: { n: 1 } })
})

test('a refusal of the client reaches the server as it is, and answers that nobody asked for are ignored', async () => {
  await using stub = await stubRouter()
  using router = await lazyRouter(built.bin, stub, { servers: { s: mounted() } }, { capabilities: able })
  router.sendLine('{"jsonrpc":"2.0","id":0,"result":{}}')
  const call = ask(router, 'sampling/createMessage', { messages: [], maxTokens: 5 })
  const request = await asked(router, 'sampling/createMessage')
  router.sendLine('{"jsonrpc":"2.0","id":"unknown","result":{}}')
  router.sendLine(JSON.stringify({ jsonrpc: '2.0', id: request.id, error: { code: -1, message: 'user said no' } }))
  expect(JSON.parse(textOf(await call))).toMatchObject({
    code: -1,
    message: expect.stringContaining('user said no') as string,
  })
})

test('what the client cannot do, and what is not passed on, is not asked', async () => {
  await using stub = await stubRouter()
  using router = await lazyRouter(built.bin, stub, { servers: { s: mounted() } }, { capabilities: { roots: {} } })
  for (const method of ['elicitation/create', 'sampling/createMessage', 'hubu/anything']) {
    expect(JSON.parse(textOf(await ask(router, method)))).toMatchObject({ code: -32601 })
  }
  const call = ask(router, 'roots/list')
  const request = await asked(router, 'roots/list')
  router.sendLine(JSON.stringify({ jsonrpc: '2.0', id: request.id, result: { roots: [{ uri: 'file:///a' }] } }))
  expect(JSON.parse(textOf(await call))).toEqual({ roots: [{ uri: 'file:///a' }] })
})

test("log messages carry the server's name, and the level that the client wants reaches the servers", async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const servers = { s: mounted({ log: folder.file('log') }) }
  using router = await lazyRouter(built.bin, stub, { servers })
  await router.callTool('s__log')
  const told = await asked(router, 'notifications/message')
  expect(told.params).toEqual({ level: 'info', logger: 's/x', data: { a: 1 } })
  expect((await router.request('logging/setLevel', { level: 'error' })).result).toEqual({})
  expect((await router.request('logging/setLevel', { level: 'loud' })).error).toMatchObject({ code: -32602 })
  expect(readFileSync(folder.file('log'), 'utf8')).toContain('level error')
})

test("a change of the client's roots reaches the servers that were told they would hear of it, and no other", async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const servers = { s: mounted({ log: folder.file('log') }) }
  for (const [roots, heard] of [
    [{ listChanged: true }, 1],
    [{}, 1],
  ] as const) {
    using router = await lazyRouter(built.bin, stub, { servers }, { capabilities: { roots } })
    await router.callTool('s__echo')
    router.sendLine('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}')
    await router.callTool('s__echo')
    expect(readFileSync(folder.file('log'), 'utf8').match(/roots\/list_changed/g)).toHaveLength(heard)
  }
})
