import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { bundlePath, nodePath, workbench } from './workbench.ts'

type Bench = ReturnType<typeof workbench>

const program = {
  nodePath,
  bundlePath,
  packageName: 'hubu-unified-mcp',
  version: '1.2.3',
  temporaryFolder: '/nowhere/tmp',
}

interface Entry {
  command: string
  args: string[]
  env: Record<string, string>
}

const codexEntry = (bench: Bench): Entry =>
  (parseToml(bench.read('.codex/config.toml')) as unknown as { mcp_servers: { hubu: Entry } }).mcp_servers.hubu

/** Every file below a folder, as one text. */
function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}

describe('the entry', () => {
  it('starts the sandbox with --sandbox, and names only its registry', async () => {
    using bench = workbench()
    expect((await bench.init({ client: 'codex', write: true, sandbox: true })).code).toBe(0)
    expect(codexEntry(bench)).toMatchObject({
      args: [bundlePath, 'sandbox'],
      env: {
        HUBU_UNIFIED_OPERATION_STATE_PATH: path.join(bench.environment.dataFolder, 'sandbox', 'registry.sqlite3'),
      },
    })
    expect(Object.keys(codexEntry(bench).env)).toHaveLength(1)
  })

  it('carries configuration and agent', async () => {
    using bench = workbench()
    await bench.init({ client: 'codex', write: true, config: 'gateway.yaml', agent: 'tiny' })
    expect(codexEntry(bench).args).toEqual([
      bundlePath,
      '--config',
      path.join(bench.cwd, 'gateway.yaml'),
      '--agent',
      'tiny',
    ])
  })

  it('names a registry for each pair of endpoints', async () => {
    using bench = workbench()
    const state = async (hubu: string): Promise<string> => {
      await bench.init({ client: 'codex', write: true, hubu })
      return codexEntry(bench).env['HUBU_UNIFIED_OPERATION_STATE_PATH']!
    }
    const first = await state('http://127.0.0.1:8787')
    expect(await state('http://127.0.0.1:8787/')).toBe(first)
    expect(await state('http://127.0.0.1:8788')).not.toBe(first)
  })

  it('never holds a token: neither one in the environment nor one in a file', async () => {
    using bench = workbench()
    const env = {
      HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'canary-env',
      HUBU_AUTH_TOKEN: 'canary-env',
      HUBU_RECONCILIATION_TOKEN: 'canary-env',
    }
    bench.environment.env = env
    bench.put('.codex/config.toml', '# mine\n')
    const { out, err } = await bench.init({ client: 'codex', write: true })
    const undone = await bench.init({ client: 'codex', undo: true, write: true })
    expect(
      out + err + undone.out + everythingIn(bench.home) + everythingIn(bench.environment.dataFolder),
    ).not.toContain('canary')
  })

  it('refuses a value that is the content of a token file', async () => {
    using bench = workbench()
    writeFileSync(bench.token, 'tiny\n')
    const { code, err } = await bench.init({ client: 'codex', write: true, agent: 'tiny' })
    expect([code, err]).toEqual([
      1,
      'hubu-unified-mcp: a value of the entry is a token; entries name token files only\n',
    ])
  })

  it('has the right value after parsing, whatever signs a path has', async () => {
    using bench = workbench()
    const odd = `/opt/a b/"q"/back\\slash/ü/$HOME/main.js`
    const { code } = await bench.init({ client: 'codex', write: true }, { program: { ...program, bundlePath: odd } })
    expect([code, codexEntry(bench).args]).toEqual([0, [odd]])
    const cursor = await bench.init({ client: 'cursor', write: true }, { program: { ...program, bundlePath: odd } })
    const { mcpServers } = JSON.parse(bench.read('.cursor/mcp.json')) as { mcpServers: { hubu: Entry } }
    expect([cursor.code, mcpServers.hubu.args]).toEqual([0, [odd]])
  })

  it.each(['gemini', 'qwen', 'claude', 'crush', 'hermes'])(
    'refuses a $ in a path for %s, which would expand it',
    async (client) => {
      using bench = workbench()
      const { code, err } = await bench.init(
        { client, write: true },
        { program: { ...program, bundlePath: '/opt/$x/main.js' } },
      )
      expect([code, err.includes('would expand the value /opt/$x/main.js'), bench.names('.')]).toEqual([1, true, []])
    },
  )

  it('is not written for a program in the npx cache or a temporary folder, except pinned with --via-npx', async () => {
    using bench = workbench()
    for (const fleeting of ['/home/u/.npm/_npx/1a2b/node_modules/x/main.js', '/nowhere/tmp/x/main.js']) {
      const { code, err } = await bench.init(
        { client: 'codex', write: true },
        { program: { ...program, bundlePath: fleeting } },
      )
      expect([code, err.includes('npm install -g hubu-unified-mcp')]).toEqual([1, true])
      expect(err.includes('--via-npx')).toBe(fleeting.includes('_npx'))
    }
    const refused = await bench.init({ client: 'codex', write: true, viaNpx: true })
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('whether npx could fetch')])
    const fetched = { ...program, bundlePath: '/home/u/.npm/_npx/1a2b/node_modules/x/main.js' }
    await bench.init({ client: 'codex', write: true, viaNpx: true }, { program: fetched })
    expect(codexEntry(bench)).toMatchObject({ command: 'npx', args: ['-y', 'hubu-unified-mcp@1.2.3'] })
    bench.environment.platform = 'win32'
    const { out } = await bench.init(
      {
        client: 'cursor',
        viaNpx: true,
        hubu: undefined,
        hubuTokenFile: undefined,
        sandbox: true,
      },
      { program: fetched },
    )
    expect(out).toContain('"command": "cmd"')
    expect(out).toContain('"/c"')
  })
})

describe('the connection', () => {
  it('is a local Hubu whose token file exists, with its reconciliation file', async () => {
    using bench = workbench()
    bench.put('.hubu/hubu.auth-token', 'x\n')
    bench.put('.hubu/hubu.reconciliation-token', 'y\n')
    await bench.init({ client: 'codex', write: true, hubu: undefined, hubuTokenFile: undefined })
    expect(codexEntry(bench).env).toMatchObject({
      HUBU_UNIFIED_HUBU_ENDPOINT: 'http://127.0.0.1:8787',
      HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE: path.join(bench.home, '.hubu/hubu.auth-token'),
      HUBU_RECONCILIATION_TOKEN_FILE: path.join(bench.home, '.hubu/hubu.reconciliation-token'),
    })
  })

  it('is not invented: without a stack nothing is created, and the sandbox is offered', async () => {
    using bench = workbench()
    const { code, err } = await bench.init({ client: 'codex', write: true, hubu: undefined, hubuTokenFile: undefined })
    expect(code).toBe(1)
    expect(err).toContain('--sandbox')
    expect(bench.names('.')).toEqual([])
  })

  it.each([
    ['token file', 'no Hubu was found'],
    ['stack profile', 'is not an existing folder'],
  ])('is not found where links to a %s lead in a circle, and that is told in words', async (what, message) => {
    using bench = workbench()
    const loop = bench.file('loop')
    symlinkSync(loop, loop)
    bench.environment.env = { HUBU_AUTH_TOKEN_FILE: loop }
    const stackProfile = what === 'stack profile' ? loop : undefined
    const { code, err } = await bench.init({ client: 'codex', hubu: undefined, hubuTokenFile: undefined, stackProfile })
    expect([code, err]).toEqual([1, expect.stringContaining(message)])
  })

  it.each([
    ['is empty', ' \n', 'is blank'],
    ['has two lines', 'a\nb\n', 'holds more than one line'],
    ['is a folder', undefined, 'is not a regular file'],
  ])('refuses a token file that %s, by the name of the setting, never by its content', async (_, text, message) => {
    using bench = workbench()
    const file = bench.file('odd.token')
    if (text === undefined) mkdirSync(file)
    else writeFileSync(file, text)
    const { code, err } = await bench.init({ client: 'codex', hubuTokenFile: file })
    expect([code, err]).toEqual([1, `hubu-unified-mcp: --hubu-token-file: the file ${file} ${message}\n`])
  })

  it('takes a token file with CRLF or open to others, and says the latter', async () => {
    using bench = workbench()
    const file = bench.file('open.token')
    writeFileSync(file, 'secret-canary\r\n', { mode: 0o644 })
    const { code, out } = await bench.init({ client: 'codex', write: true, hubuTokenFile: file })
    expect(code).toBe(0)
    expect(out).toContain(`${file} has mode 0644: other users of this machine may read it. chmod 600 ${file}`)
    expect(out).not.toContain('secret-canary')
  })

  it.each([
    [{ hubu: 'not a url' }, '--hubu must be an absolute http or https URL'],
    [{ hubu: 'http://u:p@h' }, '--hubu must be an absolute http or https URL'],
    [{ gongbu: 'http://h' }, '--gongbu and --gongbu-token-file must be given together'],
    [{ sandbox: true, hubu: 'http://h' }, '--sandbox cannot be combined'],
  ])('refuses %j as wrong arguments', async (flags, message) => {
    using bench = workbench()
    const { code, err } = await bench.init({ client: 'codex', ...flags })
    expect([code, err.includes(message), err.includes('u:p')]).toEqual([2, true, false])
  })
})

describe('init without a client', () => {
  it('lists every client with its state, a broken one with its place', async () => {
    using bench = workbench()
    await bench.init({ client: 'codex', write: true })
    await bench.init({ client: 'gemini', write: true }, { program: { ...program, bundlePath: '/old/main.js' } })
    bench.put('.cursor/mcp.json', '{"mcpServers": {"hubu": {"command": "x"}}}')
    bench.put('.hermes/config.yaml', 'a:\n\tb: 1\n')
    bench.put('.claude.json', '{}')
    const { code, out } = await bench.init({ hubu: undefined, json: true })
    const { clients } = JSON.parse(out) as {
      clients: { name: string; state: string; detail?: string; class: string }[]
    }
    const state = (name: string): string => clients.find((row) => row.name === name)!.state
    expect(code).toBe(0)
    expect(clients).toHaveLength(24)
    expect(['codex', 'gemini', 'cursor', 'hermes', 'claude', 'zed'].map(state)).toEqual([
      'current',
      'outdated',
      'foreign',
      'broken',
      'absent',
      'no file',
    ])
    expect(clients.find((row) => row.name === 'hermes')!.detail).toContain('line 2, column 1')
    const text = (await bench.init({ hubu: undefined })).out
    expect(text).toMatch(/^codex +current +pinned +\/.*config\.toml$/m)
    expect(text).toMatch(/^hermes +broken .*\n +\/.*config\.yaml: line 2, column 1/m)
  })
})

describe('several files could hold the entry', () => {
  const both = ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'] as const

  it('and both have the section: the user must name one', async () => {
    using bench = workbench()
    for (const name of both) bench.put(name, '{"mcp": {}}')
    const { code, err } = await bench.init({ client: 'opencode', write: true })
    expect([code, err.includes('name one with --file')]).toEqual([1, true])
    expect((await bench.init({ client: 'opencode', write: true, file: path.join(bench.home, both[1]) })).code).toBe(0)
    expect(bench.read(both[0])).toBe('{"mcp": {}}')
    expect((await bench.init({ client: 'opencode', write: true })).out).toContain('already set up')
  })

  it('and only one has the section, or only one exists: that one', async () => {
    using bench = workbench()
    bench.put(both[0], '{}')
    bench.put(both[1], '{"mcp": {}}')
    await bench.init({ client: 'opencode', write: true })
    expect([bench.read(both[0]), bench.read(both[1]).includes('"hubu"')]).toEqual(['{}', true])
    bench.put('.config/kilo/kilo.jsonc', '{}')
    await bench.init({ client: 'kilo', write: true })
    expect(bench.names('.config/kilo').filter((name) => !name.includes('.bak-'))).toEqual(['kilo.jsonc'])
  })
})
