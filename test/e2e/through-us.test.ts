// What a mounted server gives works through us as it does directly.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { lazyRouter, mounted, textOf, type LazyRouter } from './lazy-router.ts'
import { startRouter } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const inputSchema = { type: 'object' }
const linking = { name: 'link', inputSchema, _meta: { ui: { resourceUri: 'ui://page' } } }
const read = async (router: LazyRouter, uri: string) => (await router.request('resources/read', { uri })) as object

describe('an address of a mounted server', () => {
  test('that a tool gave is read back from the server that gave it, and one that nobody gave from none', async () => {
    await using stub = await stubRouter()
    const servers = {
      a: mounted({ offers: true, tools: [linking] }),
      b: mounted({ offers: true, tools: [{ name: 'echo', inputSchema }] }),
    }
    using router = await lazyRouter(built.bin, stub, { expose: 'all', servers })
    await router.callTool('b__echo')
    expect(await read(router, 'note://1')).toMatchObject({ error: { code: -32602 } })
    const { result } = await router.callTool('a__link')
    // It goes out as the server wrote it: hosts look for a page by its own scheme.
    expect(result?.content?.[0]).toMatchObject({ type: 'resource_link', uri: 'note://1' })
    for (const uri of ['note://1', 'note://2', 'ui://result', 'ui://page'])
      expect(await read(router, uri), uri).toMatchObject({ result: { contents: [{ uri }] } })
    expect((await router.request('resources/subscribe', { uri: 'note://1' })).result).toEqual({})
  })

  test('that its definitions show is read without a call; so is one that fits its template', async () => {
    await using stub = await stubRouter()
    const servers = { a: mounted({ offers: true, tools: [linking] }), quiet: mounted({ quiet: true }) }
    using router = await lazyRouter(built.bin, stub, { expose: 'all', servers })
    await router.callTool('a__link', { x: 1 })
    for (const uri of ['ui://page', 'file:///a b', 'db://t/1'])
      expect(await read(router, uri), uri).toMatchObject({ result: { contents: [{ uri }] } })
    const refused = JSON.stringify(await read(router, 'other://1'))
    expect(refused).toContain('no mounted server in scope has this resource')
    expect(refused).not.toContain('tored')
  })
})

test('what a server says of its use reaches the agent under its name, bounded and without hidden signs', async () => {
  await using stub = await stubRouter()
  const long = `Ask \u202efirst.\u0007 ${'word '.repeat(2000)}`
  using router = await lazyRouter(built.bin, stub, { servers: { s: mounted({ instructions: long }), t: mounted() } })
  await router.callTool('s__echo')
  await router.callTool('t__echo')
  const { servers } = (await router.data('list_servers')) as { servers: { name: string; instructions?: string }[] }
  const told = servers.find(({ name }) => name === 's')?.instructions ?? ''
  expect(told.startsWith('Ask first. word')).toBe(true)
  expect(Buffer.byteLength(told)).toBeLessThanOrEqual(2048)
  expect(servers.find(({ name }) => name === 't')).not.toHaveProperty('instructions')
  const described = await router.data('describe_tool', { tool: 's__echo' })
  expect(String(described.server_instructions)).toMatch(/^Ask first\. .{0,1100}…$/u)
})

test('the client hears that a person has done what an address was for', async () => {
  await using stub = await stubRouter()
  using router = await lazyRouter(
    built.bin,
    stub,
    { servers: { s: mounted({ tools: [{ name: 'complete', inputSchema }] }) } },
    { capabilities: { elicitation: { url: {} } } },
  )
  await router.callTool('s__complete', { of: 'e1' })
  expect(router.messages.find(({ method }) => method === 'notifications/elicitation/complete')?.params).toEqual({
    elicitationId: 'e1',
  })
})

test('the first question of a session is withdrawn at the official client when its call is cancelled', async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  writeFileSync(folder.file('c.yaml'), JSON.stringify({ expose: 'all', servers: { s: mounted() } }))
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
  const args = [built.bin, '--config', folder.file('c.yaml')]
  const calling = new AbortController()
  const withdrawn = new Promise<void>((resolve) =>
    client.setRequestHandler(ElicitRequestSchema, (_request, { signal }) => {
      calling.abort()
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          resolve()
          reject(new Error('withdrawn'))
        }),
      )
    }),
  )
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: stub.env }))
  const params = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }
  const call = { name: 's__ask', arguments: { method: 'elicitation/create', params } }
  await client.callTool(call, undefined, { signal: calling.signal }).catch(() => {})
  await withdrawn
  await client.close()
})

describe('an answer of structured content alone', () => {
  const exact = '{"n":12345678901234567890}'
  test.each([
    ['2024-11-05', exact],
    ['2025-03-26', exact],
    ['2025-06-18', ''],
  ])('has for a client of %s this text: %s', async (protocolVersion, text) => {
    await using stub = await stubRouter()
    using folder = tempFolder()
    const servers = { s: mounted({ tools: [{ name: 'shape', inputSchema }] }) }
    writeFileSync(folder.file('c.yaml'), JSON.stringify({ expose: 'all', servers }))
    using router = startRouter(built.bin, stub.env, ['--config', folder.file('c.yaml')])
    await router.request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 't', version: '1' } })
    router.sendLine('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    const answer = await router.callTool('s__shape')
    expect(textOf(answer)).toBe(text)
    // Whoever reads it gets it as it was written, too.
    expect(router.lines.at(-1)).toContain(`"structuredContent":${exact}`)
  })
})
