import path from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { askTools, autoTools, metaTools, workbench } from './workbench.ts'

type Bench = ReturnType<typeof workbench>

const trust = { write: true, trustClientApproval: true }
const auto = [...autoTools, 'get_result']

interface CodexEntry {
  env: Record<string, string>
  tools: Record<string, { approval_mode: string }>
}

function codexEntry(bench: Bench): CodexEntry {
  return (parseToml(bench.read('.codex/config.toml')) as unknown as { mcp_servers: { hubu: CodexEntry } }).mcp_servers
    .hubu
}

const modes = (entry: CodexEntry, mode: string): string[] =>
  Object.entries(entry.tools).flatMap(([tool, value]) => (value.approval_mode === mode ? [tool] : []))

describe('the approval profile in Codex', () => {
  it('runs 23 tools and asks for 12 on the contract surface; 22 without stored results', async () => {
    using bench = workbench()
    await bench.init({ client: 'codex', write: true })
    expect(modes(codexEntry(bench), 'approve')).toEqual(auto)
    expect(modes(codexEntry(bench), 'prompt')).toEqual(askTools)
    expect(bench.read('.codex/config.toml')).toContain(
      '[mcp_servers.hubu.tools]\nhubu_health = { approval_mode = "approve" }\n',
    )
    bench.show({ storesResults: false })
    await bench.init({ client: 'codex', write: true })
    expect(modes(codexEntry(bench), 'approve')).toEqual(autoTools)
    expect(modes(codexEntry(bench), 'prompt')).toEqual(askTools)
  })

  it('runs the seven harmless meta-tools and asks for call_tool and the 12 on the lazy surface', async () => {
    using bench = workbench()
    bench.show({ surface: 'lazy' })
    await bench.init({ client: 'codex', write: true })
    expect(modes(codexEntry(bench), 'approve')).toEqual(metaTools.filter((name) => name !== 'call_tool'))
    expect(modes(codexEntry(bench), 'prompt')).toEqual([...askTools, 'call_tool'])
  })

  it('includes what the lazy surface lists by name, and knows no rule for a mounted tool', async () => {
    using bench = workbench()
    bench.show({ surface: 'lazy', listed: ['hubu_submit_spend', 'hubu_authorize_spend', 'atlas__route'] })
    await bench.init({ client: 'codex', write: true })
    expect(modes(codexEntry(bench), 'approve').slice(-2)).toEqual(['hubu_submit_spend', 'hubu_authorize_spend'])
    expect(bench.read('.codex/config.toml')).not.toContain('__route')
    expect(modes(codexEntry(bench), 'prompt')).toContain('call_tool')
  })

  it('loses the rules of another surface when that is set up instead', async () => {
    using bench = workbench()
    bench.show({ surface: 'lazy' })
    await bench.init({ client: 'codex', write: true })
    bench.show({ surface: 'contract' })
    await bench.init({ client: 'codex', write: true })
    expect(Object.keys(codexEntry(bench).tools).toSorted()).toEqual([...auto, ...askTools].toSorted())
  })
})

describe('the approval profile in Claude Code', () => {
  const settings = '.claude/settings.json'
  const rule = (tool: string): string => `mcp__hubu__${tool}`

  it('is 23 allow and 12 ask rules in profile order, written before the trusted entry', async () => {
    using bench = workbench()
    const order: string[] = []
    const onStep = (step: string, file: string): void => void (step === 'compared' && order.push(path.basename(file)))
    expect((await bench.init({ client: 'claude', ...trust }, { onStep })).code).toBe(0)
    expect(order).toEqual(['settings.json', '.claude.json'])
    expect(JSON.parse(bench.read(settings))).toEqual({
      permissions: { allow: auto.map(rule), ask: askTools.map(rule) },
    })
    const { mcpServers } = JSON.parse(bench.read('.claude.json')) as { mcpServers: { hubu: { env: object } } }
    expect(mcpServers.hubu.env).toMatchObject({ HUBU_MCP_TRUST_CLIENT_APPROVAL: '1' })
  })

  it('is taken back when the server entry cannot be written', async () => {
    using bench = workbench()
    const before = '{"permissions": {"allow": ["Bash(ls)"]}}\n'
    bench.put(settings, before)
    const onStep = (step: string, file: string): void => {
      if (step === 'temporary-written' && file.endsWith('.claude.json')) {
        throw Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' })
      }
    }
    const { code, err } = await bench.init({ client: 'claude', ...trust }, { onStep })
    expect(code).toBe(1)
    expect(err).toContain('.claude.json cannot be written: ENOSPC')
    expect([bench.read(settings), bench.exists('.claude.json')]).toEqual([before, false])
    expect((await bench.init({ client: 'claude', undo: true, write: true })).out).toBe('nothing to undo\n')
  })

  it('stays undoable when the user wrote its file before the server entry could not be written', async () => {
    using bench = workbench()
    const before = '{"permissions": {"allow": ["Bash(ls)"]}}\n'
    bench.put(settings, before)
    const onStep = (step: string, file: string): void => {
      if (step !== 'temporary-written' || !file.endsWith('.claude.json')) return
      bench.put(settings, bench.read(settings).replace('Bash(ls)', 'Bash(ls -l)'))
      throw Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' })
    }
    expect((await bench.init({ client: 'claude', ...trust }, { onStep })).code).toBe(1)
    expect((await bench.init({ client: 'claude', undo: true, write: true })).out).toContain('settings.json')
    expect(bench.read(settings)).toBe(before.replace('Bash(ls)', 'Bash(ls -l)'))
  })

  it('keeps a deny rule of the user and names it', async () => {
    using bench = workbench()
    bench.put(settings, '{"permissions": {"deny": ["mcp__hubu__hubu_submit_spend"]}}')
    const { out } = await bench.init({ client: 'claude', write: true })
    expect(out).toContain('settings.json denies mcp__hubu__hubu_submit_spend; that rule is kept and wins.')
    expect(JSON.parse(bench.read(settings))).toMatchObject({ permissions: { deny: ['mcp__hubu__hubu_submit_spend'] } })
  })

  it.each([settings, '../project/.claude/settings.local.json'])(
    'does not earn trust when %s bypasses permissions',
    async (name) => {
      using bench = workbench()
      const before = '{"permissions": {"defaultMode": "bypassPermissions", "odd": 12345678901234567890}}'
      bench.put(name, before)
      const { code, err } = await bench.init({ client: 'claude', ...trust })
      expect(code).toBe(1)
      expect(err).toContain('sets defaultMode to bypassPermissions')
      expect([bench.read(name), bench.exists('.claude.json')]).toEqual([before, false])
    },
  )

  it("stays out of a project's committed files, and names no home folder in the entry that is committed", async () => {
    using bench = workbench()
    const { code, out } = await bench.init({ client: 'claude', write: true, scope: 'project' })
    expect(code).toBe(0)
    expect(JSON.parse(bench.read('../project/.mcp.json'))).toHaveProperty('mcpServers.hubu.command')
    expect(JSON.parse(bench.read('../project/.claude/settings.local.json'))).toHaveProperty('permissions.ask')
    expect(bench.exists('.claude/settings.json')).toBe(false)
    expect(out).not.toContain(bench.home)
    bench.put('.hubu/hubu.auth-token', 'x\n')
    const hubuTokenFile = path.join(bench.home, '.hubu/hubu.auth-token')
    const shared = await bench.init({ client: 'claude', scope: 'project', hubuTokenFile, write: true })
    expect(shared.code).toBe(0)
    expect(bench.read('../project/.mcp.json')).toContain('"${HOME}/.hubu/hubu.auth-token"')
    expect(bench.read('../project/.mcp.json')).not.toContain(bench.home)
    // Codex expands nothing.
    const named = await bench.init({ client: 'codex', scope: 'project', hubuTokenFile, write: true })
    expect([named.code, named.err]).toEqual([1, expect.stringContaining('Run init with --scope user')])
    expect(bench.exists('../project/.codex/config.toml')).toBe(false)
    for (const [client, file, reference] of [
      ['opencode', 'opencode.json', '{env:HOME}'],
      ['kilo', 'kilo.json', '{env:HOME}'],
      ['crush', '.crush.json', '${HOME}'],
      ['vscode', '.vscode/mcp.json', '${userHome}'],
    ] as const) {
      await bench.init({ client, scope: 'project', hubuTokenFile, write: true })
      expect(bench.read(`../project/${file}`)).toContain(`"${reference}/.hubu/hubu.auth-token"`)
      expect(bench.read(`../project/${file}`)).not.toContain(bench.home)
    }
    await bench.init({ client: 'claude', scope: 'project', sandbox: true, write: true })
    expect(bench.read('../project/.mcp.json')).not.toContain('"env"')
  })
})

describe('the approval profile in Gemini CLI', () => {
  const policy = '.gemini/policies/hubu-unified-mcp.toml'

  it('is a policy file of its own beside an entry without trust; undo removes it', async () => {
    using bench = workbench()
    expect((await bench.init({ client: 'gemini', ...trust })).code).toBe(0)
    expect(parseToml(bench.read(policy))).toEqual({
      rule: [
        { mcpName: 'hubu', toolName: auto, decision: 'allow', priority: 100 },
        { mcpName: 'hubu', toolName: askTools, decision: 'ask_user', priority: 390 },
      ],
    })
    expect(JSON.parse(bench.read('.gemini/settings.json'))).toMatchObject({ mcpServers: { hubu: { trust: false } } })
    await bench.init({ client: 'gemini', undo: true, write: true })
    expect([bench.exists(policy), bench.exists('.gemini')]).toEqual([false, false])
  })

  it('does not earn trust while the user trusts the whole server', async () => {
    using bench = workbench()
    const before = '{"mcpServers": {"hubu": {"command": "x", "trust": true}}}'
    bench.put('.gemini/settings.json', before)
    const { code, err } = await bench.init({ client: 'gemini', ...trust, force: true })
    expect(code).toBe(1)
    expect(err).toContain('has trust: true')
    expect([bench.read('.gemini/settings.json'), bench.exists(policy)]).toEqual([before, false])
  })

  it('does not overwrite a policy file of that name that is not ours', async () => {
    using bench = workbench()
    bench.put(policy, '# mine\n')
    const { code, err } = await bench.init({ client: 'gemini', write: true })
    expect([code, err.includes('a file of that name that this program did not write')]).toEqual([1, true])
    expect(bench.read(policy)).toBe('# mine\n')
  })
})

describe.each([
  ['opencode', '.config/opencode/opencode.json'],
  ['kilo', '.config/kilo/kilo.json'],
])('the approval profile in %s', (client, file) => {
  it('stands behind the wildcards of the user, because the last match wins', async () => {
    using bench = workbench()
    bench.put(file, '{\n  "permission": {\n    "*": "allow"\n  }\n}\n')
    expect((await bench.init({ client, ...trust })).code).toBe(0)
    const { permission } = JSON.parse(bench.read(file)) as { permission: Record<string, string> }
    expect(Object.keys(permission)).toEqual(['*', ...[...auto, ...askTools].map((tool) => `hubu_${tool}`)])
    expect(askTools.map((tool) => permission[`hubu_${tool}`])).toEqual(askTools.map(() => 'ask'))
  })

  it('moves behind a wildcard that was added later', async () => {
    using bench = workbench()
    await bench.init({ client, ...trust })
    const text = bench.read(file)
    const last = '"hubu_hubu_reconcile_vendor_did_not_bill_claim": "ask"'
    bench.put(file, text.replace(last, `${last},\n    "*": "allow"`))
    await bench.init({ client, ...trust })
    const { permission } = JSON.parse(bench.read(file)) as { permission: Record<string, string> }
    expect(Object.keys(permission).indexOf('*')).toBe(0)
  })

  it('is only printed where one word stands for all tools, and trust is refused', async () => {
    using bench = workbench()
    const before = '{"permission": "allow"}'
    bench.put(file, before)
    const { code, out, err } = await bench.init({ client, ...trust })
    expect(code).toBe(1)
    expect(out).toContain('"hubu":')
    expect(out).toContain('  "hubu_hubu_create_budget": "ask",')
    expect(err).toContain('line 1 stands in the way: "permission" is one word ("allow") for all tools')
    expect(bench.read(file)).toBe(before)
  })

  it('does not earn trust while an agent of the user allows everything', async () => {
    using bench = workbench()
    bench.put(file, '{"agent": {"build": {"permission": {"hubu_*": "allow"}}}}')
    const { code, err } = await bench.init({ client, ...trust })
    expect([code, err.includes('the agent "build" allows protected tools')]).toEqual([1, true])
  })
})

describe('the approval profile in Zed', () => {
  it('allows and confirms tool by tool', async () => {
    using bench = workbench()
    bench.put('.config/zed/settings.json', '{\n  // mine\n  "agent": {"default_model": "x"}\n}\n')
    expect((await bench.init({ client: 'zed', ...trust })).code).toBe(0)
    const text = bench.read('.config/zed/settings.json')
    const { agent } = JSON.parse(text.replace('// mine', '')) as {
      agent: { tool_permissions: { tools: Record<string, { default: string }> } }
    }
    const { tools } = agent.tool_permissions
    expect(auto.every((tool) => tools[`mcp:hubu:${tool}`]!.default === 'allow')).toBe(true)
    expect(askTools.every((tool) => tools[`mcp:hubu:${tool}`]!.default === 'confirm')).toBe(true)
  })
})
