// The few ways in which clients spell a server. Pure.
import { type PlainObject } from '../../documents/tree.ts'
import { isObject } from '../../json/read.ts'
import { type EntryShape, type ServerDefinition } from './client.ts'

/** How a standard entry differs between clients. */
export interface StandardOptions {
  /** The value of `type` in a local entry, where the client wants one. */
  localType?: string
  /** How a remote server is written: `type` and `url`, only `url`, or one of two keys that tell the transport. */
  remote: 'typed' | 'url' | 'http-url' | 'server-url'
}

/** `command` as text, `args`, `env`: what most clients have. */
export function standardShape({ localType, remote }: StandardOptions): EntryShape {
  const remoteKeys = {
    typed: ['type', 'url'],
    url: ['url'],
    'http-url': ['httpUrl', 'url'],
    'server-url': ['serverUrl'],
  }
  const modelled = new Set([
    ...(localType === undefined ? [] : ['type']),
    'command',
    'args',
    'env',
    ...remoteKeys[remote],
  ])
  return {
    modelled: [...modelled],
    write(server) {
      if (server.url !== undefined) return writeRemote(server.url, server.transport ?? 'http', remote)
      return {
        ...(localType === undefined ? {} : { type: localType }),
        command: server.command ?? '',
        ...(server.args === undefined || server.args.length === 0 ? {} : { args: server.args }),
        ...(server.env === undefined || Object.keys(server.env).length === 0 ? {} : { env: server.env }),
      }
    },
    read: (entry) => (isObject(entry) ? readStandard(entry) : undefined),
  }
}

/** `command` as one list, `environment`, and a `type` that says local or remote (opencode, Kilo, the older Kimi). */
export const listShape: EntryShape = {
  modelled: ['type', 'command', 'url', 'environment'],
  write(server) {
    const environment: PlainObject = hasKeys(server.env) ? { environment: server.env } : {}
    if (server.url !== undefined) return { type: 'remote', url: server.url, ...environment }
    return { type: 'local', command: [server.command ?? '', ...(server.args ?? [])], ...environment }
  },
  read(entry) {
    if (!isObject(entry)) return undefined
    const env = textMap(entry['environment'])
    if (typeof entry['url'] === 'string') return clean({ url: entry['url'], env })
    const words = textList(entry['command'])
    return words?.[0] === undefined ? undefined : clean({ command: words[0], args: words.slice(1), env })
  },
}

/** `env` as a list of `K=V`, the transport in a key of its own (local-agent). */
export const pairsShape: EntryShape = {
  modelled: ['command', 'args', 'env', 'url', 'transport'],
  write(server) {
    const pairs = Object.entries(server.env ?? {}).map(([key, value]) => `${key}=${value}`)
    const env: PlainObject = pairs.length === 0 ? {} : { env: pairs.toSorted() }
    if (server.url !== undefined) {
      return { url: server.url, transport: server.transport === 'sse' ? 'sse' : 'streamable-http', ...env }
    }
    const args: PlainObject = server.args === undefined || server.args.length === 0 ? {} : { args: server.args }
    return { command: server.command ?? '', ...args, ...env }
  },
  read(entry) {
    if (!isObject(entry)) return undefined
    const pairs = textList(entry['env']) ?? []
    const env = Object.fromEntries(pairs.map((pair) => [pair.split('=')[0]!, pair.slice(pair.indexOf('=') + 1)]))
    const transport = entry['transport'] === 'sse' ? 'sse' : 'http'
    if (typeof entry['url'] === 'string') return clean({ url: entry['url'], transport, env })
    return typeof entry['command'] === 'string'
      ? clean({ command: entry['command'], args: textList(entry['args']), env })
      : undefined
  },
}

function writeRemote(url: string, transport: 'http' | 'sse', remote: StandardOptions['remote']): PlainObject {
  switch (remote) {
    case 'typed':
      return { type: transport, url }
    case 'url':
      return { url }
    case 'http-url':
      return transport === 'http' ? { httpUrl: url } : { url }
    case 'server-url':
      return { serverUrl: url }
  }
}

function readStandard(entry: Record<string, unknown>): ServerDefinition | undefined {
  const env = textMap(entry['env'])
  if (typeof entry['httpUrl'] === 'string') return clean({ url: entry['httpUrl'], transport: 'http', env })
  const url = entry['url'] ?? entry['serverUrl']
  if (typeof url === 'string') {
    return clean({ url, transport: [entry['type'], entry['transport']].includes('sse') ? 'sse' : 'http', env })
  }
  return typeof entry['command'] === 'string'
    ? clean({ command: entry['command'], args: textList(entry['args']), env })
    : undefined
}

/** Without what is empty: absent and empty mean the same. */
function clean(server: ServerDefinition): ServerDefinition {
  const { args, env, ...rest } = server
  return {
    ...rest,
    ...(args === undefined || args.length === 0 ? {} : { args }),
    ...(hasKeys(env) ? { env } : {}),
  }
}

function hasKeys(env: Record<string, string> | undefined): env is Record<string, string> {
  return env !== undefined && Object.keys(env).length > 0
}

function textList(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
}

function textMap(value: unknown): Record<string, string> | undefined {
  if (!isObject(value)) return undefined
  const entries = Object.entries(value).filter((entry): entry is [string, string | number | boolean] =>
    ['string', 'number', 'boolean'].includes(typeof entry[1]),
  )
  return Object.fromEntries(entries.map(([key, text]) => [key, String(text)]))
}
