import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { healthyHubu } from '../../support/healthy-backends.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { renderStack } from '../stack/rendered-stack.ts'
import { askTools, autoTools } from '../workbench.ts'
import { commandLine } from './command-line.ts'

const bin = path.resolve('src/main.ts')

interface Entry {
  command: string
  args: string[]
  env: Record<string, string>
  tools: Record<string, { approval_mode: string }>
}

const codexEntry = (home: string): Entry =>
  (parse(readFileSync(path.join(home, '.codex/config.toml'), 'utf8')) as unknown as { mcp_servers: { hubu: Entry } })
    .mcp_servers.hubu

const toolsOf = (entry: Entry, mode: string): string[] =>
  Object.entries(entry.tools).flatMap(([tool, value]) => (value.approval_mode === mode ? [tool] : []))

describe('init on the command line', () => {
  it('sets Codex up with the tools of the contract, in the order of the profile', async () => {
    using folder = tempFolder()
    const line = commandLine(folder, bin)
    expect((await line.run('init', 'codex', '--sandbox', '--write')).code).toBe(0)
    const entry = codexEntry(line.home)
    expect([entry.command, entry.args]).toEqual([process.execPath, [bin, 'sandbox']])
    expect(toolsOf(entry, 'approve')).toEqual([...autoTools, 'get_result'])
    expect(toolsOf(entry, 'prompt')).toEqual(askTools)
  })

  it('follows the configuration: surface, pins, stored results; and names a file that is not the usual one', async () => {
    using folder = tempFolder()
    const line = commandLine(folder, bin)
    const file = folder.file('gateway.yaml')
    const text =
      'version: 1\nexpose: lazy\npin: [hubu__list_ledger, "gongbu__*"]\nagents:\n  bare: {type: codex, path: x, pin: [], tool_schema_budget: "0"}\n'
    writeFileSync(file, text)
    await line.run('init', 'codex', '--sandbox', '--write', '--config', file)
    const lazy = codexEntry(line.home)
    expect(lazy.args).toEqual([bin, 'sandbox', '--config', file])
    const contract = toolsOf(lazy, 'approve').filter((tool) => autoTools.includes(tool))
    expect(contract).toEqual([
      ...['hubu_submit_spend', 'hubu_authorize_spend', 'hubu_list_ledger'],
      ...['gongbu_create_execution', 'gongbu_get_execution', 'gongbu_list_artifacts', 'gongbu_get_artifact'],
    ])
    expect(toolsOf(lazy, 'prompt')).toEqual([...askTools, 'call_tool'])
    line.env['HUBU_UNIFIED_CONFIG'] = file
    await line.run('init', 'codex', '--sandbox', '--write', '--agent', 'bare')
    const bare = codexEntry(line.home)
    expect(bare.args.slice(2)).toEqual(['--config', file, '--agent', 'bare'])
    expect(toolsOf(bare, 'approve').filter((tool) => autoTools.includes(tool))).toEqual([])
  })

  it('finds out who the backends of a stack are, and reports it', async () => {
    using folder = tempFolder()
    const line = commandLine(folder, bin)
    await using hubu = await healthyHubu()
    const profile = folder.file('stack')
    mkdirSync(profile, { mode: 0o700 })
    const stack = renderStack(profile, {
      handoff: { hubu_endpoint: hubu.url, gongbu_endpoint: 'http://127.0.0.1:9' },
    })
    const { code, out, err } = await line.run('init', 'codex', '--stack-profile', profile, '--allow-incompatible')
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('this build can never become compatible with it')
    expect(out).toContain('note: hubu is incompatible: it is (')
    expect(out).toContain('note: gongbu is unreachable')
    expect(out).not.toContain('canary')
    writeFileSync(stack.statePath, 'SQLite format 3, but no database', { mode: 0o600 })
    const odd = await line.run('init', 'codex', '--stack-profile', profile, '--allow-incompatible')
    expect([odd.code, odd.err.includes('is no registry')]).toEqual([1, true])
  })

  it.each([
    [['init', 'codex', '--scope', 'planet'], 'Allowed choices are user, project, local'],
    [['init', 'notepad', '--sandbox'], 'there is no client "notepad"'],
    [['init', 'codex', '--sandbox', '--hubu', 'http://h'], '--sandbox cannot be combined'],
    [['sync', '--rollback', 'x'], 'a plan id looks like'],
  ])('calls %j wrong arguments', async (args, message) => {
    using folder = tempFolder()
    const { code, err } = await commandLine(folder, bin).run(...args)
    expect([code, err.includes(message)]).toEqual([2, true])
  })

  it('has help with examples', async () => {
    using folder = tempFolder()
    const { code, out } = await commandLine(folder, bin).run('init', '--help')
    expect(code).toBe(0)
    expect(out).toContain('hubu-unified-mcp init claude --sandbox --write')
    expect(out).toContain('--trust-client-approval')
  })
})

describe('sync on the command line', () => {
  it('writes the agents of the configuration, lists them, and goes back', async () => {
    using folder = tempFolder()
    const line = commandLine(folder, bin)
    const file = folder.file('gateway.yaml')
    const target = folder.file('tiny.yaml')
    writeFileSync(
      file,
      `version: 1\nservers:\n  atlas: {command: "true", enabled: true}\nagents:\n  tiny: {type: local-agent, path: ${target}, servers: [atlas]}\n`,
    )
    const preview = await line.run('sync', '--sandbox', '--config', file)
    expect([preview.code, preview.out.includes('add    hubu')]).toEqual([0, true])
    const written = await line.run('sync', '--sandbox', '--config', file, '--write', '--json')
    const { results } = JSON.parse(written.out) as { results: { plan_id: string; applied: boolean }[] }
    expect(results[0]!.applied).toBe(true)
    expect(readFileSync(target, 'utf8')).toContain('- "--agent"\n')
    expect((await line.run('agents', '--config', file)).out).toMatch(/^local-agent +configured +tiny \(gateway\)/m)
    expect((await line.run('offload', '--config', file)).out).toContain('no changes')
    expect((await line.run('sync', '--config', file, '--rollback', results[0]!.plan_id)).out).toContain(
      'is removed; the plan had made it',
    )
  })

  it('imports what clients have', async () => {
    using folder = tempFolder()
    const line = commandLine(folder, bin)
    mkdirSync(path.join(line.home, '.cursor'))
    writeFileSync(
      path.join(line.home, '.cursor/mcp.json'),
      '{"mcpServers": {"docs": {"command": "uvx", "args": ["docs-mcp"]}}}',
    )
    const { code, err } = await line.run('init', '--from-agents', '--sandbox', '--write')
    expect([code, err]).toEqual([0, ''])
    expect(readFileSync(path.join(line.home, '.config/hubu-unified-mcp/config.yaml'), 'utf8')).toContain('docs:')
    expect(readFileSync(path.join(line.home, '.cursor/mcp.json'), 'utf8')).toContain('"hubu"')
  })
})
