// The meta-tools of the built bin, behind it the servers of fixture F. No backend is configured, so nothing
// stands in the lists that must be called by name.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { lazyRouter, metaTools, mounted, namesOf, textOf, type LazyRouter } from './lazy-router.ts'
import { serversF } from './servers-f.ts'

const withoutBackends = (path: string) => ({
  env: { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: path, XDG_DATA_HOME: path },
})
const agent = (lists: object) => ({ type: 'claude', path: '/x', ...lists })

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

describe('fixture F in lazy mode', () => {
  const folder = tempFolder()
  const does = { atlas_route: 'hang', add_entry: 'violate' }
  const config = {
    call_timeout: '1m',
    servers: serversF({ does, log: folder.file('log') }),
    agents: { narrow: agent({ servers: ['scribe'] }) },
  }
  const start = (options: object = {}) =>
    lazyRouter(built.bin, withoutBackends(folder.path), config, { given: folder, ...options })
  let router: LazyRouter
  beforeAll(async () => {
    router = await start()
  })
  afterAll(async () => {
    await router.end()
    folder[Symbol.dispose]()
  })

  const cancel = (callId: unknown) => router.data('poll_result', { callId, cancel: true })
  const refusal = async (args: object) => {
    const answer = await router.callTool('call_tool', args)
    expect(answer.result?.isError, JSON.stringify(args)).toBe(true)
    return textOf(answer)
  }

  test('lists exactly the eight meta-tools with their titles, each closed to arguments that it does not know', async () => {
    type Tool = { name: string; title: string; inputSchema: { required?: string[]; additionalProperties: boolean } }
    const { result } = await router.request('tools/list')
    const listed = (result?.tools as Tool[]).map(({ name, title, inputSchema }) => [
      ...[name, title, inputSchema.required ?? []],
      inputSchema.additionalProperties,
    ])
    expect(listed).toEqual([
      ['list_servers', 'List servers', [], false],
      ['search_tools', 'Search tools', ['query'], false],
      ['describe_tool', 'Describe tool', ['tool'], false],
      ['resolve_tool', 'Resolve tool', ['query'], false],
      ['call_tool', 'Call tool', ['tool'], false],
      ['get_result', 'Get result', ['callId'], false],
      ['poll_result', 'Poll result', ['callId'], false],
      ['stats', 'Stats', [], false],
    ])
  })

  test('a meta-tool answers to its older names alike, and a name like them is unknown', async () => {
    // Each of them waits until its server is connected.
    for (const server of ['atlas', 'ledger', 'scribe']) await router.callTool('describe_tool', { server, tool: 'any' })
    const wanted = await router.data('list_servers')
    expect(wanted).toMatchObject({ contract_version: 1, expose: 'lazy' })
    for (const name of ['mcphub_list_servers', 'mcphub__list_servers', 'mcphub__mcphub_list_servers'])
      expect(await router.data(name), name).toEqual(wanted)
    expect((await router.callTool('mcphub_not_a_tool')).error).toMatchObject({ code: -32602 })
  })

  test('call_tool with arguments that it cannot read forwards nothing', async () => {
    const forwarded = async () => {
      await router.callTool('call_tool', { tool: 'scribe__read' })
      return readFileSync(folder.file('log'), 'utf8').match(/^call (?!scribe-read)/gm)?.length ?? 0
    }
    const before = await forwarded()
    expect(await refusal({ tool: 'ledger__add_entry', args: {} })).toContain('unknown argument args')
    expect(await refusal({ tool: 'ledger__add_entry', arguments: 7 })).toContain('arguments')
    expect(await forwarded()).toBe(before)
  })

  test('describe_tool answers an unknown name with data', async () => {
    for (const [tool, error] of [
      ['atlas__nope', /^tool not found$/],
      ['nope', /server is missing/],
    ] as const) {
      const { result } = await router.callTool('describe_tool', { tool })
      expect(result).toMatchObject({ structuredContent: { error: expect.stringMatching(error) as string } })
      expect(result).not.toHaveProperty('isError')
    }
  })

  test.each([
    [{ tool: 'plain' }, 'server is missing'],
    [{ tool: 'ghost__x' }, 'unknown server'],
    [{ tool: 'attic__x' }, 'disabled'],
    [{ tool: 'ghost__x', detach: true }, 'unknown server'],
  ])('call_tool refuses %j with the words "%s"', async (args, words) => {
    expect(await refusal(args)).toContain(words)
  })

  test('call_tool without arguments sends an empty object', async () => {
    const answer = await router.callTool('call_tool', { tool: 'scribe__read' })
    expect(JSON.parse(textOf(answer))).toEqual({ name: 'scribe-read', arguments: {} })
  })

  test('a small error result of a tool passes through call_tool unchanged', async () => {
    expect((await router.callTool('call_tool', { tool: 'ledger__add_entry' })).result).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'broken' }],
      structuredContent: { b: 1 },
    })
  })

  test('a detached call of a blocked tool is accepted at once, and its outcome is out of scope for another agent', async () => {
    const asked = { tool: 'atlas__route', detach: true, timeout_ms: 60_000 }
    const accepted = await router.data('call_tool', asked)
    expect(accepted).toEqual({
      status: 'accepted',
      callId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      server: 'atlas',
      tool: 'route',
      downstream: 'atlas_route',
      namespaced: 'atlas__route',
      timeoutMs: 60_000,
      nextAction: expect.stringContaining('poll_result') as string,
    })
    const { callId } = accepted
    expect(await router.data('poll_result', { callId })).toMatchObject({ status: 'pending' })
    using narrow = await start({ agent: 'narrow' })
    const foreign = await narrow.callTool('poll_result', { callId })
    expect([foreign.result?.isError, Object.keys(foreign.result ?? {})]).toEqual([true, ['content', 'isError']])
    expect(textOf(foreign)).toContain('out of scope')
    await cancel(callId)
  })

  test('a detached call whose time is over has failed with an unknown outcome', async () => {
    const { callId } = await router.data('call_tool', { tool: 'atlas__route', detach: true, timeout_ms: 30 })
    const poll = () => router.callTool('poll_result', { callId })
    let { result } = await poll()
    while ((result?.structuredContent as { status: string }).status === 'pending') result = (await poll()).result
    expect(result).toMatchObject({
      structuredContent: { status: 'failed', error: expect.stringContaining('outcome unknown') as string },
    })
    expect(result).not.toHaveProperty('isError')
  })

  test('poll_result tells an unknown id from a blank one', async () => {
    expect(await router.data('poll_result', { callId: '0'.repeat(32) })).toMatchObject({ status: 'unknown' })
    const blank = await router.callTool('poll_result', { callId: '  ' })
    expect([blank.result?.isError, textOf(blank)]).toEqual([true, expect.stringContaining('callId')])
  })

  test.each([
    [5000, 5000],
    [0, 60_000],
    [-5, 60_000],
    [Number.MAX_SAFE_INTEGER, 60_000],
    [undefined, 60_000],
  ])('with a call_timeout of a minute, timeout_ms %s means %s ms', async (timeoutMs, wanted) => {
    const asked = { tool: 'atlas__route', detach: true, timeout_ms: timeoutMs }
    const accepted = await router.data('call_tool', asked)
    expect(accepted.timeoutMs).toBe(wanted)
    await cancel(accepted.callId)
  })
})

test('of a call that is waited for, only a positive timeout_ms ends the waiting', async () => {
  using folder = tempFolder()
  const config = { call_timeout: '50ms', servers: { s: mounted() } }
  using router = await lazyRouter(built.bin, withoutBackends(folder.path), config)
  await router.callTool('s__echo')
  const hang = (timeoutMs?: number) => router.callTool('call_tool', { tool: 's__hang', timeout_ms: timeoutMs })
  // Those without a limit come first, so that one of call_timeout would end them first.
  const waiting = [hang(0), hang(-5), hang()]
  const limited = hang(Number.MAX_SAFE_INTEGER)
  expect(await Promise.race([...waiting, limited])).toBe(await limited)
  expect(textOf(await limited)).toContain('the time for the call ran out')
})

test.each(['atlas__route', 'atlas__atlas_route'])(
  'an agent allowed %s finds and calls that tool and no other',
  async (allowed) => {
    using folder = tempFolder()
    const config = {
      servers: serversF(),
      agents: { one: agent({ tools: [allowed] }) },
    }
    using router = await lazyRouter(built.bin, withoutBackends(folder.path), config, { agent: 'one' })
    const called = await router.callTool('call_tool', { tool: 'atlas__route' })
    expect(JSON.parse(textOf(called))).toMatchObject({ name: 'atlas_route' })
    expect(await router.data('search_tools', { query: '' })).toMatchObject({
      count: 1,
      matches: [{ namespaced: 'atlas__route' }],
    })
    for (const [name, args] of [
      ['describe_tool', {}],
      ['call_tool', {}],
      ['call_tool', { detach: true }],
    ] as const) {
      const { result } = await router.callTool(name, { tool: 'atlas__geocode', ...args })
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('out of scope') as string }],
      })
    }
    expect(await namesOf(router)).toEqual(metaTools)
  },
)

test('an empty query lists at most a hundred of many tools', async () => {
  using folder = tempFolder()
  const tools = Array.from({ length: 120 }, (_, n) => ({
    name: `t${String(n).padStart(3, '0')}`,
    description: 'Inspect widget.',
    inputSchema: { type: 'object' },
  }))
  const config = { servers: { many: mounted({ tools }) }, agents: { a: agent({ servers: ['many'] }) } }
  using router = await lazyRouter(built.bin, withoutBackends(folder.path), config, { agent: 'a' })
  await router.callTool('describe_tool', { tool: 'many__t000' })
  expect(await router.data('search_tools', { query: '', max_hits: 500 })).toMatchObject({
    count: 120,
    returned: 100,
    byte_limited: false,
    truncated: true,
  })
})
