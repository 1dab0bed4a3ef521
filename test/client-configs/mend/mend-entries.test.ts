import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deadPaths } from '../../../src/client-configs/entry/dead-paths.ts'
import { findEntries } from '../../../src/client-configs/entry/find-entries.ts'
import { openJournals } from '../../../src/client-configs/journal/journal.ts'
import { mendEntries, type MendedEntry } from '../../../src/client-configs/mend/mend-entries.ts'
import { bundlePath, workbench } from '../workbench.ts'

let bench: ReturnType<typeof workbench>
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench[Symbol.dispose]())

/** This program, as it is now: both of its files are there. */
function program() {
  const main = bench.file('main.js')
  writeFileSync(main, '')
  const named = { packageName: 'hubu-unified-mcp', version: '1.2.3', temporaryFolder: '/nowhere/tmp' }
  return { nodePath: process.execPath, bundlePath: main, ...named }
}

function look() {
  const journals = openJournals(bench.environment.dataFolder)
  return { journals, ...findEntries(bench.environment, journals, program()) }
}

function mend(): MendedEntry[] {
  const { journals, entries } = look()
  const uid = process.getuid?.()
  const now = new Date('2026-01-03T00:00:00.000Z')
  return mendEntries(entries, { environment: bench.environment, journals, program: program(), now, uid })
}

describe('entries of ours', () => {
  it('are found in every client that has one, a twin and a stranger under our name too', async () => {
    for (const client of ['codex', 'claude', 'opencode', 'hermes']) await bench.init({ client, write: true })
    bench.put('.cursor/mcp.json', '{"mcpServers": {"hubu": {"command": "somebody-else"}, "docs": {"command": "uvx"}}}')
    const main = path.join(bench.path, 'copy', 'dist', 'main.js')
    bench.put(
      '.gemini/settings.json',
      JSON.stringify({ mcpServers: { 'hubu-sandbox': { command: 'node', args: [main] } } }),
    )
    bench.put('../copy/package.json', '{"name": "hubu-unified-mcp"}')
    const found = look().entries.map(({ client, name, isOurs, isJournalled }) => [
      client.name,
      name,
      isOurs,
      isJournalled,
    ])
    expect(found).toEqual([
      ['codex', 'hubu', true, true],
      ['claude', 'hubu', true, true],
      ['cursor', 'hubu', false, false],
      ['gemini', 'hubu-sandbox', true, false],
      ['opencode', 'hubu', true, true],
      ['hermes', 'hubu', true, true],
    ])
  })

  it('are found where the client was told to keep its files, and in a project that init was run in', async () => {
    const environment = { ...bench.environment, env: { CLAUDE_CONFIG_DIR: bench.file('elsewhere') } }
    bench.put('../elsewhere/.claude.json', '{"mcpServers": {"hubu": {"command": "hubu-unified-mcp"}}}')
    const moved = findEntries(environment, openJournals(environment.dataFolder), program())
    expect(moved.entries.map(({ file }) => path.relative(bench.path, file))).toEqual(['elsewhere/.claude.json'])
    await bench.init({ client: 'claude', scope: 'local', write: true })
    const { cwd } = bench
    bench.environment.cwd = bench.home
    expect(look().entries.map(({ client, scope, cwd }) => [client.name, scope, cwd])).toEqual([
      ['claude', 'local', cwd],
    ])
  })

  it('are trusted in a project only as init left them, and are not mended there otherwise', async () => {
    const trust = () => look().entries.map(({ scope, isTrusted }) => [scope, isTrusted])
    bench.put(
      '../project/.mcp.json',
      '{"mcpServers": {"x": {"command": "sh", "args": ["./a.sh", "hubu-unified-mcp"]}}}',
    )
    // Claude Code and Copilot both read this file.
    expect(trust()).toEqual([
      ['project', false],
      ['project', false],
    ])
    expect(mend()).toEqual([])
    writeFileSync(path.join(bench.cwd, '.mcp.json'), '{"mcpServers": {}}')
    await bench.init({ client: 'claude', scope: 'project', write: true })
    expect(trust()).toEqual([['project', true]])
    const file = path.join(bench.cwd, '.mcp.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"args": [', '"args": ["--require", "./a.js", '))
    expect(trust()).toEqual([['project', false]])
  })

  it('are told as the client starts them, also where a project file names the home folder by a variable', async () => {
    const hubuTokenFile = bench.put('.hubu/hubu.auth-token', 'x\n')
    await bench.init({ client: 'claude', scope: 'project', hubuTokenFile, write: true })
    expect(look().entries.map(({ server }) => server.env?.['HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE'])).toEqual([
      hubuTokenFile,
    ])
  })

  it('do not hide that a file cannot be read', () => {
    const file = bench.put('.cursor/mcp.json', '{"mcpServers": ')
    expect(look().unreadable).toMatchObject([{ file, reason: expect.stringContaining(file) as string }])
  })
})

describe('mending', () => {
  it.each(['codex', 'claude', 'opencode', 'hermes', 'kimi'])(
    'lets the dead entry of %s start this program, and undo still leads back to the first bytes',
    async (client) => {
      await bench.init({ client, write: true })
      const [before] = look().entries
      expect(deadPaths(before!.server, bench.environment).map(({ what }) => what)).toContain('program')
      const mended = mend()
      expect(mended).toMatchObject([{ client, left: [], done: [expect.stringContaining(bundlePath) as string] }])
      const [after] = look().entries
      expect(deadPaths(after!.server, bench.environment)).toEqual([])
      expect(after!.server.env).toEqual(before!.server.env)
      expect(mend()).toEqual([])
      expect((await bench.init({ client, undo: true, write: true })).code).toBe(0)
      expect(look().entries).toEqual([])
      expect(bench.exists(path.relative(bench.home, before!.file))).toBe(false)
    },
  )

  it('names the home folder of nobody in the file of a project', async () => {
    await bench.init({ client: 'claude', scope: 'project', write: true })
    const { journals, entries } = look()
    const inHome = { ...program(), bundlePath: bench.put('tools/main.js', '') }
    const now = new Date('2026-01-03T00:00:00.000Z')
    mendEntries(entries, { environment: bench.environment, journals, program: inHome, now })
    const after = readFileSync(path.join(bench.cwd, '.mcp.json'), 'utf8')
    expect(after).toContain('${HOME}/tools/main.js')
    expect(after).not.toContain(bench.home)
    expect(look().entries.map(({ server }) => server.args?.[0])).toEqual([inHome.bundlePath])
  })

  it('keeps the rules, a value of the user and what the user added since', async () => {
    await bench.init({ client: 'codex', write: true })
    const edited =
      bench.read('.codex/config.toml').replace('tool_timeout_sec = 60', 'tool_timeout_sec = 90') + '# mine\n'
    bench.put('.codex/config.toml', edited)
    expect(mend()).toHaveLength(1)
    const after = bench.read('.codex/config.toml')
    expect(after).toContain('tool_timeout_sec = 90')
    expect(after).toContain('hubu_create_budget = ')
    expect(after.endsWith('# mine\n')).toBe(true)
  })

  it('makes the file of a token private, and undo gives back the mode that it had', async () => {
    chmodSync(bench.token, 0o644)
    await bench.init({ client: 'codex', write: true })
    const [mended] = mend()
    expect(mended!.done.join()).toContain('0600')
    expect(statSync(bench.token).mode & 0o777).toBe(0o600)
    const shown = await bench.init({ client: 'codex', undo: true })
    expect(shown.out).toContain(`${bench.token} would have mode 0644 again`)
    expect(statSync(bench.token).mode & 0o777).toBe(0o600)
    await bench.init({ client: 'codex', undo: true, write: true })
    expect(statSync(bench.token).mode & 0o777).toBe(0o644)
    expect(openJournals(bench.environment.dataFolder).all()).toEqual([])
    expect(readFileSync(bench.token, 'utf8')).toBe('hubu_canary-in-file\n')
  })

  it('leaves what somebody else wrote, and what only a person can put back', async () => {
    const entry = { command: '/gone/node', args: [path.join(bench.path, 'copy', 'dist', 'main.js')] }
    bench.put('../copy/package.json', '{"name": "hubu-unified-mcp"}')
    const text = JSON.stringify({ mcpServers: { hubu: entry } })
    bench.put('.cursor/mcp.json', text)
    const [other] = mend()
    expect([other!.done, other!.left.join()]).toEqual([[], expect.stringContaining('--force --write')])
    expect(bench.read('.cursor/mcp.json')).toBe(text)

    await bench.init({ client: 'codex', write: true, config: bench.file('gone.yaml') })
    const codex = mend().find(({ client }) => client === 'codex')
    expect(codex!.left.join()).toContain(bench.file('gone.yaml'))
  })
})
