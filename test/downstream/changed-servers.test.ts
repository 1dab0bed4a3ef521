// Mounted servers under a configuration that changes.
import { homedir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { ServerConfig } from '#generated/types/config.js'
import { differenceOf } from '../../src/downstream/difference.ts'
import { createMounts, type Mounts } from '../../src/downstream/mounts.ts'
import type { MountSettings } from '../../src/downstream/running-servers.ts'
import { gone, isRunning } from '../support/processes.ts'
import { createWatchers } from './watchers.ts'
import { realClock } from '../../src/timing/clock.ts'

describe('the difference between two configurations', () => {
  const atlas: ServerConfig = { command: 'atlas', args: ['--stdio'], env: { A: '1', B: '2' }, enabled: true }

  test.each<[string, ServerConfig]>([
    ['command', { ...atlas, command: 'atlas-2' }],
    ['args', { ...atlas, args: [] }],
    ['env', { ...atlas, env: { A: '1' } }],
    ['cwd', { ...atlas, cwd: '/' }],
    ['target', { url: 'http://atlas.test', enabled: true }],
  ])('replaces a server whose %s has changed', (_key, changed) => {
    expect(differenceOf({ atlas }, { atlas: changed })).toEqual({ ended: ['atlas'], begun: ['atlas'] })
  })

  test('replaces a remote server whose headers or transport have changed, and takes http for granted', () => {
    const url = 'http://atlas.test'
    const changed = (server: ServerConfig) => differenceOf({ atlas: { url } }, { atlas: { url, ...server } }).begun
    expect(changed({ headers: { A: 'b' } })).toEqual(['atlas'])
    expect(changed({ transport: 'sse' })).toEqual(['atlas'])
    expect(changed({ transport: 'http', headers: {} })).toEqual([])
  })

  test('leaves alone what is described differently or only written in another order', () => {
    const { env: _env, ...rest } = atlas
    const described = { env: { B: '2', A: '1' }, ...rest, description: 'x', tags: ['y'], use_when: ['z'] as [string] }
    expect(differenceOf({ atlas }, { atlas: described })).toEqual({ ended: [], begun: [] })
  })

  test('ends what is gone and begins what is new', () => {
    expect(differenceOf({ b: atlas, a: atlas }, { c: atlas, b: atlas })).toEqual({ ended: ['a'], begun: ['c'] })
  })
})

const fixture = path.resolve('test/downstream/fixtures/server.mjs')
const toolsOf = (...names: string[]) => names.map((name) => ({ name, inputSchema: { type: 'object' } }))
const entry = (script: object = {}): ServerConfig => ({
  command: process.execPath,
  args: [fixture],
  env: { DOWNSTREAM_TEST: JSON.stringify({ tools: toolsOf('pid', 'hang', 'release'), ...script }) },
  enabled: true,
})

const running: Mounts[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((mounts) => mounts.stop()))
})

/** Mounted servers of which the test learns every change. */
function mount(servers: Record<string, ServerConfig>) {
  const { look, changed } = createWatchers()
  const timers: number[] = []
  const settings = (changed: Record<string, ServerConfig>, more: Partial<MountSettings> = {}): MountSettings => ({
    servers: changed,
    allowsServer: () => true,
    connectTimeoutMs: 10_000,
    ...more,
  })
  const mounts = createMounts({
    ...settings(servers),
    clientInfo: { name: 'test', version: '1' },
    environment: { env: process.env, home: homedir(), platform: process.platform },
    clock: {
      ...realClock,
      after: (ms, work) => {
        timers.push(ms)
        return realClock.after(ms === soon ? 0 : ms, work)
      },
    },
    random: () => 0,
    onChange: () => {
      look()
    },
    warn: () => {},
  })
  running.push(mounts)
  mounts.start()
  const connected = (name: string) =>
    changed(() => mounts.servers().some((one) => one.name === name && one.isConnected))
  return { mounts, settings, connected, timers }
}

/** A time that is over at once here. */
const soon = 123_456

const pidOf = async (mounts: Mounts, server: string): Promise<number> => {
  const outcome = await mounts.call(server, 'pid', {}, {})
  expect(outcome).toMatchObject({ kind: 'result' })
  const { content } = JSON.parse((outcome as { json: string }).json) as { content: { text: string }[] }
  return Number(content[0]?.text)
}

const publicNames = (mounts: Mounts) => mounts.tools().map(({ publicName }) => publicName)

describe('mounted servers whose configuration changes', () => {
  test('keep their process when they are reached as before, under their new settings', async () => {
    const { mounts, settings } = mount({ s: entry() })
    const pid = await pidOf(mounts, 's')
    mounts.apply(settings({ s: { ...entry(), description: 'new' } }))
    expect(await pidOf(mounts, 's')).toBe(pid)
    expect(mounts.settingsOf('s').description).toBe('new')
    expect(mounts.servers()[0]).toMatchObject({ isConnected: true, settings: { description: 'new' } })
  })

  test('show nothing of before where changes are held from now on, until somebody has looked at it', async () => {
    const { mounts, settings } = mount({ s: entry() })
    await pidOf(mounts, 's')
    mounts.apply(settings({ s: { ...entry(), on_change: 'hold' } }))
    expect(publicNames(mounts)).toEqual([])
    await pidOf(mounts, 's')
    const before = publicNames(mounts)
    expect(before).not.toEqual([])
    mounts.apply(settings({ s: { ...entry({ changed: true }), on_change: 'hold' } }))
    expect(publicNames(mounts)).toEqual(before)
  })

  test('are replaced otherwise: the former process ends before the next begins, and a call waits for that one', async () => {
    const { mounts, settings } = mount({ s: entry(), kept: entry() })
    const [pid, kept] = [await pidOf(mounts, 's'), await pidOf(mounts, 'kept')]
    const before = publicNames(mounts)
    mounts.apply(settings({ s: entry({ changed: true }), kept: entry() }))
    // Until it is known what the next one offers, the list stays.
    expect(publicNames(mounts)).toEqual(before)
    const next = await pidOf(mounts, 's')
    expect(next).not.toBe(pid)
    expect(isRunning(pid)).toBe(false)
    expect(await pidOf(mounts, 'kept')).toBe(kept)
  })

  test('end when they are removed, switched off or out of scope, and leave no process', async () => {
    const { mounts, settings } = mount({ gone: entry(), off: entry(), hidden: entry() })
    const pids = await Promise.all(['gone', 'off', 'hidden'].map((name) => pidOf(mounts, name)))
    const rest = { off: { ...entry(), enabled: false }, hidden: entry() }
    mounts.apply(settings(rest, { allowsServer: (name) => name !== 'hidden' }))
    expect(mounts.tools()).toEqual([])
    expect(mounts.servers()).toMatchObject([{ name: 'off', isEnabled: false }])
    expect(await mounts.call('gone', 'pid', {}, {})).toEqual({ kind: 'unknown_server' })
    expect(await mounts.call('off', 'pid', {}, {})).toEqual({ kind: 'disabled' })
    expect(await mounts.call('hidden', 'pid', {}, {})).toEqual({ kind: 'unknown_server' })
    await Promise.all(pids.map(gone))
  })

  test('finish the calls that run on them, while the next one serves and can be changed again', async () => {
    const { mounts, settings, connected } = mount({ s: entry() })
    const pid = await pidOf(mounts, 's')
    const asked: (() => void)[] = []
    const slow = mounts.call('s', 'release', {}, { onProgress: () => asked.shift()?.() })
    await new Promise<void>((resolve) => asked.push(resolve))
    mounts.apply(settings({ s: entry({ n: 1 }) }))
    const second = await pidOf(mounts, 's')
    mounts.apply(settings({ s: entry({ tools: toolsOf('pid') }) }))
    await connected('s')
    expect(publicNames(mounts)).toEqual(['s__pid'])
    const third = await pidOf(mounts, 's')
    expect(new Set([pid, second, third]).size).toBe(3)
    expect(isRunning(pid)).toBe(true)
    process.kill(pid, 'SIGUSR2')
    expect(await slow).toMatchObject({ kind: 'result' })
    await gone(pid)
    await gone(second)
  })

  test('wait for a call that never ends no longer than the time for calls, and tell that its outcome is unknown', async () => {
    const { mounts, settings, timers } = mount({ s: entry() })
    const pid = await pidOf(mounts, 's')
    const hanging = mounts.call('s', 'hang', {}, {})
    mounts.apply(settings({}, { callTimeoutMs: soon }))
    expect(await hanging).toEqual({ kind: 'unknown', why: 'connection_lost' })
    await gone(pid)
    expect(timers).toContain(soon)
  })

  test('end with us while they are being replaced', async () => {
    const { mounts, settings } = mount({ s: entry() })
    const pid = await pidOf(mounts, 's')
    const hanging = mounts.call('s', 'hang', {}, {})
    mounts.apply(settings({ s: entry() }))
    const next = await pidOf(mounts, 's')
    await mounts.stop()
    expect(await hanging).toEqual({ kind: 'unknown', why: 'connection_lost' })
    expect([pid, next].map(isRunning)).toEqual([false, false])
  })

  test('that come back at once wait for their former process', async () => {
    const { mounts, settings } = mount({ s: entry() })
    const pid = await pidOf(mounts, 's')
    mounts.apply(settings({}))
    mounts.apply(settings({ s: entry() }))
    expect(await pidOf(mounts, 's')).not.toBe(pid)
    expect(isRunning(pid)).toBe(false)
  })
})
