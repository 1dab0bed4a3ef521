import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { bundlePath, nodePath, workbench } from './workbench.ts'

const config = '.codex/config.toml'
const others = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y" # why\n\n\n'

/** The text without what was added to it, when something was added at one place only. */
function withoutAddition(before: string, after: string): string {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  return after.slice(0, start) + after.slice(after.length - (before.length - start))
}

describe('init codex', () => {
  it('writes a private file in a private folder, with an absolute state path', async () => {
    using bench = workbench()
    const { code, out } = await bench.init({ client: 'codex', write: true })
    expect(code).toBe(0)
    expect([bench.mode(config), bench.mode('.codex')]).toEqual(['600', '700'])
    const { mcp_servers: servers } = parse(bench.read(config)) as {
      mcp_servers: Record<string, Record<string, unknown>>
    }
    expect(servers['hubu']).toMatchObject({
      command: nodePath,
      args: [bundlePath],
      startup_timeout_sec: 10,
      tool_timeout_sec: 60,
    })
    const env = servers['hubu']!['env'] as Record<string, string>
    expect(env).toEqual({
      HUBU_UNIFIED_HUBU_ENDPOINT: 'http://127.0.0.1:8787',
      HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE: bench.token,
      HUBU_UNIFIED_OPERATION_STATE_PATH: expect.stringMatching(
        /^\/.*\/data\/[0-9a-f]{16}\/operations\.sqlite3$/,
      ) as string,
    })
    expect(out).toContain('Restart Codex')
  })

  it('previews without --write: file and entry are named, nothing exists', async () => {
    using bench = workbench()
    const { code, out } = await bench.init({ client: 'codex' })
    expect(code).toBe(0)
    expect(out).toContain(path.join(bench.home, config))
    expect(out).toContain('+[mcp_servers.hubu]')
    expect(out).toMatch(/nothing written; add --write\n$/)
    expect(bench.names('.')).toEqual([])
  })

  it('takes a yes on a terminal for --write, and anything else for a no', async () => {
    using bench = workbench()
    const no = await bench.init({ client: 'codex' }, { answer: '\n' })
    expect([no.code, bench.exists(config)]).toEqual([0, false])
    const yes = await bench.init({ client: 'codex' }, { answer: 'y\n' })
    expect([yes.code, bench.exists(config)]).toEqual([0, true])
  })

  it('writes nothing the second time, not even a backup', async () => {
    using bench = workbench()
    await bench.init({ client: 'codex', write: true })
    const before = statSync(path.join(bench.home, config))
    const { code, out } = await bench.init({ client: 'codex', write: true })
    expect([code, out]).toEqual([0, `already set up: ${path.join(bench.home, config)}\n`])
    expect(statSync(path.join(bench.home, config)).ino).toBe(before.ino)
    expect(bench.names('.codex')).toEqual(['config.toml'])
  })

  it('keeps every other byte and backs the old ones up', async () => {
    using bench = workbench()
    bench.put(config, others)
    await bench.init({ client: 'codex', write: true })
    expect(withoutAddition(others, bench.read(config))).toBe(others)
    expect(bench.names('.codex')).toEqual(['config.toml', 'config.toml.bak-20260102-030400'])
    expect(bench.read('.codex/config.toml.bak-20260102-030400')).toBe(others)
  })

  it('keeps CRLF, and a second run changes nothing', async () => {
    using bench = workbench()
    const before = others.replaceAll('\n', '\r\n')
    bench.put(config, before)
    await bench.init({ client: 'codex', write: true })
    const after = bench.read(config)
    expect(withoutAddition(before, after)).toBe(before)
    expect(after.replaceAll('\r\n', '')).not.toContain('\n')
    await bench.init({ client: 'codex', write: true })
    expect(bench.read(config)).toBe(after)
  })

  it('keeps a byte order mark with CRLF, and gives a new file none', async () => {
    using bench = workbench()
    const before = '\uFEFF{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n'
    bench.put('.cursor/mcp.json', before)
    await bench.init({ client: 'cursor', write: true })
    const after = bench.read('.cursor/mcp.json')
    expect(withoutAddition(before, after)).toBe(before)
    expect(after.replaceAll('\r\n', '')).not.toContain('\n')
    await bench.init({ client: 'gemini', write: true })
    expect(bench.read('.gemini/settings.json').startsWith('{')).toBe(true)
  })

  it('keeps mixed line ends where they are', async () => {
    using bench = workbench()
    const before = 'a = 1\r\nb = 2\n# c\r\n[x]\ny = 1\n'
    bench.put(config, before)
    await bench.init({ client: 'codex', write: true })
    expect(withoutAddition(before, bench.read(config))).toBe(before)
  })

  it.each(['640', '600'])('keeps the file mode %s, and a backup is never more open than 600', async (mode) => {
    using bench = workbench()
    chmodSync(bench.put(config, others), parseInt(mode, 8))
    await bench.init({ client: 'codex', write: true })
    expect(bench.mode(config)).toBe(mode)
    expect(bench.mode('.codex/config.toml.bak-20260102-030400')).toBe('600')
  })

  it('follows a link: it stays, its target changes, the temporary file lies beside the target', async () => {
    using bench = workbench()
    const target = bench.put('dotfiles/codex.toml', others)
    mkdirSync(path.join(bench.home, '.codex'))
    symlinkSync('../dotfiles/codex.toml', path.join(bench.home, config))
    const seen: string[] = []
    const onStep = (step: string): void => void (step === 'temporary-written' && seen.push(...bench.names('dotfiles')))
    const { code } = await bench.init({ client: 'codex', write: true }, { onStep })
    expect(code).toBe(0)
    expect(readlinkSync(path.join(bench.home, config))).toBe('../dotfiles/codex.toml')
    expect(readFileSync(target, 'utf8')).toContain('[mcp_servers.hubu]')
    expect(seen.some((name) => name.endsWith('.tmp'))).toBe(true)
    expect(bench.names('.codex')).toEqual(['config.toml'])
  })
})

describe('init tells', () => {
  it('the plan as data with --json, before and after writing', async () => {
    using bench = workbench()
    const file = bench.put(config, others)
    const preview = JSON.parse((await bench.init({ client: 'codex', json: true })).out) as Record<string, unknown>
    expect(preview).toMatchObject({
      plan_id: expect.stringMatching(/^plan_\d{19}_codex$/) as string,
      ...{ agent: 'codex', kind: 'codex', scope: 'user', path: file, applied: false, trusted: false },
      changes: [{ server: 'hubu', action: 'add' }],
      files: [{ path: file, created: false }],
    })
    const written = JSON.parse((await bench.init({ client: 'codex', json: true, write: true })).out) as Record<
      string,
      unknown
    >
    expect(written).toMatchObject({ applied: true, files: [{ backup: expect.stringContaining('.bak-') as string }] })
    const again = JSON.parse((await bench.init({ client: 'codex', json: true, write: true })).out) as Record<
      string,
      unknown
    >
    expect(again).toMatchObject({ applied: false, changes: [{ server: 'hubu', action: 'unchanged' }] })
    const undone = JSON.parse(
      (await bench.init({ client: 'codex', json: true, undo: true, write: true })).out,
    ) as object
    expect(undone).toEqual({ undone: [{ kind: 'restored', path: file }] })
  })

  it('nothing with --quiet', async () => {
    using bench = workbench()
    expect(await bench.init({ client: 'codex', quiet: true, write: true })).toEqual({ code: 0, out: '', err: '' })
  })

  it('when results may be larger than what the client takes', async () => {
    using bench = workbench()
    const { out } = await bench.init({ client: 'gemini' }, { responseBudgetBytes: () => 65_536 })
    expect(out).toContain('response_budget is 65536 bytes, but Gemini CLI cuts results at about 40000 characters.')
  })
})

describe('init refuses, and leaves the file as it is', () => {
  it('a link to nowhere', async () => {
    using bench = workbench()
    mkdirSync(path.join(bench.home, '.codex'))
    symlinkSync('nowhere.toml', path.join(bench.home, config))
    const { code, err } = await bench.init({ client: 'codex', write: true })
    expect([code, err]).toEqual([
      1,
      `hubu-unified-mcp: ${bench.home}/${config} is a link to a file that does not exist; it was left as it is\n`,
    ])
    expect(bench.names('.codex')).toEqual(['config.toml'])
  })

  it('a file with two names', async () => {
    using bench = workbench()
    const file = bench.put(config, others)
    linkSync(file, path.join(bench.home, 'other-name'))
    const { code, err } = await bench.init({ client: 'codex', write: true })
    expect(code).toBe(1)
    expect(err).toContain(`${file} has 2 names`)
    expect(bench.read(config)).toBe(others)
  })

  it('a folder that may not be written', async () => {
    using bench = workbench()
    bench.put(config, others)
    const folder = path.join(bench.home, '.codex')
    const { code, err } = await asOrdinaryUser(bench.path, async () => {
      chmodSync(folder, 0o500)
      const outcome = await bench.init({ client: 'codex', write: true })
      chmodSync(folder, 0o700)
      return outcome
    })
    expect(code).toBe(1)
    expect(err).toContain('cannot be written: permission denied')
    expect([bench.read(config), bench.names('.codex')]).toEqual([others, ['config.toml']])
  })

  it.each([
    ['codex', config, 'a = 1\nb =\n', 'line 2, column 4: a value is missing here'],
    ['cursor', '.cursor/mcp.json', '{\n  "mcpServers": {\n}\n', 'line 4, column 1: a closing brace is missing'],
    ['hermes', '.hermes/config.yaml', 'a:\n\tb: 1\n', 'line 2, column 1'],
  ])('broken %s files, with line and column', async (client, name, text, message) => {
    using bench = workbench()
    const file = bench.put(name, text)
    const { code, err } = await bench.init({ client, write: true })
    expect(code).toBe(1)
    expect(err).toContain(`${file}: ${message}`)
    expect([bench.read(name), bench.names(path.dirname(name))]).toEqual([text, [path.basename(name)]])
  })

  it('a section that stands twice, naming both places', async () => {
    using bench = workbench()
    bench.put('.cursor/mcp.json', '{"mcpServers": {},\n "mcpServers": {}}')
    const { code, err } = await bench.init({ client: 'cursor', write: true })
    expect(code).toBe(1)
    expect(err).toContain('mcpServers stands twice: line 1, column 2 and line 2, column 2')
  })

  it.each([
    ['invalid UTF-8', Buffer.from('a = "\xff"\n', 'latin1'), 'is not UTF-8 (byte offset 5)'],
    ['UTF-16', Buffer.from('\uFEFFa = 1\n', 'utf16le'), 'is UTF-16'],
    ['a NUL byte', Buffer.from('a = 1\0\n'), 'holds a NUL byte (byte offset 5)'],
  ])('%s', async (_, bytes, message) => {
    using bench = workbench()
    const file = bench.put(config, '')
    writeFileSync(file, bytes)
    const { code, err } = await bench.init({ client: 'codex', write: true })
    expect(code).toBe(1)
    expect(err).toContain(message)
    expect(readFileSync(file)).toEqual(bytes)
  })

  it('a folder in the place of the file', async () => {
    using bench = workbench()
    mkdirSync(path.join(bench.home, config), { recursive: true })
    const { code, err } = await bench.init({ client: 'codex', write: true })
    expect([code, err.includes('is not a regular file')]).toEqual([1, true])
  })
})

/** Root may write anywhere, so a test of permissions gives its rights up for a moment. */
async function asOrdinaryUser<T>(folder: string, run: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return run()
  const own = (at: string, uid: number): void => {
    chownSync(at, uid, uid)
    if (lstatSync(at).isDirectory()) for (const name of readdirSync(at)) own(path.join(at, name), uid)
  }
  own(folder, 65534)
  process.seteuid!(65534)
  try {
    return await run()
  } finally {
    process.seteuid!(0)
  }
}
