// Pure: which tools are always shown in lazy mode.
import { splitName } from './short-name.ts'
import { meantBy, type ResolveTool } from './resolve.ts'
import type { Scope, ScopeLists } from './scope.ts'

/** Says whether pins name a tool, given by its wire name: itself in any accepted form, its server, or `server__*`. */
export function pinned(pins: readonly string[], resolve: ResolveTool): (server: string, wireName: string) => boolean {
  const isMeant = meantBy(pins, resolve)
  return (server, wireName) => pins.includes(server) || pins.includes(`${server}__*`) || isMeant(server, wireName)
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
  const isPinned = pinned(pins, resolve)
  return lists.tools
    .filter((name) => {
      const { server, tool } = splitName('', name)
      return isPinned(server, resolve(server, tool) ?? tool)
    })
    .sort()
}

/** The server of a pin, which may be all of it. */
function serverOf(pin: string): string {
  return pin.split('__', 1)[0] ?? pin
}
