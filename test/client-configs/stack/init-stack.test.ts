import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { bundlePath, nodePath, workbench } from '../workbench.ts'
import { renderStack, type StackOptions, writeLauncherState } from './rendered-stack.ts'

type Bench = ReturnType<typeof workbench>

function rendered(bench: Bench, options: StackOptions = {}) {
  const profile = bench.file('stack')
  mkdirSync(profile, { mode: 0o700 })
  return renderStack(profile, options)
}

const entryOf = (bench: Bench): { command: string; args: string[]; env: Record<string, string> } =>
  (parse(bench.read('.codex/config.toml')) as unknown as { mcp_servers: { hubu: never } }).mcp_servers.hubu

/** No token of the profile may appear anywhere. */
const canary = /canary-/

describe('init --stack-profile', () => {
  it('takes endpoints, token files and registry from the handoff, and starts our program, not its own', async () => {
    using bench = workbench()
    const stack = rendered(bench)
    const { code, out } = await bench.init({ client: 'codex', write: true, stackProfile: stack.profile })
    expect(code).toBe(0)
    expect(entryOf(bench)).toMatchObject({
      command: nodePath,
      args: [bundlePath],
      env: {
        HUBU_UNIFIED_HUBU_ENDPOINT: 'http://127.0.0.1:8787',
        HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE: stack.files.auth,
        HUBU_UNIFIED_GONGBU_ENDPOINT: 'http://127.0.0.1:8788',
        HUBU_UNIFIED_GONGBU_BEARER_TOKEN_FILE: stack.files.gongbu,
        HUBU_RECONCILIATION_TOKEN_FILE: stack.files.reconciliation,
        HUBU_UNIFIED_OPERATION_STATE_PATH: stack.statePath,
      },
    })
    expect(out + bench.read('.codex/config.toml')).not.toMatch(canary)
  })

  it('means the default profile when it is the empty text', async () => {
    using bench = workbench()
    const profile = path.join(bench.home, '.config', 'hubu', 'stacks', 'default')
    mkdirSync(profile, { recursive: true, mode: 0o700 })
    renderStack(profile)
    expect((await bench.init({ client: 'codex', write: true, stackProfile: '' })).code).toBe(0)
  })

  it('accepts a handoff of version 1 with our own registry and says so', async () => {
    using bench = workbench()
    const { profile } = rendered(bench, { version: 1 })
    const { code, out } = await bench.init({ client: 'codex', write: true, stackProfile: profile })
    expect(code).toBe(0)
    expect(out).toContain('the handoff is of version 1 and names no registry; ours is used')
    expect(entryOf(bench).env['HUBU_UNIFIED_OPERATION_STATE_PATH']).toMatch(/data\/[0-9a-f]{16}\/operations\.sqlite3$/)
  })

  it('accepts a version 2 without Gongbu', async () => {
    using bench = workbench()
    const { profile } = rendered(bench, { handoff: { gongbu_endpoint: undefined, gongbu_token_file: undefined } })
    expect((await bench.init({ client: 'codex', write: true, stackProfile: profile })).code).toBe(0)
    expect(entryOf(bench).env).not.toHaveProperty('HUBU_UNIFIED_GONGBU_ENDPOINT')
  })

  it.each<[string, StackOptions, string]>([
    ['an unsafe generation', { manifest: { generation: 'generations/../x' } }, 'has a wrong "generation"'],
    ['a generation id that is no digest', { manifest: { generation_id: '../x' } }, 'has a wrong "generation_id"'],
    ['an unknown member of the manifest', { manifest: { extra: 1 } }, 'has an unknown member "extra"'],
    ['an unknown member of the handoff', { handoff: { extra: 1 } }, 'has an unknown member "extra"'],
    ['version 3', { version: 3 }, 'has a wrong "schema_version": it must be 1 or 2'],
    ['a relative token path', { handoff: { hubu_token_file: 'auth' } }, 'has a wrong "hubu_token_file"'],
    ['half a Gongbu', { handoff: { gongbu_token_file: undefined } }, 'lacks "gongbu_token_file"'],
    [
      'plain http to another machine',
      { handoff: { hubu_endpoint: 'http://example.com' } },
      "handoff's hubu_endpoint must be https",
    ],
    [
      'a user in an endpoint',
      { handoff: { hubu_endpoint: 'https://u:p@example.com' } },
      "handoff's hubu_endpoint must be https",
    ],
    [
      'another commit',
      { commit: 'd'.repeat(40) },
      `0.2.0, ${'d'.repeat(40)}, hubu-spend-executor-v4.3), this is (0.2.0, ${'c'.repeat(40)}, hubu-spend-executor-v4.3)`,
    ],
  ])('refuses %s', async (_, options, message) => {
    using bench = workbench()
    const { profile } = rendered(bench, options)
    const { code, out, err } = await bench.init({ client: 'codex', write: true, stackProfile: profile })
    expect(code).toBe(1)
    expect(err).toContain(message)
    expect(out + err).not.toMatch(canary)
    expect(bench.names('.')).toEqual([])
  })

  it('refuses a handoff of which one byte was changed', async () => {
    using bench = workbench()
    const { profile, handoffFile } = rendered(bench)
    writeFileSync(handoffFile, readFileSync(handoffFile, 'utf8').replace('8787', '8797'))
    const { code, err } = await bench.init({ client: 'codex', write: true, stackProfile: profile })
    expect([code, err.includes('digest mismatch')]).toEqual([1, true])
  })

  it('refuses a member that stands twice', async () => {
    using bench = workbench()
    const { profile, manifestFile } = rendered(bench)
    writeFileSync(manifestFile, readFileSync(manifestFile, 'utf8').replace('{', '{ "generation": "x",'))
    const { code, err } = await bench.init({ client: 'codex', write: true, stackProfile: profile })
    expect([code, err.includes('has the member generation twice')]).toEqual([1, true])
  })

  it('refuses files that others can write or read, with the remedy', async () => {
    using bench = workbench()
    const { profile, files, manifestFile } = rendered(bench)
    const run = async (): Promise<string> =>
      (await bench.init({ client: 'codex', write: true, stackProfile: profile })).err
    chmodSync(files.auth, 0o644)
    expect(await run()).toContain(`${files.auth} has mode 0644, which lets others at it. chmod 600 ${files.auth}`)
    chmodSync(files.auth, 0o600)
    chmodSync(manifestFile, 0o664)
    expect(await run()).toContain(`${manifestFile} has mode 0664`)
    chmodSync(manifestFile, 0o600)
    chmodSync(profile, 0o777)
    expect(await run()).toContain(`${profile} has mode 0777`)
  })

  it('refuses a profile of another user', async () => {
    using bench = workbench()
    const { profile } = rendered(bench)
    const stack = { ...context(), uid: (process.getuid?.() ?? 0) + 1 }
    const { code, err } = await bench.init({ client: 'codex', write: true, stackProfile: profile }, { stack })
    expect([code, err.includes('belongs to user')]).toEqual([1, true])
  })

  it('refuses links in the place of its files', async () => {
    using bench = workbench()
    const { profile } = rendered(bench)
    const link = bench.file('linked')
    mkdirSync(path.join(link, 'generated'), { recursive: true, mode: 0o700 })
    symlinkSync(
      path.join(profile, 'generated', 'active-manifest.json'),
      path.join(link, 'generated', 'active-manifest.json'),
    )
    const { code, err } = await bench.init({ client: 'codex', write: true, stackProfile: link })
    expect([code, err.includes('is not a regular file')]).toEqual([1, true])
  })

  it.each([
    [{ applicationId: 0x4855424f, userVersion: 6 }, 'has version 6, this build serves 4 and 5'],
    [{ applicationId: 1, userVersion: 4 }, 'is the database of another program'],
  ])('refuses a registry that is %j', async (marks, message) => {
    using bench = workbench()
    const { profile, statePath } = rendered(bench)
    const stack = { ...context(), inspectRegistry: () => marks }
    const { code, err } = await bench.init({ client: 'codex', write: true, stackProfile: profile }, { stack })
    expect([code, err]).toEqual([1, `hubu-unified-mcp: ${statePath} ${message}\n`])
  })

  it('writes all the same with --allow-incompatible, and says so', async () => {
    using bench = workbench()
    const { profile } = rendered(bench, { commit: 'd'.repeat(40) })
    const { code, out } = await bench.init({
      client: 'codex',
      write: true,
      stackProfile: profile,
      allowIncompatible: true,
    })
    expect([code, out.includes('this build can never become compatible with it')]).toEqual([0, true])
  })

  it('warns about a stopped stack and about sources edited after the render, and writes', async () => {
    using bench = workbench()
    const { profile } = rendered(bench)
    writeFileSync(path.join(profile, 'stack.toml'), 'schema_version = 1\n# edited\n')
    const { code, out } = await bench.init({ client: 'codex', write: true, stackProfile: profile })
    expect(code).toBe(0)
    expect(out).toContain('note: stack.toml of the stack was edited after the last render; render it again')
    expect(out).toContain('is not running: its launcher owns no process')
  })

  it('knows a process that is the recorded one, one that is gone, and one whose id was used again', async () => {
    using bench = workbench()
    const { profile } = rendered(bench)
    writeLauncherState(profile, {
      'hubu-server': { pid: 11, process_identity: 'Mon Jan  1 00:00:00 2026 hubu-server' },
      'gongbu-server': { pid: 12, process_identity: 'Mon Jan 1 00:00:01 2026 gongbu-server' },
    })
    const identities: Record<number, string> = { 11: 'Mon Jan 1 00:00:00 2026 hubu-server', 12: 'Tue Jan 2 editor' }
    const stack = { ...context(), identifyProcess: (pid: number) => identities[pid] }
    const { out } = await bench.init({ client: 'codex', stackProfile: profile }, { stack })
    expect(out).not.toContain('hubu-server of the stack')
    expect(out).toContain(
      'gongbu-server of the stack is not running any more: its process id now belongs to another program',
    )
  })

  it('reports backends that do not answer or do not fit, and writes', async () => {
    using bench = workbench()
    const { profile } = rendered(bench)
    const probe = () =>
      Promise.resolve({
        hubu: { state: 'unreachable' as const, detail: 'connection refused' },
        gongbu: { state: 'incompatible' as const, detail: 'product version 0.1.0' },
      })
    const { code, out } = await bench.init(
      { client: 'codex', write: true, stackProfile: profile },
      { stack: { ...context(), probe } },
    )
    expect(code).toBe(0)
    expect(out).toContain('note: hubu is unreachable: connection refused')
    expect(out).toContain('note: gongbu is incompatible: product version 0.1.0')
  })

  it('reads again when the stack is rendered meanwhile, once', async () => {
    using bench = workbench()
    const { profile } = rendered(bench)
    let renders = 0
    const render = (times: number) => () => {
      if (renders < times) renderStack(profile, { handoff: { hubu_endpoint: `http://127.0.0.1:${9000 + ++renders}` } })
      return Promise.resolve({ hubu: { state: 'compatible' as const, detail: '' } })
    }
    const once = await bench.init(
      { client: 'codex', write: true, stackProfile: profile },
      { stack: { ...context(), probe: render(1) } },
    )
    expect([once.code, entryOf(bench).env['HUBU_UNIFIED_HUBU_ENDPOINT']]).toEqual([0, 'http://127.0.0.1:9001'])
    const always = await bench.init(
      { client: 'codex', write: true, stackProfile: profile },
      { stack: { ...context(), probe: render(99) } },
    )
    expect([always.code, always.err.includes('is being rendered right now')]).toEqual([1, true])
  })

  it.each(['relative/path', '/', '/a/../b'])('does not take %s for a profile', async (stackProfile) => {
    using bench = workbench()
    expect((await bench.init({ client: 'codex', write: true, stackProfile })).code).toBe(2)
  })

  it('cannot be combined with manual flags', async () => {
    using bench = workbench()
    const { profile } = rendered(bench)
    for (const flag of [{ sandbox: true }, { hubu: 'http://x' }, { stateFile: '/s' }]) {
      const { code, err } = await bench.init({ client: 'codex', stackProfile: profile, ...flag })
      expect([code, err.includes('cannot be combined')]).toEqual([2, true])
    }
  })
})

/** What a good machine says. */
function context() {
  return {
    stamp: { productVersion: '0.2.0', sourceCommit: 'c'.repeat(40), executorContract: 'hubu-spend-executor-v4.3' },
    uid: process.getuid?.(),
    inspectRegistry: () => undefined,
    identifyProcess: (): string | undefined => undefined,
    probe: () => Promise.resolve({ hubu: { state: 'compatible' as const, detail: '' } }),
  }
}
