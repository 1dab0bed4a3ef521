import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clients } from '../../src/client-configs/clients/client-list.ts'
import { type InitOptions } from '../../src/client-configs/init/command.ts'
import { randomJson } from '../documents/random-json.ts'
import { randomToml } from '../documents/random-toml.ts'
import { randomYaml } from '../documents/random-yaml.ts'
import { workbench } from './workbench.ts'

const randomFiles = { json: randomJson(false), jsonc: randomJson(true), toml: randomToml(), yaml: randomYaml() }
const config = '.codex/config.toml'
const write: InitOptions = { client: 'codex', write: true }
const undo: InitOptions = { client: 'codex', undo: true, write: true }

describe('init --undo', () => {
  it.each(clients.map((client) => [client.name, client] as const))(
    'gives random %s files their bytes back',
    async (_, client) => {
      await fc.assert(
        fc.asyncProperty(randomFiles[client.format.name], async ({ text }) => {
          using bench = workbench()
          const name = path.relative(bench.home, client.files(bench.environment, 'user')[0]!)
          bench.put(name, text)
          const written = await bench.init({ client: client.name, write: true })
          expect(written).toMatchObject({ code: 0, err: '' })
          expect(bench.read(name)).not.toBe(text)
          expect((await bench.init({ client: client.name, undo: true, write: true })).code).toBe(0)
          expect(bench.read(name)).toBe(text)
        }),
        { numRuns: 10, seed: 31 },
      )
    },
  )

  it('removes only our entry when the user added a server since, and says so', async () => {
    using bench = workbench()
    bench.put(config, '# mine\na = 1\n')
    await bench.init(write)
    bench.put(config, bench.read(config) + '\n[mcp_servers.theirs]\ncommand = "x" # c\n')
    const { code, out } = await bench.init(undo)
    expect(code).toBe(0)
    expect(out).toContain('had changed since init; our part of it is removed')
    expect(bench.read(config)).toBe('# mine\na = 1\n\n[mcp_servers.theirs]\ncommand = "x" # c\n')
  })

  it('leaves and names a value of ours that the user edited; --force removes it', async () => {
    using bench = workbench()
    bench.put(config, 'a = 1\n')
    await bench.init(write)
    bench.put(config, bench.read(config).replace('tool_timeout_sec = 60', 'tool_timeout_sec = 600'))
    const left = await bench.init(undo)
    expect(left.code).toBe(0)
    expect(left.out).toContain('left: mcp_servers.hubu.tool_timeout_sec (you edited it; --force removes it)')
    expect(bench.read(config)).toContain('tool_timeout_sec = 600')
    expect((await bench.init({ ...undo, force: true })).code).toBe(0)
    expect(bench.read(config)).toBe('a = 1\n')
    expect((await bench.init(undo)).out).toBe('nothing to undo\n')
  })

  it('names what the user added inside of our entry and what goes with it', async () => {
    using bench = workbench()
    bench.put(config, 'a = 1\n')
    await bench.init(write)
    bench.put(config, bench.read(config).replace('[mcp_servers.hubu]\n', '[mcp_servers.hubu]\nenabled = false\n'))
    const { out } = await bench.init(undo)
    expect(out).toContain('removed with our entry: mcp_servers.hubu.enabled')
    expect(bench.read(config)).toBe('a = 1\n')
    expect(bench.names('.codex').filter((name) => name.includes('.bak-'))).toHaveLength(2)
  })

  it('removes file and folders that we made; a folder with something else in it stays', async () => {
    using bench = workbench()
    await bench.init({ client: 'claude', write: true })
    expect(bench.names('.')).toEqual(['.claude', '.claude.json'])
    await bench.init({ client: 'claude', undo: true, write: true })
    expect(bench.names('.')).toEqual([])

    await bench.init(write)
    bench.put('.codex/theirs', '')
    expect((await bench.init(undo)).out).toContain('was made by init and is removed')
    expect(bench.names('.codex')).toEqual(['theirs'])
  })

  it('has nothing to do the second time, nor without anything before', async () => {
    using bench = workbench()
    expect(await bench.init(undo)).toEqual({ code: 0, out: 'nothing to undo\n', err: '' })
    await bench.init(write)
    await bench.init(undo)
    expect(await bench.init(undo)).toEqual({ code: 0, out: 'nothing to undo\n', err: '' })
  })

  it('leads back over several set-ups in a row', async () => {
    using bench = workbench()
    bench.put(config, '# mine\n')
    for (const port of [1, 2, 3]) await bench.init({ ...write, hubu: `http://127.0.0.1:${port}` })
    expect((await bench.init(undo)).out).toContain('has its former bytes again')
    expect(bench.read(config)).toBe('# mine\n')
  })

  it('says when the file is gone', async () => {
    using bench = workbench()
    await bench.init(write)
    rmSync(path.join(bench.home, config))
    expect((await bench.init(undo)).out).toContain('is not there any more')
    expect((await bench.init(undo)).out).toBe('nothing to undo\n')
  })

  it('brings an entry back that was taken over with --force', async () => {
    using bench = workbench()
    const theirs = '[mcp_servers.hubu]\ncommand = "theirs"\nargs = ["x"]\n'
    bench.put(config, theirs)
    await bench.init({ ...write, force: true })
    bench.put(config, bench.read(config) + '# later\n')
    await bench.init(undo)
    expect(bench.read(config)).toBe(theirs + '# later\n')
  })

  it('keeps allow rules that were there before, and lists them only once', async () => {
    using bench = workbench()
    const before = '{\n  "permissions": {\n    "allow": [\n      "mcp__hubu__hubu_health"\n    ]\n  }\n}\n'
    bench.put('.claude/settings.json', before)
    await bench.init({ client: 'claude', write: true })
    const { permissions } = JSON.parse(bench.read('.claude/settings.json')) as { permissions: { allow: string[] } }
    expect(permissions.allow.filter((rule) => rule === 'mcp__hubu__hubu_health')).toHaveLength(1)
    // The user adds a rule of their own meanwhile, so that undo goes element by element.
    const edited = bench
      .read('.claude/settings.json')
      .replace('"mcp__hubu__hubu_health"', '"Bash(ls)",\n      "mcp__hubu__hubu_health"')
    bench.put('.claude/settings.json', edited)
    await bench.init({ client: 'claude', undo: true, write: true })
    expect(bench.read('.claude/settings.json')).toBe(
      before.replace('"mcp__hubu__hubu_health"', '"Bash(ls)",\n      "mcp__hubu__hubu_health"'),
    )
  })

  it('of two scopes in one file takes back each for itself, in either order', async () => {
    for (const order of [['user', 'local'] as const, ['local', 'user'] as const]) {
      using bench = workbench()
      const ours = (scope: 'user' | 'local') => {
        const { mcpServers, projects } = JSON.parse(bench.read('.claude.json')) as {
          mcpServers?: object
          projects?: Record<string, { mcpServers?: object }>
        }
        return scope === 'user' ? mcpServers : projects?.[bench.cwd]?.mcpServers
      }
      const text = '{"numStartups": 1}\n'
      bench.put('.claude.json', text)
      for (const scope of ['user', 'local'] as const) await bench.init({ client: 'claude', scope, write: true })
      expect([ours('user'), ours('local')]).toMatchObject([{ hubu: {} }, { hubu: {} }])
      const [first, second] = order
      await bench.init({ client: 'claude', scope: first, undo: true, write: true })
      expect([ours(first), ours(second)]).toMatchObject([undefined, { hubu: {} }])
      await bench.init({ client: 'claude', scope: second, undo: true, write: true })
      expect(JSON.parse(bench.read('.claude.json'))).toEqual(JSON.parse(text))
    }
  })

  it('works in a project without touching what was set up for the user', async () => {
    using bench = workbench()
    await bench.init(write)
    const user = bench.read(config)
    await bench.init({ ...write, scope: 'project' })
    await bench.init({ ...undo, scope: 'project' })
    expect(bench.read(config)).toBe(user)
    expect(bench.exists(path.relative(bench.home, path.join(bench.cwd, '.codex')))).toBe(false)
  })
})

describe('a journal that cannot be written', () => {
  it('stops a set-up before anything is changed', async () => {
    using bench = workbench()
    bench.put(config, '# mine\n')
    mkdirSync(bench.environment.dataFolder)
    writeFileSync(path.join(bench.environment.dataFolder, 'clients'), 'in the way')
    const { code, err } = await bench.init(write)
    expect([code, err.includes('our own file')]).toEqual([1, true])
    expect(bench.read(config)).toBe('# mine\n')
  })

  it('and one that is damaged is named, not forgotten', async () => {
    using bench = workbench()
    await bench.init(write)
    writeFileSync(path.join(bench.environment.dataFolder, 'clients', 'codex.json'), '{')
    const { code, err } = await bench.init(undo)
    expect([code, err.includes('codex.json is damaged')]).toEqual([1, true])
  })
})
