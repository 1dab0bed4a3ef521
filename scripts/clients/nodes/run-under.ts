import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { toolNames } from '#generated/ownership.js'
import { makeHome, type Home } from '../agents/home.ts'
import { fetchNode, nodeVersions } from '../npm/node.ts'
import { installSqlite } from '../npm/sqlite.ts'
import { checked, skipped, type ClientResult } from '../result.ts'

/** Runs the built program under other majors of Node.js than ours: its version, the demo, a session of the official client. */
export async function runUnderNodes(
  { folder, built }: { folder: string; built: string },
  tell: (result: ClientResult) => void,
): Promise<void> {
  for (const version of nodeVersions) {
    const client = `node ${version}`
    const fetched = fetchNode(folder, version)
    if ('reason' in fetched) {
      tell(skipped(client, 'everything', fetched.reason))
      continue
    }
    const { node } = fetched
    using home = makeHome()
    tell(checked(client, 'tells the version', await wrongVersion(home, node, path.join(built, 'main.js'))))
    tell(await ofForeignBinary(client, home, node, path.join(built, 'main.js')))
    const sqlite = installSqlite(folder, version, node)
    if ('reason' in sqlite) {
      tell(skipped(client, 'serves', `the SQLite library cannot be made for it here: ${sqlite.reason}`))
      continue
    }
    // The program finds the library that lies above it.
    const copy = mkdtempSync(path.join(path.dirname(sqlite.modules), 'run-'))
    try {
      cpSync(built, copy, { recursive: true })
      const bin = path.join(copy, 'main.js')
      tell(checked(client, 'plays the demo', await wrongDemo(home, node, bin)))
      tell(checked(client, 'serves a session', await wrongSession(home, node, bin)))
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  }
}

async function wrongVersion(home: Home, node: string, bin: string): Promise<string | undefined> {
  const { code, stdout, stderr } = await home.run(node, [bin, '--version'])
  return code === 0 && stdout.includes('9.9.9') ? undefined : `ended with ${code}: ${stderr.trim()}`
}

async function wrongDemo(home: Home, node: string, bin: string): Promise<string | undefined> {
  const { code, stdout, stderr } = await home.run(node, [bin, 'demo'], { mostMs: 120_000 })
  return code === 0 ? undefined : `ended with ${code}: ${stderr.trim()} ${stdout.trim().split('\n').at(-1)}`
}

/** An installation made by another Node.js has a library that this one may not load; then a sentence says what to do. */
async function ofForeignBinary(client: string, home: Home, node: string, bin: string): Promise<ClientResult> {
  const scenario = 'works in an installation of another Node.js, or says what to do'
  const wrong = await wrongDemo(home, node, bin)
  if (wrong === undefined) return checked(client, scenario, undefined, 'it works')
  const [, words] = /(the SQLite library .* again with this Node)/.exec(wrong) ?? []
  return checked(client, scenario, words === undefined ? wrong : undefined, words)
}

async function wrongSession(home: Home, node: string, bin: string): Promise<string | undefined> {
  const client = new Client({ name: 'hubu-clients', version: '1' })
  const env = { PATH: process.env.PATH ?? '', HOME: home.path }
  const args = [bin, 'sandbox', '--ephemeral']
  try {
    await client.connect(new StdioClientTransport({ command: node, args, env, stderr: 'ignore' }))
    const names = (await client.listTools()).tools.map(({ name }) => name)
    const missing = toolNames.filter((name) => !names.includes(name))
    return missing.length === 0 ? undefined : `missing ${missing.join(', ')}`
  } catch (error) {
    return (error as Error).message
  } finally {
    await client.close()
  }
}
