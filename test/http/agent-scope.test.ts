// A token that names an agent is let in with that agent's scope, where this process serves it.
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { healthyHubu } from '../support/healthy-backends.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { backendsIn, startHttpRouter } from './lab.ts'
import { call, people, post, toolsOf } from './people.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const notes = { command: process.execPath, args: [path.resolve('test/downstream/fixtures/server.mjs')], enabled: true }
const mounted = (...names: string[]) => ({
  ...notes,
  env: { DOWNSTREAM_TEST: JSON.stringify({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }) },
})

test.each([
  [['--agent', 'writer'], 200],
  [['--agent', 'reader'], 403],
  [[], 200],
])('of a process that is started with %j, the token of writer gets %i', async (args, status) => {
  using folder = tempFolder()
  const { file, tokens } = people(folder.path, { ada: { principal: 'ada', agent: 'writer' } })
  const config = { agents: { writer: { type: 'http' }, reader: { type: 'http' } }, auth: { tokens: file } }
  const router = await startHttpRouter({ bin: built.bin, folder: folder.path, args, config })
  try {
    expect((await post(router, tokens.ada, { method: 'ping' })).status).toBe(status)
  } finally {
    await router.stop()
  }
})

test('an agent that nobody configured lets nobody in', async () => {
  using folder = tempFolder()
  const { file, tokens } = people(folder.path, { ada: { principal: 'ada', agent: 'nobody' } })
  const router = await startHttpRouter({ bin: built.bin, folder: folder.path, config: { auth: { tokens: file } } })
  try {
    expect((await post(router, tokens.ada, { method: 'ping' })).status).toBe(403)
  } finally {
    await router.stop()
  }
})

test('its holder lists, calls, searches and is told of what its scope has, and nobody else is narrowed by it', async () => {
  await using hubu = await healthyHubu()
  using folder = tempFolder()
  const { file, tokens } = people(folder.path, {
    alice: { principal: 'alice' },
    tiny: { principal: 'tiny', agent: 'tiny' },
  })
  const config = {
    servers: { notes: mounted('echo'), maps: mounted('echo') },
    agents: { tiny: { type: 'http', servers: ['notes'] } },
    auth: { tokens: file },
  }
  const env = backendsIn(folder.path, { hubu })
  const router = await startHttpRouter({ bin: built.bin, folder: folder.path, config, env })
  try {
    // Whoever calls a tool waits until its server is connected.
    for (const name of ['notes__echo', 'maps__echo'])
      expect((await call(router, tokens.alice, name)).body.result?.isError).toBeUndefined()
    const seen = await toolsOf(router, tokens.tiny)
    expect(seen).toContain('notes__echo')
    expect(seen.filter((name) => name.startsWith('hubu_') || name.startsWith('maps'))).toEqual([])
    const all = await toolsOf(router, tokens.alice)
    expect(all).toEqual(expect.arrayContaining(['notes__echo', 'maps__echo', 'hubu_list_budgets']))
    expect((await call(router, tokens.tiny, 'hubu_list_budgets')).body.error?.code).toBe(-32602)
    expect((await call(router, tokens.tiny, 'maps__echo')).body.error?.code).toBe(-32602)
    expect((await call(router, tokens.tiny, 'notes__echo')).body.result?.isError).toBeUndefined()
    const servers = (await call(router, tokens.tiny, 'list_servers')).body.result?.structuredContent?.servers
    expect((servers as { name: string }[]).map(({ name }) => name)).toEqual(['notes'])
    const begun = await post(router, tokens.tiny, {
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    })
    expect(begun.body.result?.instructions).not.toContain('maps')
  } finally {
    await router.stop()
  }
})
