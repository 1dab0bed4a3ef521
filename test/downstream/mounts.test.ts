import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { ServerConfig } from '#generated/types/config.js'
import { createMounts, type Mounts, type MountsOptions } from '../../src/downstream/mounts.ts'
import { gone, isRunning, processesIn } from '../support/processes.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { collectWarnings } from '../support/warnings.ts'
import { createWatchers } from './watchers.ts'
import { realClock } from '../../src/timing/clock.ts'

const fixture = path.resolve('test/downstream/fixtures/server.mjs')
const running: Mounts[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((mounts) => mounts.stop()))
})

const entry = (script: object = {}): ServerConfig => ({
  command: process.execPath,
  args: [fixture],
  env: { DOWNSTREAM_TEST: JSON.stringify(script) },
  enabled: true,
})

function mount(
  servers: Record<string, ServerConfig>,
  more: Partial<MountsOptions> = {},
): { mounts: Mounts; changed(until: () => boolean): Promise<void>; changes(): number } {
  const { look, changed } = createWatchers()
  let changes = 0
  const mounts = createMounts({
    servers,
    allowsServer: () => true,
    clientInfo: { name: 'test', version: '1' },
    connectTimeoutMs: 10_000,
    environment: { env: process.env, home: homedir(), platform: process.platform },
    clock: realClock,
    random: () => 0,
    onChange: () => {
      changes++
      look()
    },
    warn: () => {},
    ...more,
  })
  running.push(mounts)
  mounts.start()
  return { mounts, changed, changes: () => changes }
}

const isConnected = (mounts: Mounts, name: string) =>
  mounts.servers().some((server) => server.name === name && server.isConnected)

describe('mounted servers', () => {
  test('offer their tools under public names, all pages of them, and one that fails costs nobody else', async () => {
    const tools = Array.from({ length: 25 }, (_, n) => ({
      name: `a_tool${String(n).padStart(2, '0')}`,
      inputSchema: { type: 'object' },
    }))
    const { mounts, changed } = mount({
      a: entry({ tools, pageSize: 10 }),
      broken: { command: '/nowhere/at-all', enabled: true },
      off: { command: 'x' },
    })
    await changed(() => isConnected(mounts, 'a') && mounts.servers()[1]?.error !== undefined)
    expect(mounts.tools()).toHaveLength(25)
    expect(mounts.tools()[0]).toMatchObject({ publicName: 'a__tool00', wireName: 'a_tool00' })
    const [, broken, off] = mounts.servers()
    expect(broken).toMatchObject({
      isEnabled: true,
      isConnected: false,
      error: 'connect: its command was not found on the PATH',
    })
    expect(off).toMatchObject({ isEnabled: false, isConnected: false })
  })

  test('with more pages than Node likes listeners are nothing that it warns of', async () => {
    using warnings = collectWarnings()
    const tools = Array.from({ length: 24 }, (_, n) => ({ name: `t${n}`, inputSchema: { type: 'object' } }))
    const { mounts } = mount({ a: entry({ tools, pageSize: 1 }) })
    await mounts.whenPublished('a')
    expect(mounts.tools()).toHaveLength(24)
    expect(await warnings.seen()).toEqual([])
  })

  test('are called under every accepted name, their arguments and results untouched to the last digit', async () => {
    const { mounts } = mount({ s: entry() })
    const echoed = await mounts.call('s', 'echo', { a: [1, null, 'é'] }, { meta: { traceparent: 'x' } })
    expect(echoed).toMatchObject({ kind: 'result' })
    const { content } = JSON.parse((echoed as { json: string }).json) as { content: { text: string }[] }
    expect(JSON.parse(content[0]?.text ?? '')).toEqual({
      name: 'echo',
      arguments: { a: [1, null, 'é'] },
      _meta: { traceparent: 'x' },
    })
    const json = '{"content":[{"type":"odd","n":12345678901234567890, "f":1.0}]}'
    for (const name of ['big', 's_big'])
      expect(await mounts.call('s', name, {}, {})).toMatchObject({ kind: 'result', json })
    expect(await mounts.call('s', 'none', {}, {})).toEqual({ kind: 'unknown_tool' })
  })

  test('answer with their own error, which breaks nothing', async () => {
    const { mounts, changes } = mount({ s: entry() })
    expect(await mounts.call('s', 'fail', {}, {})).toEqual({
      kind: 'error',
      code: -32000,
      message: 'no such thing',
      dataJson: '{"n":12345678901234567890, "f":1.0}',
    })
    expect(isConnected(mounts, 's')).toBe(true)
    expect(changes()).toBe(1)
  })

  test('that die during a call leave its outcome unknown, are noticed at once, and the call is never sent again', async () => {
    using folder = tempFolder()
    const { mounts, changed } = mount({ s: entry({ log: folder.file('log') }), other: entry() })
    expect(await mounts.call('s', 'die', {}, {})).toEqual({ kind: 'unknown', why: 'connection_lost' })
    await changed(() => isConnected(mounts, 's'))
    expect(await mounts.call('s', 'echo', {}, {})).toMatchObject({ kind: 'result' })
    await changed(() => isConnected(mounts, 'other'))
    expect(await mounts.call('other', 'echo', {}, {})).toMatchObject({ kind: 'result' })
    expect(readFileSync(folder.file('log'), 'utf8').match(/call die/g)).toHaveLength(1)
  })

  test('that hang see one call and one cancel when its time is over', async () => {
    using folder = tempFolder()
    const { mounts } = mount({ s: entry({ log: folder.file('log') }) })
    await mounts.whenPublished('s')
    expect(await mounts.call('s', 'hang', {}, { limit: AbortSignal.timeout(50) })).toEqual({
      kind: 'unknown',
      why: 'timed_out',
    })
    expect(await mounts.call('s', 'echo', {}, {})).toMatchObject({ kind: 'result' })
    const log = readFileSync(folder.file('log'), 'utf8')
    expect(log.match(/call hang/g)).toHaveLength(1)
    expect(log.match(/cancelled/g)).toHaveLength(1)
  })

  test('that are still connecting when a call has no more time do not get it', async () => {
    const { mounts } = mount({ s: entry({ hangOnList: true }) })
    expect(await mounts.call('s', 'echo', {}, { limit: AbortSignal.timeout(30) })).toEqual({ kind: 'connecting' })
  })

  test('whose answer has not the form of one have answered all the same', async () => {
    const { mounts } = mount({ s: entry() })
    expect(await mounts.call('s', 'odd', {}, {})).toMatchObject({ kind: 'error', code: -32603 })
    expect(await mounts.call('s', 'odder', {}, {})).toMatchObject({ kind: 'error', message: 'no code' })
    expect(isConnected(mounts, 's')).toBe(true)
  })

  test('report progress to whoever asked for it', async () => {
    const { mounts } = mount({ s: entry() })
    const seen: unknown[] = []
    await mounts.call('s', 'progress', {}, { onProgress: ({ progress }) => seen.push(progress) })
    expect(seen).toEqual([1, 2])
  })

  test('that announce two hundred changes in a burst are asked at most twice', async () => {
    using folder = tempFolder()
    const { mounts, changed } = mount({ s: entry({ log: folder.file('log') }) })
    await mounts.call('s', 'grow', {}, {})
    await changed(() => mounts.tools().some(({ wireName }) => wireName.startsWith('more-')))
    await mounts.call('s', 'echo', {}, {})
    expect(readFileSync(folder.file('log'), 'utf8').match(/tools\/list/g)?.length).toBeLessThanOrEqual(3)
  })

  test('may print a banner and a megabyte to stderr', async () => {
    const { mounts } = mount({ s: entry({ banner: 'welcome\n{"half": ', stderrBytes: 1_000_000 }) })
    expect(await mounts.call('s', 'echo', {}, {})).toMatchObject({ kind: 'result' })
  })

  test('outside the scope are never started, unknown and disabled ones are told apart', async () => {
    using folder = tempFolder()
    const { mounts } = mount(
      { s: entry({ log: folder.file('log') }), off: { command: 'x' } },
      { allowsServer: (name) => name !== 's' },
    )
    expect(await mounts.call('s', 'echo', {}, {})).toEqual({ kind: 'unknown_server' })
    expect(await mounts.call('off', 'echo', {}, {})).toEqual({ kind: 'disabled' })
    expect(existsSync(folder.file('log'))).toBe(false)
  })

  test('end with us: children, stubborn ones and grandchildren', async () => {
    const { mounts } = mount({ s: entry({ stubborn: true }) })
    const outcome = await mounts.call('s', 'child', {}, {})
    const { content } = JSON.parse((outcome as { json: string }).json) as { content: { text: string }[] }
    const grandchild = Number(content[0]?.text)
    expect(isRunning(grandchild)).toBe(true)
    await mounts.stop()
    await gone(grandchild)
  })

  test('end with us also while they are being started', async () => {
    using folder = tempFolder()
    const pids = folder.file('pids')
    const { mounts } = mount({ s: entry({ stubborn: true, hangOnInitialize: true, pids }) })
    const [child = 0, grandchild = 0] = await processesIn(pids, 2)
    await mounts.stop()
    expect(isRunning(child)).toBe(false)
    await gone(grandchild)
  })

  test('that die and leave somebody who holds their stdout are noticed, and the rest of them ends', async () => {
    using folder = tempFolder()
    const { mounts } = mount({ s: entry({ log: folder.file('log'), tools: [{ name: 'orphan', inputSchema: {} }] }) })
    expect(await mounts.call('s', 'orphan', {}, {})).toEqual({ kind: 'unknown', why: 'connection_lost' })
    await mounts.stop()
    await gone(Number(/orphan (\d+)/.exec(readFileSync(folder.file('log'), 'utf8'))?.[1]))
  })

  test('that close their stdout are replaced, and do not live on', async () => {
    using folder = tempFolder()
    const pids = folder.file('pids')
    const tools = ['mute', 'echo'].map((name) => ({ name, inputSchema: {} }))
    const { mounts, changed } = mount({ s: entry({ stubborn: true, pids, tools }) })
    await mounts.whenPublished('s')
    const [first = 0] = await processesIn(pids, 2)
    expect(await mounts.call('s', 'mute', {}, {})).toEqual({ kind: 'unknown', why: 'connection_lost' })
    await changed(() => isConnected(mounts, 's'))
    expect(await mounts.call('s', 'echo', {}, {})).toMatchObject({ kind: 'result' })
    await mounts.stop()
    expect(isRunning(first)).toBe(false)
  })

  test('that cannot start say why without a word of their own', async () => {
    const { mounts, changed } = mount({ s: entry({ exit: true, stderrBytes: 10 }) })
    await changed(() => mounts.servers()[0]?.error !== undefined)
    expect(mounts.servers()[0]?.error).toMatch(/before it was ready/)
    expect(await mounts.call('s', 'echo', {}, {})).toMatchObject({ kind: 'disconnected' })
  })

  test('may have a time to connect of their own', async () => {
    const servers = { hasty: entry(), patient: entry() }
    const { mounts, changed } = mount(servers, { connectTimeoutMs: 1, connectTimeoutsMs: { patient: 20_000 } })
    await changed(() => isConnected(mounts, 'patient') && mounts.servers()[0]?.error !== undefined)
    expect([mounts.connectTimeoutMs('hasty'), mounts.connectTimeoutMs('patient')]).toEqual([1, 20_000])
  })

  test('are given longer the first time, so that one whose package is being fetched is not begun anew for ever', async () => {
    const timed: number[] = []
    const after: typeof realClock.after = (ms, work) => (timed.push(ms), realClock.after(ms, work))
    const clock = { ...realClock, after }
    const { mounts, changed } = mount({ s: entry() }, { connectTimeoutMs: 20_000, clock })
    await changed(() => isConnected(mounts, 's'))
    expect(timed.filter((ms) => ms >= 20_000)).toEqual([80_000])
    await mounts.call('s', 'die', {}, {})
    await changed(() => isConnected(mounts, 's'))
    expect(timed.filter((ms) => ms >= 20_000)).toEqual([80_000, 20_000])
  })

  test('that never answer their list cost their own tools only', async () => {
    const { mounts, changed } = mount({ slow: entry({ hangOnList: true }), fine: entry() }, { connectTimeoutMs: 700 })
    await changed(() => isConnected(mounts, 'fine'))
    expect(mounts.tools().every(({ server }) => server === 'fine')).toBe(true)
    await changed(() => mounts.servers()[1]?.error !== undefined)
    expect(mounts.servers()[1]?.error).toBe(
      'connect: it did not answer in time; a longer connect_timeout of this server gives it more',
    )
  })
})
