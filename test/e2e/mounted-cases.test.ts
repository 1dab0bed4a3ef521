// What a client is shown of mounted servers, and what odd ones among them cost.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { lazyRouter, metaTools, mounted, textOf } from './lazy-router.ts'
import { namesF, serversF } from './servers-f.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const all = ['atlas__geocode', 'atlas__route', 'ledger__add_entry', 'ledger__list_entries', 'scribe__read']

describe('an agent of fixture F', () => {
  test.concurrent.each<[string, { config: object; agent: object; callable?: string[]; listed: string[] }]>([
    [
      'with `expose: all` is shown every tool, whatever its pins, at its specified size',
      { config: { expose: 'all' }, agent: { servers: namesF, pin: [] }, listed: [...all, ...metaTools] },
    ],
    [
      'with no pins of its own is shown none of the global ones, calls them, and waits for no server that hangs',
      {
        config: {
          pin: ['atlas'],
          connect_timeout: '10m',
          servers: { ...serversF(), stuck: mounted({ hangOnInitialize: true }) },
        },
        agent: { servers: [...namesF, 'stuck'], pin: [] },
        listed: metaTools,
      },
    ],
    [
      'with nothing but `pin: []` has the scope of anybody; spends are listed by name',
      {
        config: { pin: ['atlas'] },
        agent: { pin: [] },
        callable: [...all, 'hubu_list_ledger'],
        listed: [...metaTools, 'hubu_submit_spend', 'hubu_authorize_spend'],
      },
    ],
  ])('%s', async (_what, { config, agent, callable = all, listed }) => {
    await using stub = await stubRouter()
    const agents = { a: { type: 'claude', path: '/x', ...agent } }
    using router = await lazyRouter(built.bin, stub, { servers: serversF(), agents, ...config }, { agent: 'a' })
    for (const tool of callable) {
      for (const { result } of [await router.callTool('call_tool', { tool }), await router.callTool(tool)]) {
        expect(result, tool).toBeDefined()
        expect(result, tool).not.toHaveProperty('isError', true)
      }
    }
    const tools = (await router.request('tools/list')).result?.tools ?? []
    expect(tools.map(({ name }) => name)).toEqual(listed)
    const sizes = new Map(tools.map((tool) => [tool.name, JSON.stringify(tool).length]))
    if (listed.includes('atlas__route'))
      expect(['atlas__geocode', 'atlas__route', 'scribe__read'].map((name) => sizes.get(name))).toEqual([253, 278, 174])
    expect((await router.data('list_servers')).pinned).toEqual([])
  })
})

describe('odd servers', () => {
  const type = 'object'
  /** No host takes a tool with one of these. */
  const unlistable = (prefix: string) =>
    [undefined, { type: 'string' }, { type: [type] }, true].map((inputSchema, n) => ({
      name: `${prefix}${n}`,
      inputSchema,
    }))
  /** Odd, but a host may make of them what it can. */
  const passed = {
    wide: {
      type,
      properties: Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`p${n}`, { type: 'string' }])),
    },
    astray: { type, properties: { a: { $ref: '#/$defs/nowhere' } } },
    draft07: { $schema: 'http://json-schema.org/draft-07/schema#', type, properties: { a: { format: 'unheard-of' } } },
  }

  test('cost their own tools only, and no byte of theirs gets onto our stdout', async () => {
    await using stub = await stubRouter({}, { HUBU_UNIFIED_LOG: 'warn' })
    using folder = tempFolder()
    const listable = [{ name: 'grow', inputSchema: { type } }]
    for (const [name, inputSchema] of Object.entries(passed)) listable.push({ name, inputSchema })
    const banner = 'welcome\n    at Object.<anonymous> (x.js:1:1)\n{"jsonrpc":"2.0","half":'
    const dying = `process.stderr.write('API_TOKEN=canary in words '.repeat(400), () => process.exit(1))`
    const servers = {
      dying: { command: process.execPath, args: ['-e', dying], env: { API_TOKEN: 'canary' }, enabled: true },
      listless: mounted({ hangOnList: true }),
      loud: mounted({ banner, stderrBytes: 1_000_000 }),
      odd: mounted({
        tools: [...unlistable('early'), ...listable],
        grown: [...unlistable('late'), { name: 'later', inputSchema: { type } }],
      }),
      restless: mounted({
        log: folder.file('log'),
        tools: [{ name: 'echo', inputSchema: { type } }],
        late: [{ name: 'new', inputSchema: { type } }],
      }),
    }
    const agents = { a: { type: 'claude', path: '/x', servers: Object.keys(servers) } }
    const config = { expose: 'all', connect_timeout: '10m', servers, agents }
    using router = await lazyRouter(built.bin, stub, config, { agent: 'a' })
    for (const name of ['loud__echo', 'restless__echo', 'odd__grow'])
      expect((await router.callTool(name)).result, name).not.toHaveProperty('isError')
    const late = ['odd__later', 'restless__new']
    let listed: { name: string; inputSchema?: object }[] = []
    while (!late.every((each) => listed.some(({ name }) => name === each)))
      listed = (await router.request('tools/list')).result?.tools ?? []

    const odd = listed.filter(({ name }) => name.startsWith('odd__'))
    expect(odd.map(({ name }) => name)).toEqual(['odd__astray', 'odd__draft07', 'odd__grow', 'odd__later', 'odd__wide'])
    for (const [name, inputSchema] of Object.entries(passed))
      expect(odd.find((tool) => tool.name === `odd__${name}`)?.inputSchema).toEqual(inputSchema)
    // What cannot be listed can be called, and the log says why.
    for (const name of ['odd__early0', 'odd__late3'])
      expect(JSON.parse(textOf(await router.callTool(name)))).toMatchObject({ name: name.slice(5) })
    expect(textOf(await router.callTool('dying__x'))).toContain('is not connected: connect: ')
    const away = { connected: false, tools: 0 }
    expect((await router.data('list_servers')).servers).toMatchObject([
      { ...away, name: 'dying', error: expect.stringMatching(/^connect: .{1,1000}$/) as string },
      { ...away, name: 'listless' },
      ...['loud', 'odd', 'restless'].map((name) => ({ name, connected: true })),
    ])
    // One list at the start, and at most two for a thousand announcements.
    const lists = readFileSync(folder.file('log'), 'utf8').match(/^tools\/list$/gm)
    expect(lists?.length).toBeLessThanOrEqual(3)
    for (const text of [...router.lines, router.stderr]) expect(text).not.toMatch(/canary|in words/)
    for (const line of router.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
    await router.end()
    for (const name of ['early0', 'early3', 'late0', 'late3'])
      expect(router.stderr).toContain(`the tool ${name} of odd is not listed`)
    expect(router.stderr).not.toMatch(/Object\.<anonymous>|xxx/)
  })
})

test('the official client takes a result that breaks the schema of its tool, and the server stays', async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const outputSchema = { type: 'object', properties: { a: { type: 'array' } }, required: ['a'] }
  const tools = [{ name: 'stray', inputSchema: { type: 'object' }, outputSchema }]
  writeFileSync(folder.file('c.yaml'), JSON.stringify({ expose: 'all', servers: { s: mounted({ tools }) } }))
  const client = new Client({ name: 'test', version: '1' })
  const args = [built.bin, '--config', folder.file('c.yaml')]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: stub.env }))
  await client.callTool({ name: 'call_tool', arguments: { tool: 's__stray' } })
  expect((await client.listTools()).tools.find(({ name }) => name === 's__stray')?.outputSchema).toBeDefined()
  // Nothing is held against the schema, so there is nothing to log: what the server said goes out as it is.
  expect(await client.callTool({ name: 's__stray' })).toMatchObject({ structuredContent: { b: 1 } })
  const { structuredContent } = await client.callTool({ name: 'list_servers' })
  expect((structuredContent as { servers: object[] }).servers).toContainEqual(
    expect.objectContaining({ name: 's', connected: true }),
  )
  await client.close()
})

test('unpin by server takes all of its pins, by name one; the former file and its mode are kept', () => {
  using folder = tempFolder()
  const file = folder.file('config.yaml')
  const former = 'pin: [atlas, atlas__route, ledger__*] # mine\nservers: {atlas: {command: a}, ledger: {command: l}}\n'
  writeFileSync(file, former)
  chmodSync(file, 0o640)
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [built.bin, ...args, '--config', file], { env: {}, encoding: 'utf8' })
  expect(run('unpin', 'atlas')).toMatch(/^2 unpinned/)
  expect(run('pin')).toBe('ledger__*\n')
  expect(run('unpin', 'ledger__add_entry')).toBe('ledger__add_entry matches no pin.\n0 unpinned, 1 in all.\n')
  // No command of ours makes a configuration file, so there is no new one whose mode could be wrong.
  const backups = readdirSync(folder.path).filter((name) => name.startsWith('config.yaml.bak-'))
  expect(backups.map((name) => readFileSync(folder.file(name), 'utf8'))).toEqual([former])
  expect((statSync(file).mode & 0o777).toString(8)).toBe('640')
})
