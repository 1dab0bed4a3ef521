// Servers that do what the protocol does not say, behind the built bin; each costs nobody else and loses nothing.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { lazyRouter, mounted, textOf } from './lazy-router.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

test('a server that gives each id back as a text is answered for, by one process', async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const s = mounted({ idsAreTexts: true, log: folder.file('log') })
  using router = await lazyRouter(built.bin, stub, { servers: { s } })
  for (const n of [1, 2, 3])
    expect(JSON.parse(textOf(await router.callTool('s__echo', { n })))).toMatchObject({ arguments: { n } })
  expect(readFileSync(folder.file('log'), 'utf8').match(/^initialize$/gm)).toHaveLength(1)
})

test('an error that sends a person to an address first comes with that address', async () => {
  await using stub = await stubRouter()
  const s = mounted({ tools: [{ name: 'wall', inputSchema: { type: 'object' } }] })
  using router = await lazyRouter(built.bin, stub, { servers: { s } })
  const { error } = await router.callTool('s__wall')
  expect(error).toMatchObject({ code: -32042, data: { elicitations: [{ mode: 'url', url: 'https://h/' }] } })
})

test('a model that writes null for what it leaves out, and arguments as a text, uses the gateway all the same', async () => {
  await using stub = await stubRouter()
  using router = await lazyRouter(built.bin, stub, { servers: { s: mounted() } })
  expect(await router.data('search_tools', { query: 'echo', max_hits: null })).toHaveProperty('matches')
  const asText = { server: null, tool: 's__echo', arguments: '{"n": 1}', detach: null, timeout_ms: null }
  expect(JSON.parse(textOf(await router.callTool('call_tool', asText)))).toMatchObject({ arguments: { n: 1 } })
  expect(JSON.stringify(await router.data('stats'))).toContain('"text_arguments":1')
})
