import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { bundlePath, nodePath, workbench } from './workbench.ts'

const config = '.codex/config.toml'

const hubuIn = (text: string): Record<string, unknown> =>
  (parse(text)['mcp_servers'] as Record<string, Record<string, unknown>>)['hubu']!

describe('init codex meets a file in which', () => {
  it('servers are an inline table: the entry goes inside its braces', async () => {
    using bench = workbench()
    bench.put(config, 'mcp_servers = {other={command="y"}} # c\n')
    await bench.init({ client: 'codex', write: true })
    expect(bench.read(config)).toMatch(/^mcp_servers = \{other=\{command="y"\}, hubu = \{ .* \}\} # c\n$/)
    expect(hubuIn(bench.read(config))).toMatchObject({ command: nodePath, args: [bundlePath] })
  })

  it('a foreign entry stands under quoted keys: refused and shown, or taken over in place with --force', async () => {
    using bench = workbench()
    const before =
      '["mcp_servers".\'hubu\'] # head\ncommand = "theirs" # why\nargs = ["--token=abc"]\nenabled = false\n'
    bench.put(config, before)
    const refused = await bench.init({ client: 'codex', write: true })
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('has an entry hubu (theirs --token=***) that this program did not write; --force')
    expect(bench.read(config)).toBe(before)
    const forced = await bench.init({ client: 'codex', write: true, force: true })
    expect(forced.code).toBe(0)
    const text = bench.read(config)
    expect(
      text.startsWith(
        `["mcp_servers".'hubu'] # head\ncommand = "${nodePath}" # why\nargs = ["${bundlePath}"]\nenabled = false\n`,
      ),
    ).toBe(true)
    expect(hubuIn(text)).toMatchObject({ command: nodePath, enabled: false })
  })

  it('a foreign entry is written with dotted keys: its value is replaced where it is', async () => {
    using bench = workbench()
    bench.put(config, 'mcp_servers.hubu.command = "x"\nz = 1\n')
    expect((await bench.init({ client: 'codex', write: true, force: true })).code).toBe(0)
    const text = bench.read(config)
    expect(text).toMatch(/^mcp_servers\.hubu\.command = "[^"]+node"\n/)
    expect(text).not.toContain('[mcp_servers')
    expect(hubuIn(text)).toMatchObject({ command: nodePath })
  })

  it('a header is only text: it stays, and the entry is appended', async () => {
    using bench = workbench()
    const before = 's = """\n[mcp_servers.hubu]\ncommand = "no"\n"""\n'
    bench.put(config, before)
    await bench.init({ client: 'codex', write: true })
    expect(bench.read(config).startsWith(before)).toBe(true)
    expect(hubuIn(bench.read(config))).toMatchObject({ command: nodePath })
  })

  it("the reference's block stands: it is taken over without --force and its markers stay around the entry", async () => {
    using bench = workbench()
    const block = [
      '# >>> hubu managed codex mcp',
      '[mcp_servers.hubu]',
      'command = "/usr/local/bin/reference-router"',
      'startup_timeout_sec = 10',
      'tool_timeout_sec = 60',
      '',
      '[mcp_servers.hubu.env]',
      'HUBU_UNIFIED_HUBU_ENDPOINT = "http://127.0.0.1:9999"',
      'HUBU_MCP_TRUST_CLIENT_APPROVAL = "1"',
      '',
      '[mcp_servers.hubu.tools.hubu_submit_spend]',
      'approval_mode = "approve"',
      '# <<< hubu managed codex mcp',
    ].join('\n')
    bench.put(config, `a = 1\n\n${block}\n\n[z]\nb = 2\n`)
    const { code } = await bench.init({ client: 'codex', write: true })
    expect(code).toBe(0)
    const text = bench.read(config)
    const inside = text.slice(text.indexOf('# >>>'), text.indexOf('# <<<'))
    expect([inside.match(/\[mcp_servers\.hubu\]/g)?.length, text.match(/\[mcp_servers\.hubu/g)?.length]).toEqual([
      1,
      inside.match(/\[mcp_servers\.hubu/g)?.length,
    ])
    expect(text.endsWith('# <<< hubu managed codex mcp\n\n[z]\nb = 2\n')).toBe(true)
    expect(hubuIn(text)).toMatchObject({ command: nodePath, args: [bundlePath] })
    // Trust was not asked for now, so it is not kept either.
    expect(hubuIn(text)['env']).not.toHaveProperty('HUBU_MCP_TRUST_CLIENT_APPROVAL')
  })

  it('the begin marker has no end: that is no block of the reference', async () => {
    using bench = workbench()
    bench.put(config, '# >>> hubu managed codex mcp\n[mcp_servers.hubu]\ncommand = "x"\n')
    expect((await bench.init({ client: 'codex', write: true })).code).toBe(1)
  })

  it('the entry is spread over the file: values change where they are', async () => {
    using bench = workbench()
    const before =
      '[mcp_servers.hubu.env]\nHUBU_UNIFIED_HUBU_ENDPOINT = "http://old"\n\n[other]\nx = 1\n\n[mcp_servers.hubu]\ncommand = "old" # c\n\n[last]\n'
    bench.put(config, before)
    expect((await bench.init({ client: 'codex', write: true, force: true })).code).toBe(0)
    const text = bench.read(config)
    expect(text).toContain('HUBU_UNIFIED_HUBU_ENDPOINT = "http://127.0.0.1:8787"\n')
    expect(text).toContain(`command = "${nodePath}" # c\n`)
    expect(text.indexOf('[other]\nx = 1\n')).toBeGreaterThan(0)
    expect(text.indexOf('[last]\n')).toBeGreaterThan(text.indexOf('[mcp_servers.hubu]'))
  })

  it('the user added keys and comments to our entry: a new endpoint changes only that', async () => {
    using bench = workbench()
    await bench.init({ client: 'codex', write: true, stateFile: '/s/operations.sqlite3' })
    const edited = bench
      .read(config)
      .replace('[mcp_servers.hubu]\n', '[mcp_servers.hubu]\n# off for now\nenabled = false\n')
    bench.put(config, edited)
    await bench.init({
      client: 'codex',
      write: true,
      hubu: 'http://127.0.0.1:9000',
      stateFile: '/s/operations.sqlite3',
    })
    expect(bench.read(config)).toBe(edited.replace('127.0.0.1:8787', '127.0.0.1:9000'))
  })

  it('the user set another time-out: it stays', async () => {
    using bench = workbench()
    await bench.init({ client: 'codex', write: true })
    const edited = bench.read(config).replace('tool_timeout_sec = 60', 'tool_timeout_sec = 600')
    bench.put(config, edited)
    expect((await bench.init({ client: 'codex', write: true })).out).toContain('already set up')
    expect(bench.read(config)).toBe(edited)
  })
})

describe('init claude', () => {
  it('leaves odd numbers, odd names and entries of projects as they are', async () => {
    using bench = workbench()
    const projects = `"projects": {\n    "/p": {"mcpServers": {"hubu": {"command": "p"}}}\n  }`
    const before = `{\n  "numStartups": 12345678901234567890,\n  "big": 1e999,\n  "zero": -0,\n  ${projects},\n  "mcpServers": {\n    "__proto__": {"command": "x"}\n  }\n}`
    bench.put('.claude.json', before)
    expect((await bench.init({ client: 'claude', write: true })).code).toBe(0)
    const text = bench.read('.claude.json')
    for (const token of ['12345678901234567890', '1e999', '-0,', projects, '"__proto__": {"command": "x"}'])
      expect(text).toContain(token)
    const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, { command: string }> }
    expect(mcpServers['hubu']!.command).toBe(nodePath)
  })

  it('writes the entry of one project in local scope', async () => {
    using bench = workbench()
    bench.put('.claude.json', '{"mcpServers": {}}')
    expect((await bench.init({ client: 'claude', write: true, scope: 'local' })).code).toBe(0)
    const { projects, mcpServers } = JSON.parse(bench.read('.claude.json')) as Record<
      string,
      Record<string, { mcpServers: object }>
    >
    expect([Object.keys(mcpServers!), Object.keys(projects![bench.cwd]!.mcpServers)]).toEqual([[], ['hubu']])
  })
})

describe('init hermes', () => {
  it('keeps anchors, tags, text blocks and long lines', async () => {
    using bench = workbench()
    const before = `base: &b\n  x: !!str 5\ntext: |-\n  mcp_servers:\n    hubu: no\nlong: ${'x '.repeat(100)}\nmcp_servers:\n  a: *b\nz: 1\n`
    bench.put('.hermes/config.yaml', before)
    expect((await bench.init({ client: 'hermes', write: true })).code).toBe(0)
    const text = bench.read('.hermes/config.yaml')
    expect(text.startsWith(before.slice(0, before.indexOf('z: 1')))).toBe(true)
    expect(text.endsWith('z: 1\n')).toBe(true)
    expect((parseYaml(text) as { mcp_servers: { hubu: object } }).mcp_servers.hubu).toMatchObject({
      command: nodePath,
      trust: 'untrusted',
    })
  })
})
