// Pure: which servers a changed configuration ends and begins; all others stay as they are.
import { isDeepStrictEqual } from 'node:util'
import type { ServerConfig } from '#generated/types/config.js'

/** Names, sorted. A server that is reached differently now is in both lists. */
export interface ServerDifference {
  ended: string[]
  begun: string[]
}

/** Compares the servers that are mounted with those that shall be. */
export function differenceOf(
  before: Readonly<Record<string, ServerConfig>>,
  after: Readonly<Record<string, ServerConfig>>,
): ServerDifference {
  const isSame = (name: string) => isDeepStrictEqual(connectionOf(before[name]), connectionOf(after[name]))
  return {
    ended: Object.keys(before)
      .filter((name) => !isSame(name))
      .sort(),
    begun: Object.keys(after)
      .filter((name) => !isSame(name))
      .sort(),
  }
}

/** What decides how a server is reached and its tools are taken. Everything else in its entry counts without a new connection. */
function connectionOf(server: ServerConfig | undefined): object | undefined {
  if (server === undefined) return undefined
  const { command, args = [], cwd = '', env = {}, env_file, pass_env = [] } = server
  const { url, transport = 'http', headers = {}, headers_file, on_change = 'tell', prefix, era = 'auto' } = server
  return { command, args, cwd, env, env_file, pass_env, url, transport, headers, headers_file, on_change, prefix, era }
}
