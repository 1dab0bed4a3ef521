// Pure: which tools are always shown in lazy mode (M 6.1, 6.2).
import { splitName } from './fragment.ts'
import { means, type ResolveTool } from './resolve.ts'
import type { Scope, ScopeLists } from './scope.ts'

/** Whether pins name a tool: itself in any accepted form, its server, or `server__*`. */
export function isPinned(server: string, wireName: string, pins: readonly string[], resolve: ResolveTool): boolean {
  return pins.some((pin) => pin === server || pin === `${server}__*` || means(pin, server, wireName, resolve))
}

/** The pins that `list_servers` reports: in scope, and expanded to names where the scope lists tools. */
export function effectivePins(
  pins: readonly string[],
  lists: ScopeLists | null,
  scope: Scope,
  resolve: ResolveTool,
): string[] {
  if (lists === null) return [...pins]
  if (lists.tools === undefined) return pins.filter((pin) => scope.allowsServer(serverOf(pin)))
  return lists.tools
    .filter((name) => {
      const { server, tool } = splitName('', name)
      return isPinned(server, resolve(server, tool) ?? tool, pins, resolve)
    })
    .sort()
}

/** The server of a pin, which may be all of it. */
function serverOf(pin: string): string {
  return pin.split('__', 1)[0] ?? pin
}
