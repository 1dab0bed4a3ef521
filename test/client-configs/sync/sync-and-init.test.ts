// What `sync` writes is what `init` writes, and each knows the other's entries.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { approvalLists } from '../../../src/client-configs/entry/approval-lists.ts'
import { type InitOptions, runInit } from '../../../src/client-configs/init/command.ts'
import { openJournals } from '../../../src/client-configs/journal/journal.ts'
import { askTools, bundlePath, contractSurface, nodePath, surroundings } from '../workbench.ts'
import { inert, syncBench } from './sync-bench.ts'

type Bench = ReturnType<typeof syncBench>

/** Runs `init` on the machine of a sync bench. */
async function init(bench: Bench, options: InitOptions): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' }
  const streams = {
    stdin: Readable.from([]),
    stdout: { write: (text: string) => (said.out += text) },
    stderr: { write: (text: string) => (said.err += text) },
    isTTY: false,
  }
  const program = {
    nodePath,
    bundlePath,
    packageName: 'hubu-unified-mcp',
    version: '1.2.3',
    temporaryFolder: '/nowhere',
  }
  const code = await runInit(options, streams, bench.environment, {
    program,
    approvalLists: () => approvalLists(contractSurface),
    ...surroundings,
    now: new Date(bench.clock.now++),
  })
  return { code, ...said }
}

const codexFile = (bench: Bench) => bench.file('home/.codex/config.toml')
const codexEntry = (bench: Bench) =>
  (parseToml(bench.read('home/.codex/config.toml')) as { mcp_servers: Record<string, Record<string, unknown>> })
    .mcp_servers
const envOf = (bench: Bench) => codexEntry(bench)['hubu']!['env'] as Record<string, string>

function withCodex(bench: Bench, more: object = {}): void {
  bench.configure({ atlas: inert() }, { codex: { type: 'codex', path: '~/.codex/config.toml', ...more } })
}

describe('sync renders approvals as init does', () => {
  it.each(['codex', 'claude', 'gemini', 'opencode', 'kimi'])(
    'for %s: the same bytes in the same files',
    async (type) => {
      using bySync = syncBench()
      using byInit = syncBench()
      const files = ['.codex/config.toml', '.claude.json', '.claude/settings.json', '.gemini/settings.json']
      files.push('.gemini/policies/hubu-unified-mcp.toml', '.config/opencode/opencode.json', '.kimi-code/mcp.json')
      const usual: Record<string, string> = {
        ...{ codex: '.codex/config.toml', claude: '.claude.json', gemini: '.gemini/settings.json' },
        ...{ opencode: '.config/opencode/opencode.json', kimi: '.kimi-code/mcp.json' },
      }
      bySync.configure({}, { a: { type, path: `~/${usual[type]}` } })
      expect(await bySync.sync({ write: true })).toMatchObject({ code: 0, err: '' })
      expect(await init(byInit, { client: type, config: byInit.configFile, write: true })).toMatchObject({
        code: 0,
        err: '',
      })
      const written = (bench: Bench) =>
        files
          .filter((file) => existsSync(bench.file(`home/${file}`)))
          .map((file) => [file, bench.read(`home/${file}`).replaceAll(bench.path, '')])
      expect(written(bySync)).toEqual(written(byInit))
      expect(written(bySync).length).toBeGreaterThan(0)
    },
  )

  it('takes the flags of init: the sandbox, trust, guarded identity', async () => {
    using bench = syncBench()
    withCodex(bench)
    await bench.sync({ write: true, sandbox: true, trustClientApproval: true })
    expect(codexEntry(bench)['hubu']!['args']).toContain('sandbox')
    expect(envOf(bench)).toMatchObject({ HUBU_MCP_TRUST_CLIENT_APPROVAL: '1' })
    bench.configure({}, { cursor: { type: 'cursor', path: '~/.cursor/mcp.json' } })
    const native = await bench.sync({ write: true, trustClientApproval: true })
    expect([native.code, native.results[0]!.error]).toEqual([1, expect.stringContaining('--i-know-the-client-asks')])
    expect(existsSync(bench.file('home/.cursor/mcp.json'))).toBe(false)
    await bench.sync({ write: true, guardedIdentity: true })
    expect(bench.read('home/.cursor/mcp.json')).toContain('"HUBU_UNIFIED_PRINCIPAL": "cursor"')
  })

  it('refuses trust to a client that would not ask, as init does', async () => {
    using bench = syncBench()
    bench.put('home/.codex/config.toml', 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n')
    withCodex(bench)
    const { code, results } = await bench.sync({ write: true, trustClientApproval: true })
    expect([code, results[0]!.error]).toEqual([1, expect.stringContaining('not trusted, nothing written')])
    expect(bench.read('home/.codex/config.toml')).not.toContain('hubu')
  })
})

describe('a rollback of approvals and entry', () => {
  const claude = (bench: Bench) => bench.configure({}, { a: { type: 'claude', path: '~/.claude.json' } })
  const settings = 'home/.claude/settings.json'
  const recorded = (bench: Bench) =>
    openJournals(bench.environment.dataFolder)
      .all()
      .flatMap(({ files }) => files.map(({ path }) => path.replace(`${bench.path}/`, '')))

  it('leaves in the journal what it left in a file that was changed since, so that undo can take it out', async () => {
    using bench = syncBench()
    bench.put(settings, '{}')
    claude(bench)
    const { plan_id: planId } = (await bench.sync({ write: true })).results[0]!
    bench.put(settings, bench.read(settings).replace('{', '{ "mine": 1,'))
    const { out } = await bench.sync({ rollback: planId, json: false })
    expect(out).toContain('was changed since and stays')
    expect(recorded(bench)).toEqual([settings])
    expect((await init(bench, { client: 'claude', undo: true, write: true })).code).toBe(0)
    expect(JSON.parse(bench.read(settings))).toEqual({ mine: 1 })
  })

  it('finds the backups of a plan whose process died after it had replaced the files', async () => {
    using bench = syncBench()
    const before = '{"permissions": {"allow": []}}'
    bench.put(settings, before)
    bench.put('home/.claude.json', '{"x":1}')
    claude(bench)
    const crash = (step: string, file: string): void => {
      if (step === 'replaced' && file === bench.file('home/.claude.json')) throw new Error('power failure')
    }
    await expect(bench.sync({ write: true }, crash)).rejects.toThrow('power failure')
    const { plans } = bench.state.read()
    expect(plans.map(({ backup, others }) => [backup, ...others!.map((other) => other.backup)])).toEqual([
      [expect.stringContaining('.claude.json.bak-'), expect.stringContaining('settings.json.bak-')],
    ])
    await bench.sync({ rollback: plans[0]!.planId })
    expect([bench.read(settings), bench.read('home/.claude.json')]).toEqual([before, '{"x":1}'])
  })
})

describe('sync and a backend', () => {
  it('never writes an entry without one, and says for each agent how to name one', async () => {
    using bench = syncBench()
    rmSync(bench.token)
    bench.configure(
      { atlas: inert() },
      { a: {}, l: { type: 'local-agent', path: bench.file('l.yaml') }, d: { mode: 'direct' } },
    )
    const { code, results } = await bench.sync({ write: true })
    expect([code, results.map(({ applied, error }) => [applied, error?.includes('--sandbox')])]).toEqual([
      1,
      [
        [false, true],
        [false, true],
        [true, undefined],
      ],
    ])
    expect([existsSync(bench.file('a.json')), existsSync(bench.file('l.yaml'))]).toEqual([false, false])
  })

  it('refuses flags that cannot mean anything before it looks at a file', async () => {
    using bench = syncBench()
    bench.configure({}, { a: {} })
    expect((await bench.sync({ write: true, sandbox: true, hubu: 'http://h' })).code).toBe(2)
    expect(existsSync(bench.file('a.json'))).toBe(false)
  })
})

describe('an entry that init made', () => {
  it('is updated by sync, not doubled: backends, trust and identity stay, agent and configuration come', async () => {
    using bench = syncBench()
    const token = bench.file('other.token')
    writeFileSync(token, 'hubu_other-canary\n', { mode: 0o600 })
    const hubu = { hubu: 'http://127.0.0.1:9999', hubuTokenFile: token }
    await init(bench, { client: 'codex', ...hubu, trustClientApproval: true, write: true })
    const before = envOf(bench)
    withCodex(bench, { pin: [] })
    const { code, results } = await bench.sync({ write: true })
    expect([code, results[0]!.changes.map(({ server, action }) => [server, action])]).toEqual([0, [['hubu', 'update']]])
    expect(Object.keys(codexEntry(bench))).toEqual(['hubu'])
    expect(envOf(bench)).toEqual(before)
    expect(codexEntry(bench)['hubu']!['args']).toEqual([bundlePath, '--config', bench.configFile, '--agent', 'codex'])
    expect((await bench.sync({ write: true })).results[0]!.changes).toEqual([])
  })

  it('in the sandbox stays in the sandbox', async () => {
    using bench = syncBench()
    await init(bench, { client: 'codex', sandbox: true, write: true })
    withCodex(bench)
    await bench.sync({ write: true })
    expect(codexEntry(bench)['hubu']!['args']).toEqual([bundlePath, 'sandbox', '--config', bench.configFile])
  })

  it('is as init left it once the plan of sync is rolled back', async () => {
    using bench = syncBench()
    await init(bench, { client: 'claude', sandbox: true, write: true })
    const files = ['home/.claude.json', 'home/.claude/settings.json']
    const read = () => [...files.map((file) => bench.read(file)), openJournals(bench.environment.dataFolder).all()]
    const before = read()
    bench.configure({}, { claude: { type: 'claude', path: '~/.claude.json' } })
    const { results } = await bench.sync({ write: true, trustClientApproval: true })
    expect(results[0]!.applied).toBe(true)
    expect((await bench.sync({ rollback: results[0]!.plan_id })).code).toBe(0)
    expect(read()).toEqual(before)
    await init(bench, { client: 'claude', undo: true, write: true })
    expect(files.map((file) => existsSync(bench.file(file)))).toEqual([false, false])
  })
})

describe('an entry that sync made', () => {
  it('is updated by init without --force, and undone with its rules', async () => {
    using bench = syncBench()
    mkdirSync(bench.file('home/.claude'))
    bench.put('home/.claude/settings.json', '{"permissions": {"allow": ["Bash"]}}')
    bench.configure({}, { claude: { type: 'claude', path: '~/.claude.json' } })
    await bench.sync({ write: true })
    expect(bench.read('home/.claude/settings.json')).toContain(`mcp__hubu__${askTools[0]}`)
    const again = await init(bench, { client: 'claude', sandbox: true, write: true })
    expect([again.code, again.err]).toEqual([0, ''])
    expect(Object.keys(bench.json('home/.claude.json')['mcpServers']!)).toEqual(['hubu'])
    await init(bench, { client: 'claude', undo: true, write: true })
    expect(bench.read('home/.claude/settings.json')).toBe('{"permissions": {"allow": ["Bash"]}}')
    expect(existsSync(bench.file('home/.claude.json'))).toBe(false)
  })

  it('before sync kept a journal is known by what sync remembers', async () => {
    using bench = syncBench()
    withCodex(bench)
    await bench.sync({ write: true })
    rmSync(bench.file('data/clients'), { recursive: true })
    expect(await init(bench, { client: 'codex', sandbox: true, write: true })).toMatchObject({ code: 0, err: '' })
    expect(existsSync(codexFile(bench))).toBe(true)
  })

  it('goes from one mode to the other: copies go when the entry comes', async () => {
    using bench = syncBench()
    withCodex(bench, { mode: 'direct' })
    await bench.sync({ write: true })
    expect(Object.keys(codexEntry(bench))).toEqual(['atlas'])
    withCodex(bench)
    const { results } = await bench.sync({ write: true })
    expect(results[0]!.changes.map(({ server, action }) => [server, action])).toEqual([
      ['atlas', 'remove'],
      ['hubu', 'add'],
    ])
    expect(Object.keys(codexEntry(bench))).toEqual(['hubu'])
    withCodex(bench, { mode: 'direct' })
    await bench.sync({ write: true })
    expect(Object.keys(codexEntry(bench))).toEqual(['atlas'])
  })
})
