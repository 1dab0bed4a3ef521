// The built bin in lazy mode: stub backends, a mounted fixture server, and clients that know nothing of either.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter, type StubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { spendArguments, startRouter, type Message, type RouterProcess } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const metaTools = [
  ...['list_servers', 'search_tools', 'describe_tool', 'resolve_tool', 'call_tool', 'get_result', 'poll_result'],
  'stats',
]
const trusted = { HUBU_MCP_TRUST_CLIENT_APPROVAL: '1' }
const fixture = path.resolve('test/downstream/fixtures/server.mjs')
const mounted = (script: object = {}) => ({
  command: process.execPath,
  args: [fixture],
  env: { DOWNSTREAM_TEST: JSON.stringify(script) },
  enabled: true,
})

/** A configured router; JSON is YAML as well. */
async function lazyRouter(
  { env }: Pick<StubRouter, 'env'>,
  config: object,
  agent?: string,
): Promise<RouterProcess & { data(name: string, args?: object): Promise<Record<string, unknown>> }> {
  const folder = tempFolder()
  writeFileSync(folder.file('config.yaml'), JSON.stringify({ expose: 'lazy', ...config }))
  const args = ['--config', folder.file('config.yaml'), ...(agent === undefined ? [] : ['--agent', agent])]
  const router = startRouter(built.bin, { ...env, HUBU_UNIFIED_RESULTS_PATH: folder.file('results') }, args)
  void router.exit.then(() => folder[Symbol.dispose]())
  await router.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  })
  router.sendLine('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  const data = async (name: string, args: object = {}) =>
    (await router.callTool(name, args)).result?.structuredContent as Record<string, unknown>
  return Object.assign(router, { data })
}

const names = async (router: RouterProcess) =>
  (await router.request('tools/list')).result?.tools?.map(({ name }) => name) ?? []
const posts = ({ hubu }: StubRouter) => hubu.exchanges.filter(({ request }) => request.method === 'POST')
const textOf = ({ result }: Message) => result?.content?.[0]?.text ?? ''

describe('the approval boundary in lazy mode (DESIGN 3)', () => {
  test('with trust the eight meta-tools, the two spend tools and the twelve protected tools are listed', async () => {
    await using stub = await stubRouter({}, trusted)
    using router = await lazyRouter(stub, {})
    const listed = await names(router)
    expect(listed.slice(0, 8)).toEqual(metaTools)
    expect(listed).toHaveLength(8 + 2 + 12)
    expect(listed).toContain('hubu_create_budget')
    expect(listed).toContain('hubu_submit_spend')
    expect(listed).not.toContain('hubu_list_ledger')
  })

  test('without trust no protected tool is listed, found or described', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(stub, {})
    expect(await names(router)).toEqual([...metaTools, 'hubu_submit_spend', 'hubu_authorize_spend'])
    const { matches } = await router.data('search_tools', { query: 'create a budget', max_hits: 100 })
    expect((matches as { namespaced: string }[]).map(({ namespaced }) => namespaced)).not.toContain(
      'hubu_create_budget',
    )
    expect(await router.data('describe_tool', { tool: 'hubu_create_budget' })).toMatchObject({
      error: 'tool not found',
    })
    const { error } = await router.callTool('call_tool', { tool: 'hubu_create_budget', arguments: {} })
    expect(error).toMatchObject({ code: -32000, data: { code: 'direct_call_required' } })
  })

  test('a protected tool is never called through call_tool, detached or not, under any of its names', async () => {
    await using stub = await stubRouter({}, trusted)
    using router = await lazyRouter(stub, {})
    for (const name of [
      { tool: 'hubu_revoke_budget' },
      { tool: 'hubu__revoke_budget' },
      { tool: 'hubu__hubu_revoke_budget' },
      { server: 'hubu', tool: 'revoke_budget' },
      { server: 'hubu', tool: 'hubu_revoke_budget', detach: true },
    ]) {
      const { error } = await router.callTool('call_tool', { ...name, arguments: { budget_id: 'bdg_1' } })
      expect(error).toMatchObject({ code: -32000, data: { code: 'direct_call_required' } })
      expect(error?.message).toContain('hubu_revoke_budget directly')
    }
    expect(posts(stub)).toEqual([])
  })

  test('only the explicit pair of no pins and no schema budget shows exactly eight, and says so of protected tools', async () => {
    await using stub = await stubRouter({}, trusted)
    const agents = { tiny: { type: 'claude', path: '/x', pin: [], tool_schema_budget: '0' } }
    using router = await lazyRouter(stub, { agents }, 'tiny')
    expect(await names(router)).toEqual(metaTools)
    const { error } = await router.callTool('call_tool', { tool: 'hubu_create_budget' })
    expect(error?.message).toContain('tool_schema_budget')
    expect(await router.data('describe_tool', { tool: 'hubu_submit_spend' })).not.toHaveProperty('direct_call')
    const spent = await router.callTool(
      'call_tool',
      { tool: 'hubu_submit_spend', arguments: spendArguments },
      { callId: 'one' },
    )
    expect(spent.result?.structuredContent).toMatchObject({ decision: 'allow' })
  })

  test('a spend is the same operation directly and through call_tool, by the identity of the outer call', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(stub, {})
    const meta = { callId: 'call-1' }
    const direct = await router.callTool('hubu_submit_spend', spendArguments, meta)
    const wrapped = await router.callTool(
      'call_tool',
      { server: 'hubu', tool: 'submit_spend', arguments: spendArguments },
      meta,
    )
    const alias = await router.callTool('hubu__submit_spend', spendArguments, meta)
    expect(direct.result?.structuredContent).toMatchObject({ decision: 'allow' })
    expect([wrapped.result, alias.result]).toEqual([direct.result, direct.result])
    expect(posts(stub).filter(({ request }) => request.path === '/spend')).toHaveLength(1)
    const missing = await router.callTool('call_tool', { tool: 'hubu_submit_spend', arguments: spendArguments })
    expect(missing.error).toMatchObject({ data: { code: 'identity_missing' } })
    const invalid = await router.callTool('call_tool', { tool: 'hubu_submit_spend', arguments: { x: 1 } }, meta)
    expect(invalid.error).toMatchObject({ code: -32602, data: { code: 'arguments_invalid' } })
  })

  test('neither a spend nor an execution is detached', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(stub, {})
    for (const tool of ['hubu_submit_spend', 'gongbu_create_execution']) {
      const answer = await router.callTool('call_tool', { tool, arguments: {}, detach: true }, { callId: 'x' })
      expect(answer.result?.isError).toBe(true)
      expect(textOf(answer)).toContain('Leave detach out')
    }
    expect(posts(stub)).toEqual([])
  })

  test('the catalog knows exactly what can be called now, and marks what must be called directly', async () => {
    await using stub = await stubRouter({}, trusted)
    using router = await lazyRouter(stub, {})
    expect(await router.data('list_servers')).toMatchObject({
      total_tools: 34,
      servers: [
        { name: 'gongbu', connected: true, tools: 4 },
        { name: 'hubu', connected: true, tools: 28 },
        { name: 'router', connected: true, tools: 2 },
      ],
    })
    expect(await router.data('describe_tool', { tool: 'hubu__list_ledger' })).toMatchObject({
      server: 'hubu',
      namespaced: 'hubu_list_ledger',
    })
    expect(await router.data('describe_tool', { tool: 'hubu_create_budget' })).toMatchObject({ direct_call: true })
    expect(await router.data('resolve_tool', { query: 'hubu_create_budget' })).toMatchObject({
      recommendation: { namespaced: 'hubu_create_budget', direct_call: true },
    })
    await stub.gongbu.stop()
    await router.callTool('hubu_unified_capabilities')
    expect(await router.data('list_servers')).toMatchObject({
      total_tools: 30,
      servers: [{ name: 'gongbu', connected: false }, {}, {}],
    })
  })
})

describe('mounted servers behind the bin', () => {
  test('a hidden tool answers directly and through call_tool, byte by byte, and the trusted identity never leaves', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(stub, { servers: { s: mounted() } })
    const meta = { callId: 'secret-1', 'claudecode/toolUseId': 'secret-2', trace: 'kept' }
    for (const [name, args] of [
      ['s__echo', { a: 1 }],
      ['call_tool', { tool: 's__echo', arguments: { a: 1 } }],
    ] as const) {
      const echoed = JSON.parse(textOf(await router.callTool(name, args, meta))) as object
      expect(echoed).toEqual({ name: 'echo', arguments: { a: 1 }, _meta: { trace: 'kept' } })
    }
    await router.callTool('s__big')
    expect(router.lines.at(-1)).toContain('{"type":"odd","n":12345678901234567890, "f":1.0}')
    expect(await names(router)).not.toContain('s__echo')
  })

  test('its own error comes through as it is, and an unknown name is told apart (O05, K07, O12)', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(stub, { servers: { s: mounted(), off: { command: 'x' } } })
    const own = { code: -32000, message: 'no such thing', data: { a: 1 } }
    expect((await router.callTool('s__fail')).error).toEqual(own)
    expect((await router.callTool('call_tool', { tool: 's__fail' })).error).toEqual(own)
    expect((await router.callTool('s__nothing')).error).toMatchObject({ code: -32602 })
    expect((await router.callTool('ghost__x')).error).toMatchObject({ code: -32602 })
    expect(textOf(await router.callTool('off__x'))).toContain('disabled')
    expect(textOf(await router.callTool('call_tool', { tool: 's__nothing' }))).toContain('tool not found')
  })

  test('numbers that cannot be kept are refused on the way in, whichever way they come', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(stub, { servers: { s: mounted() } })
    for (const params of [
      '{"name":"s__echo","arguments":{"n":12345678901234567890}}',
      '{"name":"call_tool","arguments":{"tool":"s__echo","arguments":{"n":12345678901234567890}}}',
      '{"name":"call_tool","arguments":{"tool":"s__echo","arguments":{"n":1,"n":2}}}',
    ]) {
      expect((await router.requestRaw('tools/call', params)).error).toMatchObject({
        code: -32602,
        data: { code: 'arguments_invalid' },
      })
    }
  })

  test('a lost connection is a typed outcome, and the call is not sent again (G08)', async () => {
    await using stub = await stubRouter()
    using log = tempFolder()
    using router = await lazyRouter(stub, { servers: { s: mounted({ log: log.file('log') }) } })
    const lost = await router.callTool('s__die')
    expect(lost.result).toMatchObject({
      isError: true,
      structuredContent: { status: 'outcome_unknown', retried: false },
    })
    expect(textOf(lost)).toMatch(/outcome unknown.*not retried/)
  })

  test('progress is passed on under the token of the client', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(stub, { servers: { s: mounted() } })
    await router.callTool('s__progress', {}, { progressToken: 'mine' })
    const told = router.messages.filter(({ method }) => method === 'notifications/progress')
    expect(told.map(({ params }) => params)).toEqual([
      { progressToken: 'mine', progress: 1 },
      { progressToken: 'mine', progress: 2 },
    ])
  })

  test('pinned tools are listed, and a burst of 200 announcements is told once (I1, M01, M02, M03)', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(stub, { pin: ['s'], servers: { s: mounted() } })
    const told = () => router.messages.filter(({ method }) => method === 'notifications/tools/list_changed').length
    await router.callTool('s__echo')
    expect(await names(router)).toContain('s__echo')
    const before = told()
    await router.callTool('s__grow')
    while (!(await names(router)).includes('s__more-10')) await router.callTool('s__echo')
    while (told() === before) await router.callTool('s__echo')
    for (let n = 0; n < 20; n++) await names(router)
    expect(told()).toBe(before + 1)
  })
})

describe('an agent', () => {
  test('reaches nothing outside its scope, on any way, and learns no byte of it', async () => {
    await using stub = await stubRouter()
    const agents = {
      a: { type: 'claude', path: '/x', servers: ['s', 'gongbu'], tools: ['s__echo', 'gongbu__get_execution'] },
    }
    using router = await lazyRouter(stub, { expose: 'all', servers: { s: mounted(), t: mounted() }, agents }, 'a')
    expect((await names(router)).slice(0, 1)).toEqual(['gongbu_get_execution'])
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

  test('that no configuration names is refused at the start (K17)', async () => {
    await using stub = await stubRouter()
    using folder = tempFolder()
    writeFileSync(folder.file('c.yaml'), '{}')
    using router = startRouter(built.bin, stub.env, ['--config', folder.file('c.yaml'), '--agent', 'nobody'])
    expect((await router.exit)[0]).toBe(1)
    expect(router.stderr).toContain('--agent')
  })
})

describe('detached calls', () => {
  test('give their result as often as they are asked, can be cancelled, and are told apart from unknown ones', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(stub, { servers: { s: mounted() } })
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
    using router = await lazyRouter(stub, {})
    const started = await router.data('call_tool', { tool: 'hubu_list_agents', detach: true })
    expect(started).toMatchObject({ status: 'accepted', server: 'hubu', namespaced: 'hubu_list_agents' })
  })
})
