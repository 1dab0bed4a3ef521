import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { askTools, autoTools, workbench } from './workbench.ts'

const trust = { write: true, trustClientApproval: true }
const auto = [...autoTools, 'get_result']

describe('clients that ask by themselves', () => {
  const asks = { ...trust, iKnowTheClientAsks: true }

  it.each(['claude-desktop', 'cursor', 'vscode', 'copilot', 'crush', 'kimi'])(
    '%s is trusted only by someone who knows that it asks',
    async (client) => {
      using bench = workbench()
      const refused = await bench.init({ client, ...trust })
      expect([refused.code, bench.names('.')]).toEqual([2, []])
      expect(refused.err).toContain('--i-know-the-client-asks')
      expect((await bench.init({ client, ...asks })).code).toBe(0)
    },
  )

  it('cursor: a list that does not exist is not made, but printed', async () => {
    using bench = workbench()
    const { out } = await bench.init({ client: 'cursor', write: true })
    expect(bench.names('.cursor')).toEqual(['mcp.json'])
    expect(out).toContain('  hubu:hubu_submit_spend')
    expect(out).not.toContain('hubu:hubu_create_budget')
  })

  it('cursor: a list that exists is extended', async () => {
    using bench = workbench()
    bench.put('.cursor/permissions.json', '{"mcpAllowlist": ["other:x"]}')
    await bench.init({ client: 'cursor', write: true })
    const { mcpAllowlist } = JSON.parse(bench.read('.cursor/permissions.json')) as { mcpAllowlist: string[] }
    expect(mcpAllowlist).toEqual(['other:x', ...auto.map((tool) => `hubu:${tool}`)])
  })

  it.each(['hubu:*', '*:*', 'hubu:hubu_create_budget'])('cursor: %s in a list refuses trust', async (item) => {
    using bench = workbench()
    bench.put('../project/.cursor/permissions.json', JSON.stringify({ mcpAllowlist: [item], odd: 1e300 }))
    const { code, err } = await bench.init({ client: 'cursor', ...asks })
    expect([code, err.includes(`allows ${item}`), bench.exists('.cursor')]).toEqual([1, true, false])
  })

  it('vscode: a sandboxed entry refuses trust, because confirmations are skipped', async () => {
    using bench = workbench()
    const file = '.config/Code/User/mcp.json'
    bench.put(file, '{"servers": {"hubu": {"type": "stdio", "command": "x", "sandboxEnabled": true}}}')
    const { code, err } = await bench.init({ client: 'vscode', ...asks, force: true })
    expect([code, err.includes('sandboxEnabled: true, with which VS Code skips confirmations')]).toEqual([1, true])
  })

  it('vscode: approving everything refuses trust', async () => {
    using bench = workbench()
    bench.put(
      '.config/Code/User/settings.json',
      '{"chat.tools.global.autoApprove": true, "odd": 12345678901234567890, // c\n}',
    )
    const { code, err } = await bench.init({ client: 'vscode', ...asks })
    expect([code, err.includes('sets chat.tools.global.autoApprove to true')]).toEqual([1, true])
  })

  it('vscode: pins are written only on request', async () => {
    using bench = workbench()
    await bench.init({ client: 'vscode', write: true })
    expect(bench.names('.config/Code/User')).toEqual(['mcp.json'])
    await bench.init({ client: 'vscode', write: true, experimentalPins: true })
    const pins = (JSON.parse(bench.read('.config/Code/User/settings.json')) as Record<string, object>)[
      'chat.tools.eligibleForAutoApproval'
    ]
    expect(pins).toEqual(Object.fromEntries(askTools.map((tool) => [`hubu/${tool}`, false])))
  })

  it('copilot: an approval for the whole server refuses trust', async () => {
    using bench = workbench()
    const approvals = [{ kind: 'mcp', serverName: 'hubu', toolName: null }]
    bench.put(
      '.copilot/permissions-config.json',
      JSON.stringify({ locations: { '/repo': { tool_approvals: approvals } } }),
    )
    const { code, err } = await bench.init({ client: 'copilot', ...asks })
    expect([code, err.includes('allows every tool of hubu')]).toEqual([1, true])
  })

  it('crush: allowed tools are extended, and a protected one among them refuses trust', async () => {
    using bench = workbench()
    const file = '.config/crush/crush.json'
    await bench.init({ client: 'crush', write: true })
    const { permissions, mcp } = JSON.parse(bench.read(file)) as {
      permissions: { allowed_tools: string[] }
      mcp: { hubu: object }
    }
    expect(permissions.allowed_tools).toEqual(auto.map((tool) => `mcp_hubu_${tool}`))
    expect(mcp.hubu).toMatchObject({ type: 'stdio', timeout: 15 })
    bench.put(file, '{"permissions": {"allowed_tools": ["mcp_hubu_hubu_create_budget"]}}')
    const { code, err } = await bench.init({ client: 'crush', ...asks })
    expect([code, err.includes('allows mcp_hubu_hubu_create_budget')]).toEqual([1, true])
  })

  it('crush: a script is never edited; the lines to add are printed', async () => {
    using bench = workbench()
    bench.put('.config/crush/crushrc', 'mcp add other -- x\n')
    const { code, out } = await bench.init({ client: 'crush', write: true })
    expect(code).toBe(0)
    expect(out).toContain('mcp add hubu --env HUBU_UNIFIED_HUBU_ENDPOINT=http://127.0.0.1:8787 ')
    expect(out).toContain('permissions allow mcp_hubu_hubu_health\n')
    expect([bench.read('.config/crush/crushrc'), bench.names('.config/crush')]).toEqual([
      'mcp add other -- x\n',
      ['crushrc'],
    ])
  })

  it('crush: two definitions of ours are refused', async () => {
    using bench = workbench()
    bench.put('.config/crush/crushrc', 'mcp add hubu -- x\n')
    bench.put('.config/crush/crush.json', '{"mcp": {"hubu": {"command": "x"}}}')
    const { code, err } = await bench.init({ client: 'crush', write: true })
    expect([code, err.includes('both define hubu')]).toEqual([1, true])
  })

  it('kimi: rules are added beside the servers, and a wildcard refuses trust', async () => {
    using bench = workbench()
    mkdirSync(path.join(bench.home, '.kimi-code'))
    bench.put('.kimi-code/config.toml', '[[permission.rules]]\ndecision = "deny"\npattern = "Bash"\n')
    await bench.init({ client: 'kimi', write: true })
    const { permission } = parseToml(bench.read('.kimi-code/config.toml')) as unknown as {
      permission: { rules: object[] }
    }
    expect(permission.rules).toHaveLength(1 + auto.length)
    expect(permission.rules[1]).toEqual({ decision: 'allow', pattern: 'mcp__hubu__hubu_health' })
    bench.put('.kimi-code/config.toml', '[permission]\nrules = [{ decision = "allow", pattern = "mcp__hubu__*" }]\n')
    const { code, err } = await bench.init({ client: 'kimi', ...asks })
    expect([code, err.includes('allows mcp__hubu__*')]).toEqual([1, true])
  })
})

describe('clients that have less', () => {
  it('hermes gets its one switch, and it is said that a release may not heed it', async () => {
    using bench = workbench()
    const { code, out } = await bench.init({ client: 'hermes', write: true })
    expect(code).toBe(0)
    expect(parseYaml(bench.read('.hermes/config.yaml'))).toMatchObject({
      mcp_servers: { hubu: { trust: 'untrusted' } },
    })
    expect(out).toContain('Hermes 0.19.0 runs everything without asking')
  })

  it.each(['hermes', 'qwen', 'windsurf'])('%s cannot be trusted, but is set up without', async (client) => {
    using bench = workbench()
    const refused = await bench.init({ client, ...trust, iKnowTheClientAsks: true })
    expect([refused.code, bench.names('.')]).toEqual([2, []])
    expect(refused.err).toContain('cannot be trusted to ask a person')
    const { code, out } = await bench.init({ client, write: true })
    expect(code).toBe(0)
    if (client !== 'hermes') expect(out).toContain('  hubu_create_budget')
    expect(out).toContain('The router refuses protected tools')
  })

  it.each(['goose', 'lm-studio', 'notepad'])('%s is not set up, with the reason', async (client) => {
    using bench = workbench()
    const { code, err } = await bench.init({ client, write: true })
    expect(code).toBe(2)
    expect(err).toMatch(/is not set up by init|there is no client "notepad"; known are codex, claude/)
  })
})
