import { writeFileSync } from 'node:fs'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { bundlePath, nodePath } from '../workbench.ts'
import { inert, remote, type Result, syncBench } from './sync-bench.ts'

const plan = (result: Result | undefined): string[][] =>
  (result?.changes ?? []).map(({ action, server }) => [action, server])
const direct = { a: { mode: 'direct' as const } }

describe('sync in gateway mode', () => {
  it('writes one entry that names configuration and, with routing, agent', async () => {
    using bench = syncBench()
    bench.configure({ atlas: inert() }, { none: {}, some: { servers: ['atlas'] }, pins: { pin: [] } })
    const { code } = await bench.sync({ write: true })
    expect(code).toBe(0)
    const entry = (name: string) =>
      bench.json(`${name}.json`)['mcpServers']!['hubu'] as { command: string; args: string[]; env: object }
    expect(entry('none')).toMatchObject({ command: nodePath, args: [bundlePath, '--config', bench.configFile] })
    expect(entry('some').args).toEqual([bundlePath, '--config', bench.configFile, '--agent', 'some'])
    expect(entry('pins').args.slice(-2)).toEqual(['--agent', 'pins'])
    const names = ['HUBU_ENDPOINT', 'HUBU_BEARER_TOKEN_FILE', 'OPERATION_STATE_PATH']
    expect(Object.keys(entry('none').env)).toEqual(names.map((name) => `HUBU_UNIFIED_${name}`))
  })

  it('previews by default: file and record stay as they are', async () => {
    using bench = syncBench()
    bench.configure({ atlas: inert() }, { a: {} })
    bench.put('a.json', '{"x":1}')
    const { code, results } = await bench.sync()
    expect([code, plan(results[0]), results[0]!.applied]).toEqual([0, [['add', 'hubu']], false])
    expect([bench.read('a.json'), bench.state.read().owned, bench.backups('a.json')]).toEqual(['{"x":1}', {}, []])
    const text = (await bench.sync({ json: false })).out
    expect(text).toMatch(/^ {4}add {4}hubu$/m)
    expect(text).toContain('+{"x":1,"mcpServers":{"hubu":{')
    expect(text.endsWith('nothing written; add --write\n')).toBe(true)
  })

  it('writes once: the second time there is nothing to do and no backup', async () => {
    using bench = syncBench()
    bench.configure({ atlas: inert() }, { a: {} })
    bench.put('a.json', '{}')
    const first = (await bench.sync({ write: true })).results[0]!
    expect([first.applied, first.backup, first.plan_id]).toEqual([
      true,
      bench.file('a.json.bak-20260102-030405'),
      expect.stringMatching(/^plan_\d{19}_a$/),
    ])
    const second = (await bench.sync({ write: true })).results[0]!
    expect([second.applied, second.changes, bench.backups('a.json').length]).toEqual([false, [], 1])
  })

  it('carries the connection of this machine, never a token', async () => {
    using bench = syncBench()
    bench.environment.env = { HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'canary' }
    writeFileSync(bench.token, 'canary\n')
    bench.configure({}, { a: {} })
    await bench.sync({ write: true })
    expect(bench.read('a.json')).toContain('"HUBU_UNIFIED_HUBU_ENDPOINT": "http://127.0.0.1:8787"')
    expect(bench.read('a.json') + bench.read('data/sync.json')).not.toContain('canary')
  })

  it('keeps the trust that init gave, and the variables of the user', async () => {
    using bench = syncBench()
    bench.configure({}, { a: {} })
    await bench.sync({ write: true })
    const edited = bench.json('a.json')
    Object.assign(edited['mcpServers']!['hubu']!['env'] as object, {
      HUBU_MCP_TRUST_CLIENT_APPROVAL: '1',
      HTTPS_PROXY: 'http://p',
    })
    bench.put('a.json', edited)
    expect(plan((await bench.sync({ write: true })).results[0])).toEqual([])
    bench.configure({}, { a: { pin: [] } })
    await bench.sync({ write: true })
    expect(bench.json('a.json')['mcpServers']!['hubu']!['env']).toMatchObject({
      HUBU_MCP_TRUST_CLIENT_APPROVAL: '1',
      HTTPS_PROXY: 'http://p',
    })
  })

  it('does not take over an entry of our name that somebody else made, without --force', async () => {
    using bench = syncBench()
    bench.configure({}, { a: {}, b: {} })
    bench.put('a.json', { mcpServers: { hubu: { command: 'theirs' } } })
    const { code, results, err } = await bench.sync({ write: true })
    expect([code, results[1]!.applied]).toEqual([1, true])
    expect(results[0]!.error).toContain('that this program did not write; --force takes it over')
    expect(err).toContain('hubu-unified-mcp: a: ')
    expect((await bench.sync({ write: true, force: true })).code).toBe(0)
  })
})

describe('sync in direct mode', () => {
  it("leaves the user's entries, keys and comments byte for byte, on writing and on removal", async () => {
    using bench = syncBench()
    const before =
      '// mine\n{\n  "theme": "dark",\n  "mcpServers": {\n    "keep": {"command": "mine", "extra": 1} // c\n  },\n  "nested": {"a": [1]}\n}\n'
    bench.put('c.json', before)
    const agents = { c: { mode: 'direct' as const, type: 'cursor' } }
    bench.configure({ atlas: inert() }, agents)
    await bench.sync({ write: true })
    expect(bench.read('c.json')).toBe(
      before.replace('1} // c\n', '1}, // c\n    "atlas": {\n      "command": "true"\n    }\n'),
    )
    bench.configure({ atlas: inert({ enabled: false }) }, agents)
    await bench.sync({ write: true })
    expect(bench.read('c.json')).toBe(before)
  })

  it('removes a server that was disabled, and owns it no more', async () => {
    using bench = syncBench()
    bench.configure({ atlas: inert(), ledger: inert() }, direct)
    await bench.sync({ write: true })
    expect(bench.state.read().owned).toEqual({ a: ['atlas', 'ledger'] })
    bench.configure({ atlas: inert({ enabled: false }), ledger: inert() }, direct)
    expect(plan((await bench.sync()).results[0])).toEqual([['remove', 'atlas']])
    await bench.sync({ write: true })
    expect([Object.keys(bench.json('a.json')['mcpServers']!), bench.state.read().owned]).toEqual([
      ['ledger'],
      { a: ['ledger'] },
    ])
  })

  it('leaves an owned entry alone that cannot be read', async () => {
    using bench = syncBench()
    bench.configure({ atlas: inert(), ledger: inert() }, direct)
    await bench.sync({ write: true })
    const file = bench.json('a.json') as unknown as { mcpServers: Record<string, unknown> }
    file.mcpServers['atlas'] = 5
    bench.put('a.json', file)
    bench.configure({ atlas: inert({ enabled: false }), ledger: inert() }, direct)
    expect(plan((await bench.sync({ write: true })).results[0])).toEqual([])
    expect(bench.json('a.json')['mcpServers']!['atlas']).toBe(5)
  })

  it('keeps keys that the user added to an entry which changes', async () => {
    using bench = syncBench()
    bench.configure({ far: remote() }, direct)
    await bench.sync({ write: true })
    const file = bench.json('a.json')
    Object.assign(file['mcpServers']!['far']!, { headers: { A: 'b' }, timeout: 7 })
    bench.put('a.json', file)
    bench.configure({ far: remote({ url: 'http://127.0.0.1:9/new' }) }, direct)
    expect(plan((await bench.sync({ write: true })).results[0])).toEqual([['update', 'far']])
    expect(bench.json('a.json')['mcpServers']!['far']).toEqual({
      type: 'http',
      url: 'http://127.0.0.1:9/new',
      headers: { A: 'b' },
      timeout: 7,
    })
  })

  it('turns a local entry into a remote one and back without remains', async () => {
    using bench = syncBench()
    bench.configure({ s: inert({ args: ['x'], env: { A: 'b', C: 'd' } }) }, direct)
    await bench.sync({ write: true })
    bench.configure({ s: remote() }, direct)
    await bench.sync({ write: true })
    expect(bench.json('a.json')['mcpServers']!['s']).toEqual({ type: 'http', url: 'http://127.0.0.1:9/mcp' })
    bench.configure({ s: inert({ env: { C: 'd' } }) }, direct)
    await bench.sync({ write: true })
    expect(bench.json('a.json')['mcpServers']!['s']).toEqual({ command: 'true', env: { C: 'd' } })
  })

  it('shows no secret of an update', async () => {
    using bench = syncBench()
    bench.configure({ atlas: inert({ args: ['new'] }), far: remote() }, direct)
    const args = ['--token=abc', '-e', 'K=valu', 'https://u:pw@h/x?key=1']
    bench.put('a.json', {
      mcpServers: {
        atlas: { command: 'true', args, env: { SECRET: 'hush' } },
        far: { type: 'http', url: 'https://u:pw@h/x?key=1#f' },
      },
    })
    for (const { out, results } of [await bench.sync(), await bench.sync({ json: false })]) {
      if (results.length > 0)
        expect(plan(results[0])).toEqual([
          ['update', 'atlas'],
          ['update', 'far'],
        ])
      for (const part of ['--token=***', 'K=***', '-SECRET', 'https://h/x']) expect(out).toContain(part)
      expect(out).not.toMatch(/abc|valu\b|hush|u:pw|key=1/)
    }
  })

  it('says that headers are not written', async () => {
    using bench = syncBench()
    bench.configure({ far: remote({ headers: { Authorization: 'x' } }) }, direct)
    expect((await bench.sync()).results[0]!.notes).toEqual([expect.stringContaining('headers of far are not written')])
  })
})

const kinds: Record<string, string> = {
  claude: 'c.json',
  cursor: 'cu.json',
  'claude-desktop': 'cd.json',
  copilot: 'co.json',
  crush: 'cr.json',
  forge: 'f.json',
  gemini: 'g.json',
  qwen: 'q.json',
  opencode: 'o.json',
  kilo: 'k.jsonc',
  codex: 'x.toml',
  kimi: 'ki.json',
  hermes: 'h.yaml',
  'local-agent': 'l.yaml',
  vscode: 'v.json',
  windsurf: 'w.json',
  zed: 'z.json',
}

describe('sync in every format', () => {
  const agentsOf = (bench: ReturnType<typeof syncBench>) =>
    Object.fromEntries(
      Object.entries(kinds).map(([type, file]) => [type, { type, path: bench.file(file), mode: 'direct' as const }]),
    )

  it('converges: local and remote servers, synced twice, have no second plan', async () => {
    using bench = syncBench()
    const servers = {
      near: inert({ args: ['-v'], env: { K: 'v' } }),
      far: remote(),
      stream: remote({ transport: 'sse' }),
    }
    bench.configure(servers, agentsOf(bench))
    const first = await bench.sync({ write: true })
    expect([first.code, first.results.every((result) => result.applied)]).toEqual([0, true])
    const second = await bench.sync()
    expect(second.results.flatMap((result) => result.changes)).toEqual([])
    bench.configure({}, agentsOf(bench))
    const removed = await bench.sync({ write: true })
    expect(removed.results.every((result) => result.changes.length === 3)).toBe(true)
    expect(parseYaml(bench.read('l.yaml'))).toEqual({ servers: [] })
    expect(parseToml(bench.read('x.toml'))).toEqual({})
  })

  it('writes one command list and `environment` where the client wants that', async () => {
    using bench = syncBench()
    bench.configure({ atlas: inert({ args: ['-v'], env: { K: 'v' } }) }, agentsOf(bench))
    await bench.sync({ write: true })
    for (const kind of ['opencode', 'kilo']) {
      expect(bench.json(kinds[kind]!)['mcp']!['atlas']).toEqual({
        type: 'local',
        command: ['true', '-v'],
        environment: { K: 'v' },
      })
    }
    expect(parseYaml(bench.read('l.yaml'))).toEqual({
      servers: [{ name: 'atlas', command: 'true', args: ['-v'], env: ['K=v'] }],
    })
  })

  it('names the transport by key in Gemini and Qwen', async () => {
    using bench = syncBench()
    bench.configure({ h: remote(), s: remote({ transport: 'sse' }) }, agentsOf(bench))
    await bench.sync({ write: true })
    for (const kind of ['gemini', 'qwen']) {
      expect(bench.json(kinds[kind]!)['mcpServers']).toEqual({
        h: { httpUrl: 'http://127.0.0.1:9/mcp' },
        s: { url: 'http://127.0.0.1:9/mcp' },
      })
    }
  })
})

describe('sync names what it cannot do and goes on', () => {
  it('skips disabled agents and reports unknown names and kinds', async () => {
    using bench = syncBench()
    bench.configure({}, { off: { disabled: true }, odd: { type: 'notepad' }, good: {} })
    const { code, results } = await bench.sync({ agents: ['off', 'odd', 'nobody', 'good'], write: true })
    expect(code).toBe(1)
    expect(results.map((result) => [result.skipped, result.error?.slice(0, 30), result.applied])).toEqual([
      ['it is disabled', undefined, false],
      [undefined, '"notepad" is no kind of agent;', false],
      [undefined, 'there is no agent of that name', false],
      [undefined, undefined, true],
    ])
  })

  it('leaves a broken file untouched and names its place', async () => {
    using bench = syncBench()
    bench.configure({}, { a: {} })
    bench.put('a.json', '{"x": }')
    const { results } = await bench.sync({ write: true })
    expect(results[0]!.error).toContain('a.json: line 1, column 7: a value is expected here')
    expect(bench.read('a.json')).toBe('{"x": }')
  })

  it('makes a missing folder, privately', async () => {
    using bench = syncBench()
    bench.configure({}, { a: { path: '~/new/folder/c.json' } })
    expect((await bench.sync({ write: true })).results[0]!.applied).toBe(true)
    expect(bench.json('home/new/folder/c.json')['mcpServers']!['hubu']!['command']).toBe(nodePath)
  })
})
