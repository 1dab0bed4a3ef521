// A request that is a tool's name, or holds one, means that tool whatever its words would find.
import type { SearchIndex } from './search-index.ts'
import { nameKey } from './text.ts'

/** Tools that a request names: `whole` when it is nothing but a name, `mention` when a name of several parts stands in it. */
export interface NamedTools {
  readonly how: 'whole' | 'mention'
  /** Tool numbers, ascending. */
  readonly tools: readonly number[]
}

/** `list_issues`, `list-issues`, `github__list_issues` and `listIssues`: what nobody writes but as a name. */
const identifier = /\b\p{L}[\p{L}\p{N}]*(?:[_-]+[\p{L}\p{N}]+)+|\b\p{Ll}+(?:\p{Lu}\p{Ll}+)+/gu
const mentionLimit = 32

/** The tools that a request names by any of their names, on any server or on one; null when it names none. */
export function namedTools(index: SearchIndex, query: string, server?: string): NamedTools | null {
  const text = query.slice(0, 4096)
  const whole = toolsOf(index, nameKey(text), server)
  if (whole.length > 0) return { how: 'whole', tools: whole }
  const mentioned = new Set<number>()
  for (const [name] of [...text.matchAll(identifier)].slice(0, mentionLimit)) {
    for (const tool of toolsOf(index, nameKey(name), server)) mentioned.add(tool)
  }
  return mentioned.size === 0 ? null : { how: 'mention', tools: [...mentioned].sort((a, b) => a - b) }
}

function toolsOf(index: SearchIndex, key: string, server: string | undefined): readonly number[] {
  const tools = key === '' ? [] : (index.names.get(key) ?? [])
  if (server === undefined) return tools
  return tools.filter((tool) => index.servers[index.tools[tool]?.server ?? -1]?.name === server)
}
