import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { workbench } from './workbench.ts'

const config = '.codex/config.toml'

describe('init --undo without --write', () => {
  it('shows what it would give back, and changes nothing', async () => {
    using bench = workbench()
    bench.put(config, '# mine\n')
    await bench.init({ client: 'codex', write: true })
    const written = bench.read(config)
    const { code, out } = await bench.init({ client: 'codex', undo: true })
    expect(code).toBe(0)
    expect(out).toContain('config.toml would get its former bytes again')
    expect(out).toContain('-[mcp_servers.hubu]')
    expect(out).toMatch(/nothing written; add --write\n$/)
    expect(bench.read(config)).toBe(written)
    expect(JSON.parse((await bench.init({ client: 'codex', undo: true, json: true })).out)).toMatchObject({
      would_undo: [{ kind: 'restored', difference: expect.stringContaining('-[mcp_servers.hubu]') as string }],
    })
    await bench.init({ client: 'codex', undo: true, write: true })
    expect(bench.read(config)).toBe('# mine\n')
  })

  it('names what would stay and what would go of a file that changed', async () => {
    using bench = workbench()
    await bench.init({ client: 'codex', write: true })
    bench.put(config, bench.read(config).replace('tool_timeout_sec = 60', 'tool_timeout_sec = 600'))
    const { out } = await bench.init({ client: 'codex', undo: true })
    expect(out).toContain('would stay: mcp_servers.hubu.tool_timeout_sec (you edited it; --force removes it)')
    expect((await bench.init({ client: 'codex', undo: true, force: true })).out).toContain('-tool_timeout_sec = 600')
  })
})

describe('init --undo', () => {
  it.each(['user', 'local', 'project'] as const)('works for scope %s', async (scope) => {
    using bench = workbench()
    bench.put('.claude.json', '{"odd": 12345678901234567890}\n')
    await bench.init({ client: 'claude', scope, sandbox: true, write: true })
    const { code, out } = await bench.init({ client: 'claude', scope, undo: true, write: true })
    expect([code, out.includes('nothing to undo')]).toEqual([0, false])
    expect(bench.read('.claude.json')).toBe('{"odd": 12345678901234567890}\n')
    expect(bench.exists('../project/.mcp.json')).toBe(false)
  })

  it('--all takes back every client in every scope', async () => {
    using bench = workbench()
    for (const client of ['codex', 'cursor', 'claude']) await bench.init({ client, write: true })
    await bench.init({ client: 'claude', scope: 'local', write: true })
    const shown = await bench.init({ undo: true, all: true })
    expect(shown.out.match(/would be removed/g)?.length).toBeGreaterThan(3)
    expect((await bench.init({ undo: true, all: true, write: true })).code).toBe(0)
    expect([config, '.cursor/mcp.json', '.claude.json'].filter(bench.exists)).toEqual([])
    expect((await bench.init({ undo: true, all: true })).out).toBe('nothing to undo\n')
  })

  it('wants to know which client', async () => {
    using bench = workbench()
    expect((await bench.init({ undo: true })).code).toBe(2)
    expect((await bench.init({ undo: true, all: true, client: 'codex' })).code).toBe(2)
  })
})

describe('backups', () => {
  it('go with --clean-backups when the journal holds their bytes, and stay when it does not', async () => {
    using bench = workbench()
    bench.put(config, '# mine\n')
    bench.put('.cursor/mcp.json', '{}\n')
    for (const client of ['codex', 'cursor']) await bench.init({ client, write: true })
    bench.put('.cursor/mcp.json', bench.read('.cursor/mcp.json') + '\n')
    const backupsIn = (folder: string): string[] =>
      readdirSync(path.join(bench.home, folder)).filter((name) => name.includes('.bak-'))
    const shown = await bench.init({ cleanBackups: true })
    expect(shown.out).toMatch(/^would remove 1 of our backups/)
    expect([backupsIn('.codex').length, backupsIn('.cursor').length]).toEqual([1, 1])
    await bench.init({ cleanBackups: true, write: true })
    expect([backupsIn('.codex').length, backupsIn('.cursor').length]).toEqual([0, 1])
    await bench.init({ client: 'codex', undo: true, write: true })
    expect(bench.read(config)).toBe('# mine\n')
    const undone = await bench.init({ client: 'cursor', undo: true, write: true })
    expect(undone.code).toBe(0)
  })
})

it('leaves no backup in a project, but in our data folder', async () => {
  using bench = workbench()
  bench.put('../project/.mcp.json', '{"mcpServers": {}}\n')
  await bench.init({ client: 'claude', scope: 'project', sandbox: true, write: true })
  expect(readdirSync(bench.cwd).toSorted()).toEqual(['.claude', '.mcp.json'])
  const kept = readdirSync(path.join(bench.environment.dataFolder, 'backups'))
  expect(kept).toEqual([expect.stringMatching(/^[0-9a-f]{16}-\.mcp\.json\.bak-/)])
})
