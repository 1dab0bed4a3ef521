// Pure: which edits pin and unpin tools.
import type { GatewayConfig } from '#generated/types/config.js'
import type { Edit } from '../../documents/edit.ts'
import { publicName } from '../../names/short-name.ts'
import type { ToolUsage } from '../../stats/report.ts'

/** A change of the pins and what to tell about it. */
export interface PinChange {
  edits: Edit[]
  changed: string[]
  /** Arguments that matched nothing. */
  unmatched: string[]
}

/** Adds the entries that are missing, sorted. */
export function pinEntries(config: GatewayConfig, entries: readonly string[]): PinChange {
  const present = config.pin ?? []
  const added = [...new Set(entries)].filter((entry) => !present.includes(entry)).sort()
  return {
    edits: added.length === 0 ? [] : [{ kind: 'append', path: ['pin'], items: added }],
    changed: added,
    unmatched: [],
  }
}

/** An argument with `__` removes exactly that entry, one without removes every entry of that server. */
export function unpinEntries(config: GatewayConfig, args: readonly string[]): PinChange {
  const present = config.pin ?? []
  const matches = (arg: string, pin: string) =>
    arg.includes('__') ? pin === arg : pin === arg || pin.startsWith(`${arg}__`)
  const gone = present.filter((pin) => args.some((arg) => matches(arg, pin)))
  return {
    edits: gone.length === 0 ? [] : [{ kind: 'take', path: ['pin'], items: gone }],
    changed: gone,
    unmatched: args.filter((arg) => !present.some((pin) => matches(arg, pin))),
  }
}

/** The tools of configured servers that no pin covers yet, by successful calls, then by name, as pin entries. */
export function topTools(
  { servers = {}, pin = [] }: GatewayConfig,
  usage: readonly ToolUsage[],
  most: number,
): string[] {
  const isCovered = ({ server, tool, namespaced }: ToolUsage) =>
    [server, `${server}__*`, namespaced, publicName(server, tool)].some((name) => pin.includes(name))
  return usage
    .filter((used) => Object.hasOwn(servers, used.server) && successes(used) > 0 && !isCovered(used))
    .sort((a, b) => successes(b) - successes(a) || (a.namespaced < b.namespaced ? -1 : 1))
    .slice(0, most)
    .map(({ namespaced }) => namespaced)
}

const successes = ({ calls, errors }: ToolUsage): number => calls - errors
