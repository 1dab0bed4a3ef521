import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const fixture = path.resolve('test/downstream/fixtures/server.mjs')

/** Runs `servers` on a configuration, given as JSON, which is YAML. */
function servers(
  folder: { path: string; file(name: string): string },
  config: object,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  writeFileSync(folder.file('gateway.yaml'), JSON.stringify({ version: 1, connect_timeout: '10s', ...config }))
  const env = { PATH: process.env.PATH ?? '', HOME: folder.path }
  return new Promise((resolve) => {
    const all = [built.bin, 'servers', '--config', folder.file('gateway.yaml'), ...args]
    execFile(process.execPath, all, { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err })
    })
  })
}

const entry = (script: object) => ({
  command: process.execPath,
  args: [fixture],
  env: { DOWNSTREAM_TEST: JSON.stringify(script) },
  enabled: true,
})

describe('servers', () => {
  test('says what is mounted, what is off and why something failed, and leaves nothing running', async () => {
    using folder = tempFolder()
    const config = {
      servers: {
        atlas: {
          ...entry({ log: folder.file('log') }),
          command: '/bin/sh',
          args: ['-c', 'echo $$ > "$0.pid" && exec "$1" "$2"', folder.file('log'), process.execPath, fixture],
        },
        broken: entry({ exit: true }),
        missing: { command: 'no-such-program-anywhere', enabled: true },
        noisy: entry({ banner: 'welcome!' }),
        off: { command: 'never-started', enabled: false },
      },
    }
    const { code, out, err } = await servers(folder, config, '--json')
    const { servers: rows } = JSON.parse(out) as { servers: Record<string, unknown>[] }
    expect(rows.map(({ name, state, tools }) => [name, state, tools])).toEqual([
      ['atlas', 'connected', 13],
      ['broken', 'failed', 0],
      ['missing', 'failed', 0],
      ['noisy', 'connected', 13],
      ['off', 'disabled', 0],
    ])
    expect(rows.map(({ error }) => typeof error)).toEqual([
      ...['undefined', 'string', 'string', 'undefined', 'undefined'],
    ])
    expect(code).toBe(1)
    expect(err).toMatch(/^hubu-unified-mcp: .*noisy.*\n$/)
    expect(readFileSync(folder.file('log'), 'utf8')).toContain('tools/list')
    const pid = Number(readFileSync(folder.file('log.pid'), 'utf8'))
    expect(pid).toBeGreaterThan(1)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    const text = await servers(folder, config)
    expect(text.out).toMatch(/^SERVER +STATE +TRANSPORT +TOOLS +ERROR\natlas +connected +stdio +13\nbroken +failed /)
  })

  test('exits with 0 when all that is enabled is mounted', async () => {
    using folder = tempFolder()
    expect(await servers(folder, { servers: { atlas: entry({}) } })).toMatchObject({ code: 0, err: '' })
    expect(await servers(folder, {})).toMatchObject({ code: 0, out: 'The configuration file has no servers.\n' })
    expect(existsSync(folder.file('.local'))).toBe(false)
  })

  test('shows no secret of a server that repeats its own environment', async () => {
    using folder = tempFolder()
    const config = {
      servers: { leaky: { ...entry({}), args: ['-e', 'throw process.env.LEAK'], env: { LEAK: 'canary-1' } } },
    }
    const { code, out, err } = await servers(folder, config, '--json')
    expect([code, (out + err).includes('canary-1')]).toEqual([1, false])
  })

  test('names pins and allowed tools that no tool answers to, once their server is connected', async () => {
    using folder = tempFolder()
    const agents = { a: { type: 'codex', path: '/x', tools: ['atlas__echo', 'atlas__bigg'] } }
    const off = { command: 'never-started', enabled: false }
    const pin = ['atlas', 'atlas__ehco', 'off__thing', 'hubu__list_ledgr']
    const { code, err } = await servers(folder, { servers: { atlas: entry({}), off }, pin, agents })
    expect([code, err.split('\n').slice(0, -1)]).toEqual([
      0,
      [
        'hubu-unified-mcp: the pin atlas__ehco names no tool of atlas; did you mean atlas__echo?',
        'hubu-unified-mcp: the pin hubu__list_ledgr names no tool of hubu; did you mean hubu__list_ledger?',
        'hubu-unified-mcp: the allowed tool atlas__bigg names no tool of atlas; did you mean atlas__big?',
      ],
    ])
  })

  test('refuses a configuration that cannot be used', async () => {
    using folder = tempFolder()
    const { code, out, err } = await servers(folder, { srvers: {} })
    expect([code, out, err.includes('servers')]).toEqual([1, '', true])
  })
})
