// Pure: which tools are always shown in lazy mode (M 6.1, 6.2).
import { aliases } from './fragment.ts'
import type { Scope, ScopeLists } from './scope.ts'

/** Whether a tool, by its public name, is pinned: by name, by its server, or by `server__*`; any of its aliases counts. */
export function isPinned(name: string, pins: readonly string[]): boolean {
  const server = serverOf(name)
  return [name, ...aliases(server, name.slice(server.length + 2))].some((alias) => matches(alias, pins))
}

/** The pins that `list_servers` reports: in scope, and expanded to names where the scope lists tools. */
export function effectivePins(pins: readonly string[], lists: ScopeLists | null, scope: Scope): string[] {
  if (lists === null) return [...pins]
  if (lists.tools !== undefined) return lists.tools.filter((name) => isPinned(name, pins)).sort()
  return pins.filter((pin) => scope.allowsServer(serverOf(pin)))
}

function matches(name: string, pins: readonly string[]): boolean {
  const server = serverOf(name)
  return pins.includes(name) || pins.includes(server) || pins.includes(`${server}__*`)
}

function serverOf(name: string): string {
  const at = name.indexOf('__')
  return at < 0 ? name : name.slice(0, at)
}
