// Pure: which edits pin and unpin tools (M 6.4).
import type { GatewayConfig } from '#generated/types/config.js'
import type { Edit } from '../client-configs/document/edit.ts'
import { publicName, fragment } from '../lazy/names/fragment.ts'
import type { ToolUsage } from '../stats/report.ts'

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

/** The most called tools of configured servers, as pin entries. */
export function topTools(config: GatewayConfig, usage: readonly ToolUsage[], most: number): string[] {
  return usage
    .filter(({ server }) => Object.hasOwn(config.servers ?? {}, server))
    .slice(0, most)
    .map(({ server, tool }) => publicName(server, fragment(server, tool)))
}
