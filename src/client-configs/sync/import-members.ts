// Which members of a client's entry our configuration has no place for, and what that means for taking it over. Pure.
import path from 'node:path'
import { nodeAt, toLoose, type TreeNode } from '../../documents/tree.ts'

/** Without these a server would lose its credentials. */
const credentials = [
  ...['bearer_token_env_var', 'http_headers', 'env_http_headers', 'env_vars', 'envFile', 'env_file'],
  ...['headersHelper', 'oauth', 'auth', 'authProviderType'],
]

/** With these a person switched tools of a server off. */
const toolFilters = [
  ...['enabled_tools', 'disabled_tools', 'includeTools', 'excludeTools'],
  ...['enabledTools', 'disabledTools', 'tools'],
]

/** Members that are read, or are about the entry as a whole. */
const known = ['name', 'type', 'transport', 'cwd', 'headers', 'enabled', 'disabled', 'disable']

/** Why an entry must not be taken over, because something would be lost silently; undefined when nothing would be. */
export function lossIn(entry: TreeNode): string | undefined {
  const keys = keysOf(entry)
  const secret = keys.find((key) => credentials.includes(key))
  if (secret !== undefined) return `its ${secret} has no place in the configuration, and it would lose its credentials`
  const filter = keys.find((key) => toolFilters.includes(key) && !isEverything(entry, key))
  if (filter !== undefined) return `its ${filter} has no place in the configuration, and tools that are off would be on`
  const cwd = looseAt(entry, 'cwd')
  if (typeof cwd === 'string' && !path.isAbsolute(cwd))
    return 'its cwd is relative to a folder that only the client knows'
  const kind = looseAt(entry, 'transport') ?? looseAt(entry, 'type')
  return kind === 'ws' || kind === 'websocket' ? 'its transport is not one that we speak' : undefined
}

/** Members that stay behind without harm, to be named. */
export function leftBehind(entry: TreeNode, modelled: readonly string[]): string[] {
  return keysOf(entry).filter((key) => ![...modelled, ...known, ...toolFilters].includes(key))
}

function keysOf(entry: TreeNode): string[] {
  return entry.kind === 'object' ? entry.members.map(({ key }) => key) : []
}

function looseAt(entry: TreeNode, key: string): unknown {
  const node = nodeAt(entry, [key])
  return node && toLoose(node)
}

/** True for a filter that lets every tool through: `["*"]`, or nothing that is off. */
function isEverything(entry: TreeNode, key: string): boolean {
  const value = looseAt(entry, key)
  if (!Array.isArray(value)) return false
  return (value.length === 1 && value[0] === '*') || (value.length === 0 && /^(?:disabled|exclude)/i.test(key))
}
