import { chmodSync, existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { syncBench } from './sync-bench.ts'

/** Two clients that know three servers between them. */
function clientsWithServers(bench: ReturnType<typeof syncBench>): void {
  bench.put(
    'home/.codex/config.toml',
    '[mcp_servers.docs]\ncommand = "uvx"\nargs = ["docs-mcp"]\ncwd = "/srv"\n\n[mcp_servers.docs.env]\nLEVEL = "full"\n',
  )
  bench.put('home/.gemini/settings.json', {
    mcpServers: {
      docs: { command: 'other' },
      web: { httpUrl: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'hush' } },
      mcphub: { command: 'x' },
      secret: { command: 'run', env: { KEY: '$KEY' } },
      'odd name': { command: 'y' },
    },
  })
}

describe('init --from-agents', () => {
  it('previews the configuration and the entries, and writes nothing', async () => {
    using bench = syncBench()
    clientsWithServers(bench)
    const { code, out } = await bench.fromAgents()
    expect(code).toBe(0)
    expect(out).toContain('found 2 new servers and 2 agents')
    expect(out).toContain('+  docs:')
    expect(out).toMatch(/^codex \(codex\) .*\n {2}plan: .*\n {4}add {4}hubu$/m)
    expect([existsSync(bench.configFile), existsSync(bench.environment.dataFolder)]).toEqual([false, false])
  })

  it('takes over the union of all servers, the first file winning, and wires the clients', async () => {
    using bench = syncBench()
    clientsWithServers(bench)
    const { code, out } = await bench.fromAgents({ write: true })
    expect(code).toBe(0)
    expect(parseYaml(bench.read('config.yaml'))).toEqual({
      version: 1,
      servers: {
        docs: { command: 'uvx', args: ['docs-mcp'], env: { LEVEL: 'full' }, cwd: '/srv', enabled: true },
        web: { url: 'http://127.0.0.1:9/mcp', enabled: true },
      },
      agents: {
        codex: { type: 'codex', path: bench.file('home/.codex/config.toml'), mode: 'gateway' },
        gemini: { type: 'gemini', path: bench.file('home/.gemini/settings.json'), mode: 'gateway' },
      },
    })
    expect(bench.read('home/.codex/config.toml')).toContain('[mcp_servers.hubu]')
    expect(bench.json('home/.gemini/settings.json')['mcpServers']).toHaveProperty('hubu')
    expect(out).toContain('headers of web in')
    expect(out).toContain('secret of')
    expect(out).toContain('it uses variables that only gemini expands')
    expect(out).toContain('odd name of')
    expect(out).not.toContain('hush')
  })

  it('keeps the comments of a configuration that exists, and what it says of servers and agents', async () => {
    using bench = syncBench()
    clientsWithServers(bench)
    const docs = { command: 'mine', enabled: true }
    const before = '# mine\nversion: 1\nservers:\n  docs:\n    command: mine # c\n    enabled: true\n'
    bench.put('config.yaml', before)
    bench.configure({ docs }, {})
    await bench.fromAgents({ write: true })
    const text = bench.read('config.yaml')
    expect(text.startsWith(before)).toBe(true)
    expect(Object.keys((parseYaml(text) as { servers: object }).servers)).toEqual(['docs', 'web'])
    expect(bench.backups('config.yaml')).toHaveLength(1)
    bench.configure({ docs, web: { url: 'x' } }, { codex: { type: 'codex' }, gemini: { type: 'gemini' } })
    const again = await bench.fromAgents({ json: true })
    expect(JSON.parse(again.out)).toMatchObject({ servers: [], agents: {} })
  })

  it('says so when others can read the configuration that takes over variables', async () => {
    using bench = syncBench()
    clientsWithServers(bench)
    bench.put('config.yaml', 'version: 1\n')
    chmodSync(bench.configFile, 0o644)
    const { out } = await bench.fromAgents({ write: true })
    expect(out).toContain(`note: ${bench.configFile} has mode 0644: other users of this machine may read it`)
  })

  it('passes over a file that is broken, and says so', async () => {
    using bench = syncBench()
    bench.put('home/.codex/config.toml', 'a =\n')
    const { code, out } = await bench.fromAgents({ write: true })
    expect([code, out.includes('passed over: ')]).toEqual([0, true])
    expect(existsSync(bench.configFile)).toBe(false)
  })
})
