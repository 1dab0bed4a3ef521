import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { makeHome, type Home } from '../agents/home.ts'
import { installPackages } from '../npm/install.ts'
import { checked, skipped, type ClientResult } from '../result.ts'
import { compareAnswers, compareTools, type Definition } from './differences.ts'
import { npmServers, type NpmServer } from './server-list.ts'

/** How a server is started, as an MCP client's entry says it. */
interface Start {
  command: string
  args: string[]
  env: Record<string, string>
}

/** How long a server may take to start, and all of them behind us. */
const mostMs = 120_000

/**
 * Mounts all servers behind one sandbox and compares with each of them directly: the definitions of its tools, and the answer of one
 * call. Servers that do not start here directly are skipped.
 */
export async function compareServers(
  { folder, bin }: { folder: string; bin: string },
  tell: (result: ClientResult) => void,
): Promise<void> {
  const installed = installPackages(
    path.join(folder, 'servers'),
    npmServers.map((server) => server.package),
  )
  if ('reason' in installed) return tell(skipped('servers', 'everything', installed.reason))
  using home = makeHome()
  const place = home.file('project')
  home.write('project/note.txt', 'größe 𝄞\n')
  spawnSync('git', ['init', '--quiet', place])
  const starts = npmServers.map((server) => ({ server, start: startOf(server, installed.modules, home) }))
  const reached: { server: NpmServer; start: Start; direct: Seen }[] = []
  for (const { server, start } of starts) {
    try {
      reached.push({ server, start, direct: await ask(start, (client) => seenOf(client, server, '', place)) })
    } catch (error) {
      tell(skipped(labelOf(server), 'is the same through us', `it does not run here: ${(error as Error).message}`))
    }
  }
  home.write('config.json', JSON.stringify(configOf(reached)))
  const router: Start = {
    command: process.execPath,
    args: [bin, 'sandbox', '--ephemeral', '--config', home.file('config.json')],
    env: { PATH: process.env.PATH ?? '', HOME: home.path },
  }
  await ask(router, async (client) => {
    await connected(client, reached)
    for (const { server, direct } of reached) {
      tell(resultOf(server, direct, await seenOf(client, server, `${server.name}__`, place)))
    }
  })
}

/** What is seen of a server. */
interface Seen {
  tools: Definition[]
  answer: Record<string, unknown>
}

async function seenOf(client: Client, { call }: NpmServer, prefix: string, place: string): Promise<Seen> {
  const tools = (await listTools(client)).filter(({ name }) => name.startsWith(prefix))
  const answer =
    call === undefined
      ? {}
      : await client
          .callTool({ name: `${prefix}${call.tool}`, arguments: call.args(place) }, undefined, { timeout: mostMs })
          .catch((error: Error) => ({ isError: true, words: error.message }))
  return { tools, answer }
}

function resultOf(server: NpmServer, direct: Seen, through: Seen): ClientResult {
  const { name, call } = server
  const { equal, all, differences } = compareTools(name, direct.tools, through.tools)
  const answer = compareAnswers(direct.answer, through.answer).map(
    (member) => `what ${call?.tool} answers differs in ${member}`,
  )
  const wrong = [...differences, ...answer]
  const told = `${equal} of ${all} tools equal${call === undefined ? '' : `, and what ${call.tool} answers`}`
  return checked(
    labelOf(server),
    'is the same through us',
    wrong.length === 0 ? undefined : `${told}; ${wrong.join('; ')}`,
    told,
  )
}

const labelOf = ({ name, package: spec }: NpmServer) => `${name} ${spec.slice(spec.lastIndexOf('@') + 1)}`

/** The list as it stands on the wire, with members that the SDK's types do not know. */
async function listTools(client: Client): Promise<Definition[]> {
  const all: Definition[] = []
  for (let cursor: string | undefined; ;) {
    const { tools, nextCursor } = await client.request(
      { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
      ListToolsResultSchema,
      { timeout: mostMs },
    )
    all.push(...(tools as Definition[]))
    if (nextCursor === undefined) return all
    cursor = nextCursor
  }
}

/** Waits until the tools of all servers are listed; the last that is missing is named. */
async function connected(client: Client, reached: readonly { server: NpmServer; direct: Seen }[]): Promise<void> {
  const deadline = Date.now() + mostMs
  for (;;) {
    const names = (await listTools(client)).map(({ name }) => name)
    const missing = reached.filter(({ server }) => !names.some((name) => name.startsWith(`${server.name}__`)))
    if (missing.length === 0) return
    if (Date.now() > deadline) throw new Error(`not mounted: ${missing.map(({ server }) => server.name).join(', ')}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

function startOf(server: NpmServer, modules: string, home: Home): Start {
  const name = server.package.slice(0, server.package.lastIndexOf('@'))
  const place = home.file('project')
  return {
    command: process.execPath,
    args: [path.join(modules, name, server.program), ...(server.args?.(place) ?? [])],
    env: { PATH: process.env.PATH ?? '', HOME: home.path, ...server.env?.(place) },
  }
}

const configOf = (reached: readonly { server: NpmServer; start: Start }[]) => ({
  version: 1,
  expose: 'all',
  servers: Object.fromEntries(reached.map(({ server, start }) => [server.name, { ...start, enabled: true }])),
})

/** Connects for as long as `use` takes. */
async function ask<T>(start: Start, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'hubu-clients', version: '1' })
  await client.connect(new StdioClientTransport({ ...start, stderr: 'ignore' }), { timeout: mostMs })
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}
