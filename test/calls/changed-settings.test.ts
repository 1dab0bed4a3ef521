// The gateway under settings that change while it serves, with real children.
import { testCaller, testClient } from '../support/caller.ts'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { GatewayConfig, ServerConfig } from '#generated/types/config.js'
import { createFinishCall } from '../../src/answers/finish.ts'
import type { ResourceRequests } from '../../src/calls/resource-requests.ts'
import { openGateway, type GatewaySettings, type OpenGateway } from '../../src/gateway/open-gateway.ts'
import type { States } from '../../src/capabilities/availability.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { realClock } from '../../src/timing/clock.ts'
import { localCaller } from '../../src/wire/request.ts'

const fixture = path.resolve('test/downstream/fixtures/server.mjs')
/** Asks for what clients of the last revisions get. */
const structured = { ...testCaller, client: { ...testClient, revision: '2025-11-25' } }

const entry = (script: object = {}): ServerConfig => ({
  command: process.execPath,
  args: [fixture],
  env: { DOWNSTREAM_TEST: JSON.stringify({ tools: toolsOf('pid', 'hang'), ...script }) },
  enabled: true,
})
const toolsOf = (...names: string[]) => names.map((name) => ({ name, inputSchema: { type: 'object' } }))

/** Whether stored results of s__pid and t__pid are shown. */
async function scopeOfStored(gateway: OpenGateway): Promise<boolean[]> {
  const seen: boolean[] = []
  const stored: ResourceRequests = {
    list: (_params, { isInScope }) => {
      seen.push(isInScope('s', 'pid'), isInScope('t', 'pid'))
      return Promise.resolve({ resources: [] })
    },
    listTemplates: () => Promise.resolve({ resourceTemplates: [] }),
    read: () => Promise.reject(new Error('nothing is read here')),
  }
  const source = { signal: new AbortController().signal, ...structured }
  await gateway.requests(stored, localCaller).listResources({}, source)
  return seen
}

const running: OpenGateway[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((gateway) => gateway.stop()))
})

/** Nothing but mounted servers. */
const states = {
  hubu: { state: 'unconfigured' },
  gongbu: { state: 'unconfigured' },
  registry: { state: 'unavailable' },
} as unknown as States

type Changes = Partial<GatewaySettings> & { file: GatewayConfig }

/** Changes that come within so many milliseconds are announced together; here, when the test says so. */
const mergeMs = 10

/** A gateway that has connected its servers, in the hands of a test. */
async function opened(first: Changes) {
  let announced = 0
  const told: unknown[] = []
  let hear = () => {}
  const merging: (() => void)[] = []
  const tell = (method: string, params: object) => {
    told.push({ method, ...params })
    hear()
    return true
  }
  const settings = (changes: Changes): GatewaySettings => ({
    expose: 'lazy',
    agent: undefined,
    agentNamed: () => undefined,
    callTimeoutMs: 60_000,
    connectTimeoutMs: 10_000,
    ...changes,
  })
  const gateway = openGateway({
    settings: settings(first),
    trustClientApproval: false,
    monitor: { states: () => states, refreshIfDue: () => Promise.resolve() },
    usage: () => {
      throw new Error('nothing is recorded here')
    },
    record: () => {},
    randomHex: () => '0'.repeat(32),
    clock: {
      ...realClock,
      after: (ms, work) => {
        if (ms !== mergeMs) return realClock.after(ms, work)
        merging.push(work)
        return () => {}
      },
    },
    random: () => 0,
    clientInfo: { name: 'test', version: '1' },
    environment: { env: process.env, home: homedir(), platform: process.platform },
    upstream: { capabilities: () => ({}), ask: () => Promise.reject(new Error()), tell },
    results: { getResult: () => Promise.reject(new Error()) },
    purchases: {
      of: () => {
        throw new Error('nobody asks for purchases')
      },
    },
    contract: { answerTool: () => Promise.reject(new Error()) },
    finish: createFinishCall({
      imageBudgetBytes: 0,
      budgetBytes: 0,
      store: () => Promise.resolve(undefined),
      clock: realClock,
    }),
    hasHubu: false,
    namesPurchases: false,
    hasGongbu: false,
    onChange: () => announced++,
    onNews: () => {},
    warn: () => {},
  })
  running.push(gateway)
  gateway.start()
  gateway.hasListChanged()
  /** How often another list is announced, until now and since this was asked last. */
  const announcements = () => {
    for (const work of merging.splice(0)) work()
    const count = announced
    announced = 0
    return count
  }
  const call = async (name: string, args: Record<string, unknown> = {}, relayProgress?: () => void) => {
    const findings = { duplicateKey: false, protoKey: false, depth: 0, inexactNumber: false }
    const source = {
      cause: { kind: 'request' as const, id: {} },
      signal: new AbortController().signal,
      relayProgress,
      ...structured,
    }
    const answer = await gateway.answer({ name, args, meta: undefined, findings }, source)
    return (answer.json === undefined ? answer : JSON.parse(answer.json)) as {
      content: { text: string }[]
      structuredContent?: Record<string, unknown>
    }
  }
  const data = async (name: string, args: Record<string, unknown> = {}) => (await call(name, args)).structuredContent
  const textOf = async (name: string, args: Record<string, unknown> = {}) => (await call(name, args)).content[0]?.text
  const names = () =>
    gateway
      .list(localCaller)
      .map((tool) => (tool as { name: string }).name)
      .filter((name) => name.includes('__'))
  for (const server of Object.keys(first.file.servers ?? {})) await textOf(`${server}__pid`)
  const atFirst = announcements()
  /** Waits until the client is told something. */
  const heard = () => new Promise<void>((resolve) => (hear = resolve))
  return {
    gateway,
    /** How often another list was announced until every server was connected. */
    atFirst,
    told,
    heard,
    call,
    data,
    textOf,
    names,
    announcements,
    apply: (changes: Changes) => gateway.apply(settings(changes)),
  }
}

test('a first connection is announced where it shows in the list, and only there', async () => {
  const file = { servers: { s: entry() } }
  expect((await opened({ file })).atFirst).toBe(0)
  expect((await opened({ file, expose: 'all' })).atFirst).toBe(1)
})

describe('a gateway whose settings change', () => {
  test('lists a new pin at once, announces it once, and keeps the child', async () => {
    const servers = { s: entry() }
    const { apply, names, textOf, announcements } = await opened({ file: { servers } })
    const pid = await textOf('s__pid')
    apply({ file: { servers, pin: ['s__hang'] } })
    expect(names()).toEqual(['s__hang'])
    expect(announcements()).toBe(1)
    apply({ file: { servers, pin: ['s__hang'], call_timeout: '1m' } })
    expect(await textOf('s__pid')).toBe(pid)
    expect(announcements()).toBe(0)
  })

  test('describes a server anew without a new connection and without an announcement', async () => {
    const servers = (more: ServerConfig = {}) => ({ s: { ...entry(), ...more } })
    const { apply, data, textOf, gateway, announcements } = await opened({ file: { servers: servers() } })
    const pid = await textOf('s__pid')
    const { catalog_revision: before } = (await data('list_servers'))!
    apply({ file: { servers: servers({ description: 'street maps', use_when: ['plan a trip'] }) } })
    const { catalog_revision: after, servers: listed } = (await data('list_servers'))!
    expect(after).not.toBe(before)
    expect(listed).toContainEqual(expect.objectContaining({ name: 's', connected: true, description: 'street maps' }))
    expect(gateway.instructions(localCaller)).toContain('plan a trip')
    expect(await textOf('s__pid')).toBe(pid)
    expect(announcements()).toBe(0)
  })

  test('replaces a server that offers the same without an announcement', async () => {
    const { apply, names, textOf, announcements } = await opened({ expose: 'all', file: { servers: { s: entry() } } })
    const pid = await textOf('s__pid')
    apply({ expose: 'all', file: { servers: { s: entry({ other: true }) } } })
    expect(names()).toEqual(['s__hang', 's__pid'])
    expect(await textOf('s__pid')).not.toBe(pid)
    expect(announcements()).toBe(0)
  })

  test('shows all or few tools, and as many as the schema budget lets it, as the settings say', async () => {
    const file = { servers: { s: entry() } }
    const { apply, names, gateway } = await opened({ file })
    apply({ file, expose: 'all' })
    expect(names()).toEqual(['s__hang', 's__pid'])
    expect(gateway.instructions(localCaller)).not.toContain('lazy mode')
    apply({ file, expose: 'all', agent: { name: 'a', schemaBudgetBytes: 0 } })
    expect(names()).toEqual([])
    apply({ file })
    expect(gateway.instructions(localCaller)).toContain('lazy mode')
  })

  test('narrows the scope at once for the list, calls, calls in the background and their results', async () => {
    const file = { servers: { s: entry(), t: entry() } }
    const agent = { name: 'a', servers: ['s', 't'] }
    const { apply, names, data, textOf, gateway } = await opened({ expose: 'all', file, agent })
    const { callId } = (await data('call_tool', { tool: 's__hang', detach: true }))!
    expect(await data('poll_result', { callId })).toMatchObject({ status: 'pending' })
    apply({ expose: 'all', file, agent: { name: 'a', servers: ['t'] } })
    expect(names()).toEqual(['t__hang', 't__pid'])
    expect(await textOf('s__pid')).toMatch(/out of scope/)
    expect(await textOf('call_tool', { tool: 's__pid' })).toMatch(/out of scope/)
    expect(await textOf('poll_result', { callId })).toMatch(/out of scope/)
    expect(await data('describe_tool', { tool: 's__pid' })).toBeUndefined()
    expect(await scopeOfStored(gateway)).toEqual([false, true])
    expect(await data('list_servers')).toMatchObject({ servers: [{ name: 't' }] })
    const requests = gateway.requests(undefined, localCaller)
    const source = { signal: new AbortController().signal, ...structured }
    await expect(requests.readResource({ uri: 'mcphub://s/x' }, source)).rejects.toThrow(/in scope/)
    apply({ expose: 'all', file, agent: { name: 'a', servers: ['t'], tools: ['t__pid'] } })
    expect(names()).toEqual(['t__pid'])
    expect(await textOf('t__hang')).toMatch(/out of scope/)
  })

  test('mounts what is new and unmounts what is gone, each with one announcement', async () => {
    const { apply, names, textOf, announcements } = await opened({ expose: 'all', file: {} })
    apply({ expose: 'all', file: { servers: { s: entry() } } })
    await textOf('s__pid')
    expect(names()).toEqual(['s__hang', 's__pid'])
    expect(announcements()).toBe(1)
    apply({ expose: 'all', file: {} })
    expect(names()).toEqual([])
    expect(announcements()).toBe(1)
  })

  test('watches resources on over the connection that replaces another, and tells nothing more of what is out of scope', async () => {
    const script = { offers: true, tools: toolsOf('pid', 'release') }
    const servers = { s: entry(script) }
    const { apply, gateway, told, heard, call, textOf } = await opened({ file: { servers } })
    const requests = gateway.requests(undefined, localCaller)
    const source = { signal: new AbortController().signal, ...structured }
    const uri = `mcphub://s/${encodeURIComponent('file:///a')}`
    await requests.subscribe({ uri }, source)
    const updated = heard()
    apply({ file: { servers: { s: entry({ ...script, other: true }) } } })
    await updated
    expect(told).toEqual([{ method: 'notifications/resources/updated', uri }])

    const pid = Number(await textOf('s__pid'))
    let ended: Promise<unknown> = Promise.resolve()
    await new Promise<void>((resolve) => {
      ended = call('s__release', { uri: 'file:///a' }, resolve)
    })
    apply({ file: {} })
    process.kill(pid, 'SIGUSR2')
    expect(await ended).toEqual({ content: [] })
    expect(told).toHaveLength(1)
  })

  test('tells a server that comes later which log messages the client wants', async () => {
    using folder = tempFolder()
    const log = folder.file('log')
    const { apply, gateway, textOf } = await opened({ file: {} })
    await gateway.setLogLevel({ level: 'debug' }, {})
    apply({ file: { servers: { s: entry({ log }) } } })
    await textOf('s__pid')
    expect(readFileSync(log, 'utf8')).toMatch(/^level debug\n(.*\n)*call pid$/m)
  })
})
