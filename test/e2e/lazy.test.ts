// The built bin in lazy mode: stub backends, a mounted fixture server, and a client that knows nothing of either.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter, type StubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { lazyRouter, metaTools, mounted, namesOf, textOf } from './lazy-router.ts'
import { spendArguments } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const trusted = { HUBU_MCP_TRUST_CLIENT_APPROVAL: '1' }
const posts = ({ hubu }: StubRouter) => hubu.exchanges.filter(({ request }) => request.method === 'POST')

describe('the approval boundary in lazy mode', () => {
  test('with trust the eight meta-tools, the two spend tools and the twelve protected tools are listed', async () => {
    await using stub = await stubRouter({}, trusted)
    using router = await lazyRouter(built.bin, stub, {})
    const listed = await namesOf(router)
    expect(listed.slice(0, 8)).toEqual(metaTools)
    expect(listed).toHaveLength(8 + 2 + 12)
    expect(listed).toContain('hubu_create_budget')
    expect(listed).toContain('hubu_submit_spend')
    expect(listed).not.toContain('hubu_list_ledger')
  })

  test('without trust no protected tool is listed, found or described', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(built.bin, stub, {})
    expect(await namesOf(router)).toEqual([...metaTools, 'hubu_submit_spend', 'hubu_authorize_spend'])
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

  test('a protected tool is never called through call_tool, detached or not, and by none of its other names', async () => {
    await using stub = await stubRouter({}, trusted)
    using router = await lazyRouter(built.bin, stub, {})
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
    for (const name of ['hubu__revoke_budget', 'hubu__hubu_revoke_budget']) {
      const { error } = await router.callTool(name, { budget_id: 'bdg_1' })
      expect(error).toMatchObject({ code: -32000, data: { code: 'direct_call_required' } })
    }
    expect(posts(stub)).toEqual([])
  })

  test('only the explicit pair of no pins and no schema budget shows exactly eight, and says so of protected tools', async () => {
    await using stub = await stubRouter({}, trusted)
    const agents = { tiny: { type: 'claude', path: '/x', pin: [], tool_schema_budget: '0' } }
    using router = await lazyRouter(built.bin, stub, { agents }, { agent: 'tiny' })
    expect(await namesOf(router)).toEqual(metaTools)
    const { error } = await router.callTool('call_tool', { tool: 'hubu_create_budget' })
    expect(error?.message).toContain('tool_schema_budget')
    const unlisted = await router.callTool('hubu_create_budget', {})
    expect(unlisted.error).toMatchObject({ code: -32000, data: { code: 'direct_call_required' } })
    expect(posts(stub)).toEqual([])
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
    using router = await lazyRouter(built.bin, stub, {})
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
    using router = await lazyRouter(built.bin, stub, {})
    for (const tool of ['hubu_submit_spend', 'gongbu_create_execution']) {
      const answer = await router.callTool('call_tool', { tool, arguments: {}, detach: true }, { callId: 'x' })
      expect(answer.result?.isError).toBe(true)
      expect(textOf(answer)).toContain('Leave detach out')
    }
    expect(posts(stub)).toEqual([])
  })

  test('the catalog knows exactly what can be called now, and marks what must be called directly', async () => {
    await using stub = await stubRouter({}, trusted)
    using router = await lazyRouter(built.bin, stub, {})
    expect(await router.data('list_servers')).toMatchObject({
      total_tools: 35,
      servers: [
        { name: 'gongbu', connected: true, tools: 4 },
        { name: 'hubu', connected: true, tools: 28 },
        { name: 'router', connected: true, tools: 3 },
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
      total_tools: 31,
      servers: [{ name: 'gongbu', connected: false }, {}, {}],
    })
  })
})

describe('mounted servers behind the bin', () => {
  test('a hidden tool answers directly and through call_tool, byte by byte, and the trusted identity never leaves', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(built.bin, stub, { servers: { s: mounted() } })
    const meta = { callId: 'secret-1', 'claudecode/toolUseId': 'secret-2', trace: 'kept' }
    for (const [name, args] of [
      ['s__echo', { a: 1 }],
      ['call_tool', { tool: 's__echo', arguments: { a: 1 } }],
    ] as const) {
      const echoed = JSON.parse(textOf(await router.callTool(name, args, meta))) as object
      expect(echoed).toEqual({ name: 'echo', arguments: { a: 1 }, _meta: { trace: 'kept' } })
    }
    await router.callTool('s__big')
    // An announcement may come after the answer.
    const answered = router.lines.findLast((line) => line.includes('"result"'))
    expect(answered).toContain('{"type":"odd","n":12345678901234567890, "f":1.0}')
    expect(await namesOf(router)).not.toContain('s__echo')
  })

  test('a pin that names no tool is told once in the log, when its server is connected', async () => {
    await using stub = await stubRouter({}, { HUBU_UNIFIED_LOG: 'warn' })
    const servers = { s: mounted(), off: { command: 'x' }, slow: mounted({ hangOnList: true }) }
    const pin = ['s__ehco', 's', 's__big', 'off__thing', 'slow__thing', 'hubu__list_ledgr']
    using router = await lazyRouter(built.bin, stub, { servers, pin })
    await router.callTool('s__grow')
    while (!(await namesOf(router)).some((name) => name.startsWith('s__more-'))) await router.callTool('s__echo')
    await router.end()
    const told = router.stderr.split('\n').filter((line) => line.includes('names no tool'))
    expect(told.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      'the pin hubu__list_ledgr names no tool of hubu; did you mean hubu__list_ledger?',
      'the pin s__ehco names no tool of s; did you mean s__echo?',
    ])
  })

  test('its own error comes through as it is, and an unknown name is told apart', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(built.bin, stub, { servers: { s: mounted(), off: { command: 'x' } } })
    const own = '"error":{"code":-32000,"message":"no such thing","data":{"n":12345678901234567890, "f":1.0}}}'
    for (const [name, args] of [['s__fail'], ['call_tool', { tool: 's__fail' }]] as const) {
      const { id } = await router.callTool(name, args)
      expect(router.lines.find((line) => line.includes(`"id":"${String(id)}"`))?.endsWith(own)).toBe(true)
    }
    expect((await router.callTool('s__nothing')).error).toMatchObject({ code: -32602 })
    expect((await router.callTool('ghost__x')).error).toMatchObject({ code: -32602 })
    expect(textOf(await router.callTool('off__x'))).toContain('disabled')
    expect(textOf(await router.callTool('call_tool', { tool: 's__nothing' }))).toContain('tool not found')
  })

  test('numbers that cannot be kept are refused on the way in, whichever way they come', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(built.bin, stub, { servers: { s: mounted() } })
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

  test('a lost connection is a typed outcome, and the call is not sent again', async () => {
    await using stub = await stubRouter()
    using log = tempFolder()
    using router = await lazyRouter(built.bin, stub, { servers: { s: mounted({ log: log.file('log') }) } })
    const lost = await router.callTool('s__die')
    expect(lost.result).toMatchObject({
      isError: true,
      structuredContent: { status: 'outcome_unknown', retried: false },
    })
    expect(textOf(lost)).toMatch(/outcome unknown.*not retried/)
  })

  test('a search that comes before a server is connected says that it was not searched', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(built.bin, stub, { servers: { s: mounted({ hangOnInitialize: true }) } })
    for (const name of ['search_tools', 'resolve_tool'])
      expect((await router.data(name, { query: 'echo what I say' })).hint).toMatch(/Still connecting.*: s\./)
  })

  test('progress is passed on under the token of the client', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(built.bin, stub, { servers: { s: mounted() } })
    await router.callTool('s__progress', {}, { progressToken: 'mine' })
    const told = router.messages.filter(({ method }) => method === 'notifications/progress')
    expect(told.map(({ params }) => params)).toEqual([
      { progressToken: 'mine', progress: 1 },
      { progressToken: 'mine', progress: 2 },
    ])
  })

  test('pinned tools are listed, and a burst of 200 announcements is told at most twice', async () => {
    await using stub = await stubRouter()
    using router = await lazyRouter(built.bin, stub, { pin: ['s'], servers: { s: mounted() } })
    const told = () => router.messages.filter(({ method }) => method === 'notifications/tools/list_changed').length
    await router.callTool('s__echo')
    expect(await namesOf(router)).toContain('s__echo')
    const before = told()
    await router.callTool('s__grow')
    while (!(await namesOf(router)).some((name) => name.startsWith('s__more-'))) await router.callTool('s__echo')
    while (told() === before) await router.callTool('s__echo')
    for (let n = 0; n < 20; n++) await namesOf(router)
    // The announcement of the first connection may come only now (at most two).
    expect(told()).toBeLessThanOrEqual(before + 2)
  })
})
