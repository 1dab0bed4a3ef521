import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { clients, findClient } from '../../src/client-configs/clients/client-list.ts'
import { bundlePath, nodePath, workbench } from './workbench.ts'

interface Entry {
  env: Record<string, string>
}

const cursorEntry = (text: string): Entry => (JSON.parse(text) as { mcpServers: { hubu: Entry } }).mcpServers.hubu

describe('what init says about spending', () => {
  it('is true for each client: only Codex and Claude Code send an id with a call', async () => {
    expect(clients.filter((client) => client.sendsCallId === true).map(({ name }) => name)).toEqual(['codex', 'claude'])
    for (const { name, title, sendsCallId } of clients) {
      using bench = workbench()
      const { out } = await bench.init({ client: name, write: true })
      expect(out).toContain(
        sendsCallId === true
          ? `${title} sends an id with each call, so it can spend.`
          : `${title} sends no id with a call, so it cannot spend: its spends answer identity_missing.`,
      )
      expect(out).not.toContain(sendsCallId === true ? 'cannot spend' : 'reads and spends among them')
    }
  })

  it('writes --guarded-identity, says what it means, and takes it back without the flag', async () => {
    using bench = workbench()
    const { out } = await bench.init({ client: 'cursor', write: true, guardedIdentity: true })
    expect(out).toContain(
      'the router names its purchases and it can spend. Two equal purchases that are both meant become one',
    )
    expect(out).toContain('It buys as cursor.')
    const guarded = { HUBU_UNIFIED_IDENTITY: 'guarded', HUBU_UNIFIED_PRINCIPAL: 'cursor' }
    expect(cursorEntry(bench.read('.cursor/mcp.json')).env).toMatchObject(guarded)
    await bench.init({ client: 'cursor', write: true })
    expect(Object.keys(cursorEntry(bench.read('.cursor/mcp.json')).env)).not.toContain('HUBU_UNIFIED_IDENTITY')
  })

  it('says of a sandbox that the router names the purchases there, under no name of an agent', async () => {
    using bench = workbench()
    const { code, out } = await bench.init({ client: 'cursor', sandbox: true })
    expect(code).toBe(0)
    expect(out).toContain('the router names its purchases and it can spend.')
    expect(out).not.toContain('It buys as')
  })

  it('refuses --guarded-identity for a client whose ids tell calls apart', async () => {
    using bench = workbench()
    const { code, err } = await bench.init({ client: 'codex', write: true, guardedIdentity: true })
    expect([code, err.includes('Codex sends an id with each call'), bench.exists('.codex')]).toEqual([2, true, false])
  })
})

describe('what init says about other entries', () => {
  const entry = '{"mcpServers": {"hubu": {"command": "x"}}}'

  it('names a local entry of Claude Code that wins over the one it writes', async () => {
    using bench = workbench()
    bench.put('.claude.json', JSON.stringify({ projects: { [bench.cwd]: JSON.parse(entry) as object } }))
    const { code, out } = await bench.init({ client: 'claude', write: true })
    expect(code).toBe(0)
    expect(out).toContain('has an entry hubu too (scope local): Claude Code takes one of them, and that one wins')
  })

  it('says that it wins over one of a weaker scope', async () => {
    using bench = workbench()
    bench.put('.claude.json', entry)
    const { out } = await bench.init({ client: 'claude', scope: 'project', sandbox: true })
    expect(out).toContain('(scope user): Claude Code takes one of them, and this one wins in this folder.')
  })

  it('names a twin that starts this program under another name', async () => {
    using bench = workbench()
    const twin = { 'hubu-sandbox': { command: nodePath, args: [bundlePath, 'sandbox'] } }
    bench.put('.cursor/mcp.json', JSON.stringify({ mcpServers: twin }))
    const { out } = await bench.init({ client: 'cursor' })
    expect(out).toContain(
      'has an entry hubu-sandbox that starts this program as well: Cursor would show its tools twice',
    )
  })

  it('is nothing where no other entry is, or where its file cannot be read', async () => {
    using bench = workbench()
    bench.put('../project/.cursor/mcp.json', '{broken')
    const { code, out } = await bench.init({ client: 'cursor' })
    expect([code, out.includes('too (scope')]).toEqual([0, false])
  })
})

describe('what init says about the client itself', () => {
  it.each([
    ['gemini', 'user', 'Gemini CLI starts no server in a folder that it does not trust'],
    ['claude', 'project', 'Claude Code asks once in each project'],
    ['codex', 'project', 'only in a folder that it trusts'],
    ['vscode', 'user', 'VS Code asks whether you trust the server'],
  ] as const)('%s in scope %s has a step of its own', async (client, scope, words) => {
    using bench = workbench()
    expect((await bench.init({ client, scope, sandbox: true })).out).toContain(words)
  })

  it('refuses a home folder that would make the working directory the place of files', async () => {
    for (const home of ['', '.', 'home']) {
      using bench = workbench()
      Object.assign(bench.environment, { home })
      const { code, err } = await bench.init({ client: 'cursor', write: true })
      expect([code, err.includes('HOME is empty or no absolute path')]).toEqual([1, true])
    }
  })
})

describe('names of clients', () => {
  it.each([
    ['claude-code', 'claude'],
    ['vs-code', 'vscode'],
    ['Gemini-CLI', 'gemini'],
    ['factory', 'droid'],
  ])('%s means %s', (typed, name) => {
    expect(findClient(typed).name).toBe(name)
  })

  it('are corrected when they are mistyped, with a way for clients that are not known', async () => {
    using bench = workbench()
    expect((await bench.init({ client: 'cursr' })).err).toContain('there is no client "cursr"; did you mean cursor?')
    expect((await bench.init({ client: 'notepad' })).err).toContain('For any other client, init --print')
  })

  it('mean one client each', () => {
    const all = clients.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])])
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([])
  })
})

describe('init --print', () => {
  it.each([
    ['json', (text: string) => (JSON.parse(text) as { mcpServers: unknown }).mcpServers],
    ['toml', (text: string) => parseToml(text)['mcp_servers']],
    ['yaml', (text: string) => (parseYaml(text) as { mcp_servers: unknown }).mcp_servers],
  ] as const)('prints an entry to paste as %s, and writes nothing', async (print, serversOf) => {
    using bench = workbench()
    const { code, out } = await bench.init({ print, guardedIdentity: true })
    expect(code).toBe(0)
    expect(serversOf(out)).toMatchObject({
      hubu: { command: nodePath, args: [bundlePath], env: { HUBU_UNIFIED_IDENTITY: 'guarded' } },
    })
    expect(bench.names('.')).toEqual([])
  })
})

describe('a build without a stamp', () => {
  const stamp = { productVersion: '0.0.0-dev', sourceCommit: 'unknown', executorContract: 'x' }

  it('is not pointed at a real Hubu, which cannot be compatible with it, unless that is wanted', async () => {
    using bench = workbench()
    const stack = {
      stamp,
      uid: process.getuid?.(),
      inspectRegistry: () => undefined,
      identifyProcess: () => undefined,
      probe: () => Promise.resolve({ hubu: { state: 'compatible' as const, detail: '' } }),
    }
    const refused = await bench.init({ client: 'cursor', write: true }, { stack })
    expect([refused.code, refused.err.includes('try it with --sandbox'), bench.names('.')]).toEqual([1, true, []])
    expect((await bench.init({ client: 'cursor', write: true, allowIncompatible: true }, { stack })).code).toBe(0)
    expect((await bench.init({ client: 'codex', write: true, sandbox: true }, { stack })).code).toBe(0)
  })
})
