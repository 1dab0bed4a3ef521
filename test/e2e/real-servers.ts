// Three servers that other people wrote, mounted beside the sandbox.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { tempFolder } from '../support/temp-folder.ts'
import type { RealClient, Start, ToolAnswer } from './real-clients.ts'

const { resolve } = createRequire(import.meta.url)

/** A sandbox with three mounted servers, and a client in front of it. */
export interface RealServers extends AsyncDisposable {
  readonly client: RealClient
  /** The folder that the file server may use. */
  readonly folder: string
  /** Calls a tool of a mounted server through `call_tool`. */
  tool(server: string, tool: string, args?: object, more?: object): Promise<ToolAnswer>
  /** The structured part of a meta-tool's answer. */
  data(name: string, args?: object): Promise<Record<string, unknown>>
  /** Waits until the three are connected; describing a tool waits for its server. */
  connected(): Promise<void>
  /** Ids of all processes that a server was started as, in any copy of the router. */
  processes(server: string): number[]
}

/** Starts the sandbox with `config` over the three servers and connects the client. */
export async function realServers(
  bin: string,
  connect: (start: Start) => Promise<RealClient>,
  config: object = {},
  ...args: string[]
): Promise<RealServers> {
  const temporary = tempFolder()
  const folder = temporary.file('files')
  mkdirSync(folder)
  const pids = (server: string) => temporary.file(`${server}.pids`)
  // Each server notes its process id before it becomes itself.
  const entry = (server: string, pkg: string, more: string[] = [], env: Record<string, string> = {}) => ({
    command: '/bin/sh',
    args: [
      ...['-c', 'echo $$ >> "$0" && exec "$@"', pids(server), process.execPath],
      ...[path.join(path.dirname(resolve(`@modelcontextprotocol/${pkg}/package.json`)), 'dist/index.js'), ...more],
    ],
    env,
    enabled: true,
  })
  const servers = {
    everything: entry('everything', 'server-everything'),
    files: entry('files', 'server-filesystem', [folder]),
    memory: entry('memory', 'server-memory', [], { MEMORY_FILE_PATH: temporary.file('memory.jsonl') }),
  }
  writeFileSync(temporary.file('config.yaml'), JSON.stringify({ version: 1, expose: 'lazy', servers, ...config }))
  const env = { PATH: process.env.PATH ?? '', HOME: temporary.path, XDG_DATA_HOME: temporary.path }
  const bare = [bin, 'sandbox', '--ephemeral', '--config', temporary.file('config.yaml')]
  const client = await connect({ args: [...bare, ...args], env, folder })
  const data = async (name: string, args: object = {}) =>
    (await client.call({ name, arguments: { ...args } })).structuredContent ?? {}
  return {
    client,
    folder,
    tool: (server, tool, args = {}, more = {}) =>
      client.call({ name: 'call_tool', arguments: { server, tool, arguments: args, ...more } }),
    data,
    connected: async () => {
      const tools = ['everything__echo', 'files__read_text_file', 'memory__read_graph']
      await Promise.all(tools.map((tool) => data('describe_tool', { tool })))
    },
    processes: (server) =>
      existsSync(pids(server)) ? readFileSync(pids(server), 'utf8').trim().split('\n').map(Number) : [],
    async [Symbol.asyncDispose]() {
      await client.close()
      temporary[Symbol.dispose]()
    },
  }
}

/** The first text of an answer. */
export const textOf = ({ content }: ToolAnswer): string => String(content[0]?.text)
