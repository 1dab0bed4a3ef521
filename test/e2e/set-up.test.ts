// The set-up commands of the built bin, in a temporary home, and the servers that their entries start.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askTools, autoTools } from '../client-configs/workbench.ts'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { startRouter } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

/** Runs the bin in a home, with nothing else in its environment. */
function run(home: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const options = { cwd: home, env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home } }
  return new Promise((resolve) => {
    execFile(process.execPath, [built.bin, ...args], options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err })
    }).stdin?.end()
  })
}

interface Entry {
  command: string
  args: string[]
  env?: Record<string, string>
}

/** A client's file with a few things of its own in it, and where our entry is found. */
const clients: { client: string; file: string; before: string; entryOf: (text: string) => unknown }[] = [
  {
    client: 'codex',
    file: '.codex/config.toml',
    before: '# mine\r\nmodel = "o9"   # keep\r\n\r\n[mcp_servers.docs]\r\ncommand = "uvx"\r\n',
    entryOf: (text) => (parseToml(text) as { mcp_servers: { hubu: unknown } }).mcp_servers.hubu,
  },
  {
    client: 'claude',
    file: '.claude.json',
    before: '{"numStartups": 12345678901234567890, "mcpServers": {"docs": {"command": "uvx"}}}',
    entryOf: (text) => (JSON.parse(text) as { mcpServers: { hubu: unknown } }).mcpServers.hubu,
  },
  {
    client: 'cursor',
    file: '.cursor/mcp.json',
    before: '\ufeff{\n\t"mcpServers": {\n\t\t"docs": { "command": "uvx" }\n\t}\n}\n',
    entryOf: (text) => (JSON.parse(text.replace('\ufeff', '')) as { mcpServers: { hubu: unknown } }).mcpServers.hubu,
  },
  {
    client: 'hermes',
    file: '.hermes/config.yaml',
    before: '# mine\nmodel: x   # keep\nmcp_servers:\n    docs: {command: uvx}\n',
    entryOf: (text) => (parseYaml(text) as { mcp_servers: { hubu: unknown } }).mcp_servers.hubu,
  },
]

describe.each(clients)('the bin sets up $client', ({ client, file, before, entryOf }) => {
  it('shows, writes and takes back, byte for byte; the written command starts a sandbox that answers', async () => {
    using folder = tempFolder()
    const home = folder.path
    const target = folder.file(file)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, before)

    const preview = await run(home, 'init', client, '--sandbox')
    expect(preview).toMatchObject({ code: 0, err: '' })
    expect(preview.out).toContain('nothing written; add --write')
    expect(readFileSync(target, 'utf8')).toBe(before)

    expect(await run(home, 'init', client, '--sandbox', '--write')).toMatchObject({ code: 0, err: '' })
    const entry = entryOf(readFileSync(target, 'utf8')) as Entry
    expect([entry.command, entry.args]).toEqual([process.execPath, [built.bin, 'sandbox']])
    expect((await run(home, 'init', client, '--sandbox', '--write')).out).toContain('already set up')

    const [bin, ...args] = entry.args
    using router = startRouter(bin!, { PATH: process.env.PATH ?? '', HOME: home, ...entry.env }, args)
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    await router.request('initialize', params)
    const names = (await router.request('tools/list')).result!.tools!.map(({ name }) => name)
    expect(names.toSorted()).toEqual([...autoTools, 'get_result', ...askTools].toSorted())
    expect((await router.callTool('hubu_list_budgets')).result).toMatchObject({ structuredContent: expect.anything() })
    const refused = await router.callTool('hubu_create_budget', { amount_cents: 100 })
    expect(refused.error!.data!.code).toBe('approval_gate_required')
    await router.end()

    expect(await run(home, 'init', '--undo', client, '--write')).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(target, 'utf8')).toBe(before)
  })
})

describe('the bin with a client that asks a person', () => {
  it.each(['codex', 'claude'])('trusts %s, and its server runs protected tools', async (client) => {
    using folder = tempFolder()
    const { file, entryOf } = clients.find((each) => each.client === client)!
    expect((await run(folder.path, 'init', client, '--sandbox', '--write', '--trust-client-approval')).code).toBe(0)
    const { args, env } = entryOf(readFileSync(folder.file(file), 'utf8')) as Entry
    using router = startRouter(args[0]!, { PATH: process.env.PATH ?? '', HOME: folder.path, ...env }, args.slice(1))
    await router.request('initialize')
    const made = await router.callTool('hubu_register_human', { username: 'somebody' })
    expect(made.error).toBeUndefined()
    expect(made.result).toMatchObject({ structuredContent: { username: 'somebody' } })
    await router.end()
  })

  it('says in the exit code what went wrong: 2 for a wrong use, 1 for what it may not do', async () => {
    using folder = tempFolder()
    const home = folder.path
    mkdirSync(folder.file('.cursor'))
    writeFileSync(folder.file('.cursor/mcp.json'), '{"mcpServers": {"hubu": {"command": "somebody-else"}}}')
    const foreign = await run(home, 'init', 'cursor', '--sandbox', '--write')
    expect([foreign.code, foreign.err.includes('--force')]).toEqual([1, true])
    for (const args of [
      ['notepad', '--sandbox'],
      ['codex', '--scope', 'planet'],
      ['codex', '--nope'],
      ['codex', '--sandbox', '--hubu', 'http://h'],
    ]) {
      const { code, out, err } = await run(home, 'init', ...args)
      expect([code, out, err.length > 20]).toEqual([2, '', true])
    }
    const broken = await run(home, 'init', 'codex', '--sandbox', '--config', folder.file('missing.yaml'))
    expect([broken.code, broken.err.includes('does not exist')]).toEqual([1, true])
  })
})

describe('the bin brings agents in line', () => {
  it('previews, writes, lists and rolls back', async () => {
    using folder = tempFolder()
    const home = folder.path
    const [config, target] = [folder.file('gateway.yaml'), folder.file('tiny.toml')]
    const servers = 'servers:\n  atlas: {command: "true", enabled: true}\n'
    const agents = `agents:\n  tiny: {type: codex, path: ${target}, servers: [atlas]}\n`
    writeFileSync(config, `version: 1\n${servers}${agents}`)
    writeFileSync(
      folder.file('other.yaml'),
      `version: 1\nagents:\n  o: {type: codex, path: ${folder.file('other.toml')}}\n`,
    )
    const before = 'model = "o9" # mine\n'
    writeFileSync(target, before)
    const preview = await run(home, 'sync', '--sandbox', '--config', config)
    expect([preview.code, preview.err, preview.out.includes('add    hubu')]).toEqual([0, '', true])
    const written = await run(home, 'sync', '--sandbox', '--config', config, '--write', '--json')
    const { results } = JSON.parse(written.out) as { results: { plan_id: string; applied: boolean }[] }
    expect([written.code, results[0]!.applied]).toEqual([0, true])
    expect(readFileSync(target, 'utf8')).toContain('--agent')
    expect(readFileSync(target, 'utf8')).toContain('hubu_create_budget = { approval_mode = "prompt" }')
    const without = await run(home, 'sync', '--config', folder.file('other.yaml'), '--write')
    expect([without.code, without.err.includes('no Hubu was found')]).toEqual([1, true])
    expect(existsSync(folder.file('other.toml'))).toBe(false)
    expect((await run(home, 'agents', '--config', config)).out).toMatch(/^codex +configured +tiny \(gateway\)/m)
    const listed = JSON.parse((await run(home, 'agents', '--config', config, '--json')).out) as { agents: unknown[] }
    expect(listed.agents.length).toBeGreaterThan(10)
    expect((await run(home, 'sync', '--config', config, '--rollback', results[0]!.plan_id)).code).toBe(0)
    expect(readFileSync(target, 'utf8')).toBe(before)
    expect((await run(home, 'sync', 'ghost', '--config', config)).code).toBe(1)
    expect((await run(home, 'sync', '--config', config, '--rollback', 'x')).code).toBe(2)
  })

  it('lists every client without changing anything', async () => {
    using folder = tempFolder()
    const { clients: rows } = JSON.parse((await run(folder.path, 'init', '--json')).out) as { clients: object[] }
    expect(rows.length).toBeGreaterThan(12)
    expect((await run(folder.path, 'init')).out).toMatch(/^codex +/m)
  })
})
