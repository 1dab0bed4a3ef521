// Agents with a scope, and calls that nobody waits for, on the built bin.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { lazyRouter, mounted, namesOf, textOf } from './lazy-router.ts'
import { startRouter } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

describe('an agent', () => {
  test('reaches nothing outside its scope, on any way, and learns no byte of it', async () => {
    await using stub = await stubRouter()
    const agents = {
      a: { type: 'claude', path: '/x', servers: ['s', 'gongbu'], tools: ['s__echo', 'gongbu__get_execution'] },
    }
    using router = await lazyRouter(
      built.bin,
      stub,
      { expose: 'all', servers: { s: mounted(), t: mounted() }, agents },
      { agent: 'a' },
    )
    expect((await namesOf(router)).slice(0, 1)).toEqual(['gongbu_get_execution'])
    for (const [name, args] of [
      ['call_tool', { tool: 's__big' }],
      ['call_tool', { tool: 't__echo' }],
      ['call_tool', { tool: 'hubu_list_ledger' }],
      ['call_tool', { tool: 'gongbu__list_artifacts' }],
      ['describe_tool', { tool: 's__big' }],
      ['describe_tool', { tool: 'hubu__list_ledger' }],
      ['s__big', {}],
      ['hubu_list_ledger', {}],
      ['hubu_unified_capabilities', {}],
    ] as const) {
      const answer = await router.callTool(name, args)
      expect(answer.result?.isError, name).toBe(true)
      expect(textOf(answer)).toContain('out of scope')
    }
    expect((await router.data('list_servers')).servers).toMatchObject([
      { name: 'gongbu', tools: 1 },
      { name: 's', tools: 1 },
    ])
  })

  test('whose client is trusted runs no protected tool by a name that the client was not shown', async () => {
    const createBudget = { user_id: 'usr_1', amount_cents: 1, currency: 'USD' }
    for (const [config, agent] of [
      [{ expose: 'all', servers: { s: mounted() } }, undefined],
      [{ expose: 'all', agents: { a: { type: 'claude', path: '/x', tools: ['hubu__list_ledger'] } } }, 'a'],
    ] as const) {
      await using stub = await stubRouter({}, { HUBU_MCP_TRUST_CLIENT_APPROVAL: '1' })
      using router = await lazyRouter(built.bin, stub, config, agent === undefined ? {} : { agent })
      const listed = await namesOf(router)
      const names = [
        'hubu_create_budget',
        'hubu__create_budget',
        'hubu__hubu_create_budget',
        'mcphub_hubu_create_budget',
      ]
      for (const name of names.filter((one) => !listed.includes(one)))
        for (const [tool, args] of [
          [name, createBudget],
          ['call_tool', { tool: name, arguments: createBudget }],
        ] as const) {
          const { result, error } = await router.callTool(tool, args)
          expect(error !== undefined || result?.isError === true, `${tool} ${name}`).toBe(true)
        }
      expect(stub.hubu.exchanges.filter(({ request }) => request.method === 'POST')).toEqual([])
    }
  })

  test('that may use or pins one of two tools with a common alias gets that one, however it is asked for', async () => {
    await using stub = await stubRouter()
    const tools = ['echo', 'live_echo', 'other'].map((name) => ({ name, inputSchema: { type: 'object' } }))
    const live = mounted({ tools })
    for (const [name, other] of [
      ['live__echo', 'live__live_echo'],
      ['live__live_echo', 'live__echo'],
    ] as const) {
      const agents = { a: { type: 'claude', path: '/x', tools: [name] } }
      using scoped = await lazyRouter(built.bin, stub, { expose: 'all', servers: { live }, agents }, { agent: 'a' })
      await scoped.callTool('describe_tool', { tool: name })
      expect((await namesOf(scoped)).filter((each) => each.startsWith('live__'))).toEqual([name])
      for (const [via, args] of [
        ['call_tool', { tool: other }],
        ['describe_tool', { tool: other }],
        [other, {}],
      ] as const)
        expect(textOf(await scoped.callTool(via, args))).toContain('out of scope')
      using pinned = await lazyRouter(built.bin, stub, { servers: { live }, pin: [name] })
      await pinned.callTool('describe_tool', { tool: name })
      expect((await namesOf(pinned)).filter((each) => each.startsWith('live__'))).toEqual([name])
    }
  })

  test('reaches of a server that is not connected only what its scope spells exactly so', async () => {
    await using stub = await stubRouter()
    const agents = { a: { type: 'claude', path: '/x', tools: ['live__echo'] } }
    using router = await lazyRouter(built.bin, stub, { servers: { live: { command: 'x' } }, agents }, { agent: 'a' })
    for (const [tool, words] of [
      ['live__echo', 'is disabled'],
      ['live__live_echo', 'out of scope'],
      ['live__live-echo', 'out of scope'],
    ] as const) {
      expect(textOf(await router.callTool('call_tool', { tool }))).toContain(words)
      expect(textOf(await router.callTool(tool))).toContain(words)
    }
  })

  test('that no configuration names is refused at the start', async () => {
    await using stub = await stubRouter()
    using folder = tempFolder()
    writeFileSync(folder.file('c.yaml'), '{}')
    using router = startRouter(built.bin, stub.env, ['--config', folder.file('c.yaml'), '--agent', 'nobody'])
    expect((await router.exit)[0]).toBe(1)
    expect(router.stderr).toContain('--agent')
  })
})

test('the official client takes a receipt and an error of a tool that declares its output', async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const inputSchema = { type: 'object' }
  const outputSchema = { ...inputSchema, properties: { a: { type: 'array' } }, required: ['a'] }
  const tools = ['violate', 'rows'].map((name) => ({ name, inputSchema, outputSchema }))
  writeFileSync(folder.file('c.yaml'), JSON.stringify({ servers: { s: mounted({ tools }) } }))
  const client = new Client({ name: 'test', version: '1' })
  const env = { ...stub.env, HUBU_UNIFIED_RESULTS_PATH: folder.file('results') }
  const args = [built.bin, '--config', folder.file('c.yaml')]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
  await client.callTool({ name: 'call_tool', arguments: { tool: 's__rows' } })
  const listed = await client.listTools()
  expect(listed.tools.find(({ name }) => name === 's__rows')?.outputSchema).toBeDefined()
  expect(await client.callTool({ name: 's__rows' })).toMatchObject({ structuredContent: { status: 'stored' } })
  expect(await client.callTool({ name: 's__violate' })).toMatchObject({ content: [{ text: 'broken' }], isError: true })
  await client.close()
})

describe('resources and prompts of mounted servers', () => {
  test('are listed under names of ours, and answered by their server byte by byte', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(built.bin, stub, { servers: { s: mounted({ offers: true }) } })
    await router.callTool('s__echo')
    const uri = 'mcphub://s/file%3A%2F%2F%2Fa%20b'
    expect((await router.request('resources/list')).result).toEqual({
      resources: [
        expect.objectContaining({ uri: 'mcphub://howto', mimeType: 'text/markdown' }),
        { uri, name: 'a', size: 1, description: '[s]' },
      ],
    })
    await router.request('resources/read', { uri })
    expect(router.lines.at(-1)).toContain('{"contents":[{"uri":"file:///a b","text":"x", "n":1.0}]}')
    const guide = await router.request('resources/read', { uri: 'mcphub://howto' })
    expect(JSON.stringify(guide.result)).toContain('resolve_tool')
    expect((await router.request('prompts/list')).result).toEqual({
      prompts: [{ name: 's__greet__all', description: '[s] Greet' }],
    })
    const got = await router.request('prompts/get', {
      name: 's__greet__all',
      arguments: { a: 'b' },
      _meta: { callId: 'x' },
    })
    expect(got.result).toMatchObject({ description: '{"name":"greet__all","arguments":{"a":"b"}}' })
  })

  test('are refused outside the scope and where nobody has them', async () => {
    await using stub = await stubRouter()
    const agents = { a: { type: 'claude', path: '/x', servers: ['t'] } }
    const config = { servers: { s: mounted({ offers: true }), t: mounted({ offers: true }) }, agents }
    using router = await lazyRouter(built.bin, stub, config, { agent: 'a' })
    await router.callTool('t__echo')
    const listed = (await router.request('prompts/list')).result as { prompts: { name: string }[] }
    expect(listed.prompts.map(({ name }) => name)).toEqual(['t__greet__all'])
    for (const [method, params] of [
      ['resources/read', { uri: 'mcphub://s/file%3A%2F%2F%2Fa%20b' }],
      ['resources/read', { uri: 'mcphub://t' }],
      ['resources/read', { uri: 'mcphub://t/%zz' }],
      ['resources/read', { uri: 'other:x' }],
      ['prompts/get', { name: 's__greet__all' }],
      ['prompts/get', { name: 'plain' }],
    ] as const) {
      expect((await router.request(method, params)).error, JSON.stringify(params)).toMatchObject({ code: -32602 })
    }
  })
})

describe('detached calls', () => {
  test('give their result as often as they are asked, can be cancelled, and are told apart from unknown ones', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(built.bin, stub, { servers: { s: mounted() } })
    const start = async (tool: string) =>
      (await router.data('call_tool', { tool, arguments: { a: 1 }, detach: true })) as { callId: string }
    const done = await start('s__echo')
    expect(done).toMatchObject({
      status: 'accepted',
      server: 's',
      tool: 'echo',
      namespaced: 's__echo',
      timeoutMs: 1_800_000,
    })
    const poll = (args: object) => router.callTool('poll_result', args)
    let first = await poll({ callId: done.callId })
    while ((first.result?.structuredContent as { status?: string } | undefined)?.status === 'pending')
      first = await poll({ callId: done.callId })
    expect(textOf(first)).toContain('"name":"echo"')
    expect((await poll({ callId: done.callId })).result).toEqual(first.result)
    const hanging = await start('s__hang')
    expect((await poll({ callId: hanging.callId })).result?.structuredContent).toMatchObject({ status: 'pending' })
    const cancelled = (await poll({ callId: hanging.callId, cancel: true })).result?.structuredContent
    expect(cancelled).toMatchObject({ status: 'failed', error: expect.stringContaining('outcome unknown') as string })
    expect((await poll({ callId: hanging.callId })).result?.structuredContent).toEqual(cancelled)
    expect((await poll({ callId: 'ffff' })).result?.structuredContent).toMatchObject({ status: 'unknown' })
  })

  test('a read of the contract may be detached as well', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(built.bin, stub, {})
    const started = await router.data('call_tool', { tool: 'hubu_list_agents', detach: true })
    expect(started).toMatchObject({ status: 'accepted', server: 'hubu', namespaced: 'hubu_list_agents' })
  })

  test('outlive a router that was killed: a finished one with its result, a running one as of unknown outcome', async () => {
    await using stub = await stubRouter()
    using folder = tempFolder()
    const config = { servers: { s: mounted() } }
    const first = await lazyRouter(built.bin, stub, config, { given: folder })
    const start = async (tool: string) =>
      (await first.data('call_tool', { tool, arguments: { a: 1 }, detach: true })).callId as string
    const [done, hanging] = [await start('s__echo'), await start('s__hang')]
    while (textOf(await first.callTool('poll_result', { callId: done })).includes('"pending"')) continue
    first.child.kill('SIGKILL')
    await first.exit
    using second = await lazyRouter(built.bin, stub, config, { given: folder })
    expect(textOf(await second.callTool('poll_result', { callId: done }))).toContain('"name":"echo"')
    const lost = (await second.callTool('poll_result', { callId: hanging })).result?.structuredContent
    expect(lost).toMatchObject({ status: 'failed', error: expect.stringContaining('outcome unknown') as string })
    const { callId: running } = await second.data('call_tool', { tool: 's__hang', detach: true })
    const env = { ...stub.env, HUBU_UNIFIED_RESULTS_PATH: folder.file('results') }
    const told = execFileSync(process.execPath, [built.bin, 'results', 'list', '--json'], { env, encoding: 'utf8' })
    const { calls } = JSON.parse(told) as { calls: { callId: string; state: string }[] }
    expect(new Map(calls.map(({ callId, state }) => [callId, state]))).toEqual(
      new Map([
        [running, 'running'],
        [hanging, 'outcome_unknown'],
        [done, 'done'],
      ]),
    )
  })
})
