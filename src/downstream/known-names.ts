import { builtInNames, type ServerNames } from '../names/stray-names.ts'
import type { Mounts } from './mounts.ts'

/** The names of every tool that is known now: of the built-in servers, and of those that are connected. */
export function knownNames(mounts: Pick<Mounts, 'servers' | 'find'>): ServerNames[] {
  const connected = mounts
    .servers()
    .filter(({ isConnected }) => isConnected)
    .map(({ name: server, tools }) => ({
      server,
      has: (tool: string) => mounts.find(server, tool) !== undefined,
      names: tools.map(({ publicName }) => publicName),
    }))
  return [...builtInNames, ...connected]
}
