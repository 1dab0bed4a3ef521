import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findClient } from '../../../src/client-configs/clients/client-list.ts'
import type { ServerDefinition } from '../../../src/client-configs/clients/client.ts'
import { deadPaths } from '../../../src/client-configs/entry/dead-paths.ts'
import type { FoundEntry } from '../../../src/client-configs/entry/find-entries.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { examineEntries } from '../../../src/doctor/entries/examine-entries.ts'
import { startEntry } from '../../../src/doctor/entries/start-entry.ts'
import type { ClientEntries } from '../../../src/doctor/entries/client-entries.ts'
import { examine } from '../../../src/doctor/examine.ts'
import { realClock } from '../../../src/timing/clock.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const stamp = { productVersion: '9.9.9', sourceCommit: 'a'.repeat(40) }

const found = (server: ServerDefinition, more: Partial<FoundEntry> = {}): FoundEntry => ({
  client: findClient('codex'),
  scope: 'user',
  cwd: '/',
  file: '/home/ada/.codex/config.toml',
  entryPath: ['mcp_servers', 'hubu'],
  name: 'hubu',
  server,
  isJournalled: true,
  isOurs: true,
  isTrusted: true,
  ...more,
})

function entriesOf(entries: FoundEntry[], more: Partial<ClientEntries> = {}, limitMs = 20_000): ClientEntries {
  const machine = {
    home: '/home/ada',
    env: { PATH: process.env.PATH },
    platform: process.platform,
    dataFolder: '/none',
  }
  return {
    entries,
    unreadable: [],
    isOfOneClient: false,
    absent: () => [],
    routers: () => [],
    deadPaths: ({ server, cwd }) => deadPaths(server, { ...machine, cwd }),
    rivals: () => [],
    start: ({ server, cwd }) => {
      const { command = '', args, env } = server
      return startEntry({ command, args, env, cwd }, { ...machine, clock: realClock, limitMs })
    },
    stampOf: () => Promise.resolve(undefined),
    show: (path) => path.replace('/home/ada', '~'),
    onProgress: () => {},
    ...more,
  }
}

/** A server whose answers are given by method, as a program of a few lines. */
function program(file: string, answers: Record<string, unknown>, first = ''): ServerDefinition {
  const text = `${first}
    const answers = ${JSON.stringify(answers)}
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      const result = answers[method + (params?.cursor ?? '')] ?? answers[method]
      if (id !== undefined && result !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })`
  writeFileSync(file, text)
  return { command: process.execPath, args: [file] }
}

const ours = (hubu: string, gongbu = hubu) => ({
  serverInfo: { name: 'hubu-unified-mcp', version: '9.9.9' },
  capabilities: {
    experimental: { 'hubu.dev/unified-mcp': { backends: { hubu: { state: hubu }, gongbu: { state: gongbu } } } },
  },
})

describe('an entry', () => {
  test('that starts is told with the tools of all pages; a banner on its stdout is passed over', async () => {
    using folder = tempFolder()
    const answers = {
      initialize: ours('available'),
      'tools/list': { tools: [{ name: 'a' }, { name: 'b' }], nextCursor: '2' },
      'tools/list2': { tools: [{ name: 'c' }] },
    }
    const server = program(folder.file('s.cjs'), answers, "console.log('welcome')")
    expect(await examineEntries(entriesOf([found(server)]), stamp)).toMatchObject([
      {
        check: 'client codex',
        status: 'ok',
        message: expect.stringMatching(/shows 3 tools; Hubu available/) as string,
      },
    ])
  })

  test('without a backend is a warning that says how to give it one', async () => {
    using folder = tempFolder()
    const server = program(folder.file('s.cjs'), { initialize: ours('unconfigured'), 'tools/list': { tools: [] } })
    expect(await examineEntries(entriesOf([found(server)]), stamp)).toMatchObject([
      { status: 'warning', remedy: expect.stringContaining('init codex --hubu') as string },
    ])
  })

  test('that ends at once is a failure with its last words', async () => {
    using folder = tempFolder()
    const server = program(folder.file('s.cjs'), {}, "console.error('no such agent'); process.exit(1)")
    expect(await examineEntries(entriesOf([found(server)]), stamp)).toMatchObject([
      { status: 'failure', message: expect.stringContaining('ends at once; it says: no such agent') as string },
    ])
  })

  test('that never answers is given up after the limit, and its process is gone', async () => {
    using folder = tempFolder()
    const server = program(
      folder.file('s.cjs'),
      {},
      `require('node:fs').writeFileSync(${JSON.stringify(folder.file('pid'))}, String(process.pid))`,
    )
    const silent = await examineEntries(entriesOf([found(server)], {}, 1500), stamp)
    expect(silent).toMatchObject([{ status: 'failure', message: expect.stringContaining('does not answer') as string }])
    const { readFileSync } = await import('node:fs')
    expect(() => process.kill(Number(readFileSync(folder.file('pid'), 'utf8')), 0)).toThrow()
  })

  test('that comes with a project and that init did not write is not started, and nothing in it is used', async () => {
    using folder = tempFolder()
    const mark = folder.file('mark')
    const server = program(folder.file('s.cjs'), {}, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`)
    const entry = found(server, { scope: 'project', isJournalled: false, isTrusted: false })
    const untouched = () => Promise.reject(new Error('it was asked'))
    const findings = await examineEntries(entriesOf([entry], { stampOf: untouched }), stamp)
    expect(findings).toMatchObject([
      { status: 'warning', message: expect.stringContaining('it is not started') as string },
    ])
    expect(existsSync(mark)).toBe(false)
  })

  test('is not started while something that it names is missing: each is told, and what mends it', async () => {
    using folder = tempFolder()
    const gone = folder.file('v20.1.0/bin/node')
    const server = { command: gone, args: [folder.file('gone/main.js')], env: { X_TOKEN_FILE: folder.file('token') } }
    const start = () => Promise.reject(new Error('started'))
    const findings = await examineEntries(entriesOf([found(server)], { start }), stamp)
    expect(findings.map(({ status }) => status)).toEqual(['failure', 'failure', 'failure'])
    expect(findings[0]!.message).toContain('a Node.js of one version, which is gone')
    expect(findings.map(({ remedy }) => remedy?.includes('doctor --fix'))).toEqual([true, true, false])
  })

  test('of another program under our name, a twin and another copy of this program are warnings', async () => {
    using folder = tempFolder()
    const stranger = program(folder.file('s.cjs'), {
      initialize: { serverInfo: { name: 'x' } },
      'tools/list': { tools: [] },
    })
    const copy = program(folder.file('c.cjs'), { initialize: ours('available'), 'tools/list': { tools: [] } })
    const findings = await examineEntries(
      entriesOf([found(stranger), found(stranger, { isOurs: false }), found(copy)], {
        rivals: ({ server }) => (server === copy ? ['another entry wins here.'] : []),
        stampOf: ({ server }) =>
          Promise.resolve(server === copy ? { productVersion: '0.1.0', sourceCommit: 'unknown' } : undefined),
      }),
      stamp,
    )
    expect(findings.map(({ status, message }) => [status, message.split(',')[0]])).toEqual([
      ['warning', 'its entry starts another server with 0 tools'],
      ['warning', '~/.codex/config.toml has an entry hubu that starts something else'],
      ['ok', expect.stringContaining('shows 0 tools') as string],
      ['failure', 'its entry starts another copy of this program'],
      ['warning', 'another entry wins here.'],
    ])
  })

  test('waits for its turn: at most two run at a time, and one sandbox', async () => {
    let running = 0
    let most = 0
    let sandboxes = 0
    const start = async ({ server }: FoundEntry) => {
      const isSandbox = server.args?.includes('sandbox') === true
      most = Math.max(most, ++running)
      if (isSandbox) expect(++sandboxes).toBe(1)
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
      if (isSandbox) sandboxes--
      running--
      return { kind: 'failed' as const, reason: 'ended' as const, words: '' }
    }
    const server = { command: process.execPath, args: [] }
    const sandbox = { command: process.execPath, args: ['sandbox'] }
    const told: string[] = []
    const onProgress = (done: number, all: number) => void told.push(`${done}/${all}`)
    const all = [server, sandbox, server, sandbox, server, sandbox].map((each) => found(each))
    await examineEntries(entriesOf(all, { start, onProgress }), stamp)
    expect(most).toBeLessThanOrEqual(2)
    expect(told).toEqual(['0/6', '1/6', '2/6', '3/6', '4/6', '5/6', '6/6'])
  })
})

describe('an examination with entries', () => {
  const nowMs = () => Date.parse('2026-08-18T00:00:00.000Z')
  const look = (env: Record<string, string>, entries: ClientEntries, unstamped = false) =>
    examine({
      env,
      configure: () => loadConfig(env),
      stamp: unstamped ? { ...stamp, sourceCommit: 'unknown' } : stamp,
      nodeVersion: 'v20.19.0',
      nowMs,
      entries,
    })
  const router = (env: Record<string, string>, isSandbox = false) => ({
    routers: () => [{ clients: ['codex', 'claude'], env, isSandbox, configure: () => loadConfig(env) }],
  })

  test('judges what the entries say, not a shell in which nothing is set', async () => {
    using folder = tempFolder()
    const findings = await look({}, entriesOf([], router({ HUBU_UNIFIED_OPERATION_STATE_PATH: folder.file('r') })))
    expect(findings.filter(({ check }) => check === 'registry')).toMatchObject([
      { status: 'ok', clients: ['codex', 'claude'] },
    ])
    expect(findings.find(({ check }) => check === 'this shell')?.status).toBe('ok')
    const both = await look({ HUBU_UNIFIED_OPERATION_STATE_PATH: 'relative' }, entriesOf([], router({})))
    expect(both.filter(({ check }) => check === 'registry').map(({ clients }) => clients)).toEqual([
      undefined,
      ['codex', 'claude'],
    ])
  })

  test('has no failure for an unstamped build while clients start nothing but the sandbox', async () => {
    const build = async (isSandbox: boolean) =>
      (await look({}, entriesOf([], router({}, isSandbox)), true)).find(({ check }) => check === 'build')?.status
    expect([await build(true), await build(false)]).toEqual(['ok', 'failure'])
  })

  test('sees tokens that say themselves that they are over', async () => {
    using folder = tempFolder()
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const token = (seconds: number) => `${part({ alg: 'RS256' })}.${part({ exp: seconds })}.c2lnbmVk`
    const now = nowMs() / 1000
    mkdirSync(folder.file('t'))
    writeFileSync(folder.file('t/old'), `${token(now - 60)}\n`, { mode: 0o600 })
    writeFileSync(folder.file('t/new'), `${token(now + 60)}\n`, { mode: 0o600 })
    const findings = await look(
      {},
      entriesOf(
        [],
        router({
          HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE: folder.file('t/old'),
          HUBU_UNIFIED_GONGBU_BEARER_TOKEN_FILE: folder.file('t/new'),
        }),
      ),
    )
    expect(findings.find(({ check }) => check === 'hubu token')).toMatchObject({
      status: 'failure',
      message: expect.stringContaining('expired at 2026-08-17T23:59:00.000Z') as string,
    })
    expect(findings.find(({ check }) => check === 'gongbu token')?.status).toBe('ok')
    expect(JSON.stringify(findings)).not.toMatch(/eyJ/)
  })
})
