// `doctor` of the built bin, right after `init` has set clients up in a temporary home.
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/doctor/finding.ts'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

/** Runs the bin in a project below a home, with nothing else in its environment. */
function run(home: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const cwd = `${home}/project`
  mkdirSync(cwd, { recursive: true })
  const options = { cwd, env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home } }
  return new Promise((resolve) => {
    execFile(process.execPath, [built.bin, ...args], options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err })
    }).stdin?.end()
  })
}

interface Report {
  findings: Finding[]
  mended?: { client: string; done: string[]; left: string[] }[]
}

async function doctor(home: string, ...args: string[]): Promise<Report & { code: number; text: string }> {
  const { code, out } = await run(home, 'doctor', '--json', ...args)
  return { ...(JSON.parse(out) as Report), code, text: out }
}

const clientNames = ['codex', 'claude', 'cursor', 'gemini', 'opencode', 'hermes']

describe('doctor after init', () => {
  it('starts the entry of each client and is content with the sandbox', async () => {
    using folder = tempFolder()
    for (const client of clientNames)
      expect((await run(folder.path, 'init', client, '--sandbox', '--write')).code).toBe(0)
    const { code, findings, text } = await doctor(folder.path, '--strict')
    const started = findings.filter(({ check }) => check.startsWith('client '))
    expect(started.map(({ check }) => check)).toEqual(clientNames.map((name) => `client ${name}`))
    for (const { status, message } of started)
      expect([status, message]).toEqual(['ok', expect.stringContaining('shows 35 tools')])
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([])
    expect([code, text.includes('HUBU_UNIFIED_'), text.includes(folder.path)]).toEqual([0, false, false])
  }, 120_000)

  it('looks at one client only, and says when it has no entry', async () => {
    using folder = tempFolder()
    for (const client of ['codex', 'claude']) await run(folder.path, 'init', client, '--sandbox', '--write')
    const { findings } = await doctor(folder.path, '--client', 'claude-code')
    expect(findings.filter(({ check }) => check.startsWith('client ')).map(({ check }) => check)).toEqual([
      'client claude',
    ])
    const none = await doctor(folder.path, '--client', 'cursor')
    expect(none.findings.find(({ check }) => check === 'client cursor')).toMatchObject({
      status: 'warning',
      remedy: expect.stringContaining('init cursor') as string,
    })
    const typo = await run(folder.path, 'doctor', '--client', 'cladue')
    expect([typo.code, typo.err.includes('did you mean claude?')]).toEqual([2, true])
  }, 60_000)

  it('finds a dead entry and a token that others can read, mends both with --fix, and init --undo takes it back', async () => {
    using folder = tempFolder()
    const home = folder.path
    const token = folder.file('token')
    writeFileSync(token, 'hubu-token-canary\n')
    chmodSync(token, 0o644)
    const hubu = ['--hubu', 'http://127.0.0.1:9', '--hubu-token-file', token]
    expect((await run(home, 'init', 'codex', ...hubu, '--write')).code).toBe(0)
    const file = folder.file('.codex/config.toml')
    const written = readFileSync(file, 'utf8')
    writeFileSync(file, written.replace(process.execPath, '/opt/node/v20.1.0/bin/node'))
    const dead = readFileSync(file, 'utf8')

    const found = await doctor(home)
    expect(found.code).toBe(1)
    expect(found.findings.find(({ check }) => check === 'client codex')).toMatchObject({
      status: 'failure',
      remedy: expect.stringContaining('doctor --fix') as string,
    })
    expect([readFileSync(file, 'utf8'), statSync(token).mode & 0o777]).toEqual([dead, 0o644])

    const mended = await doctor(home, '--fix')
    expect(mended.mended).toMatchObject([{ client: 'codex', left: [] }])
    expect(mended.mended![0]!.done).toHaveLength(2)
    expect(readFileSync(file, 'utf8')).toBe(written)
    expect(statSync(token).mode & 0o777).toBe(0o600)
    // Nothing listens there, which no fix can change; the entry itself is alive.
    expect(mended.findings.find(({ check }) => check === 'client codex')?.message).toContain('Hubu unavailable')
    expect(mended.findings.find(({ check }) => check === 'hubu')).toMatchObject({
      status: 'failure',
      clients: ['codex'],
    })
    expect(mended.text).not.toContain('canary')

    expect((await run(home, 'init', '--undo', 'codex', '--write')).code).toBe(0)
    // Between init and fix somebody else changed the file, so that the file stays and only what is ours goes.
    expect([readFileSync(file, 'utf8').trim(), statSync(token).mode & 0o777]).toEqual(['', 0o644])
  }, 60_000)

  it('names the entry that wins where a project or a twin stands in its way', async () => {
    using folder = tempFolder()
    const home = folder.path
    await run(home, 'init', 'claude', '--sandbox', '--write')
    await run(home, 'init', 'claude', '--sandbox', '--scope', 'local', '--write')
    const { findings } = await doctor(home)
    const told = findings.filter(({ check }) => check.startsWith('client claude'))
    expect(told.map(({ check, status }) => [check, status])).toEqual([
      ['client claude', 'ok'],
      ['client claude', 'warning'],
      ['client claude (local)', 'ok'],
      ['client claude (local)', 'warning'],
    ])
    expect(told[1]!.message).toContain('that one wins in this folder')
    expect(told[3]!.message).toContain('this one wins in this folder')
  }, 60_000)
})
