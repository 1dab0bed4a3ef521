// Pure: names in pins and scopes that no tool answers to, and what was probably meant.
import { gatewayToolDefinitions } from '#generated/gateway-tools.js'
import { ownership, toolAliases, toolNames, type Owner } from '#generated/ownership.js'
import { nearest } from './nearest.ts'

/** The tools of one server that is connected, or built in. */
export interface ServerNames {
  server: string
  /** Whether a tool answers to this name, in any accepted form. */
  has(tool: string): boolean
  /** Names of the form `server__tool` that can be suggested. */
  names: readonly string[]
}

/** Lists of names as the configuration has them. */
export interface NameLists {
  pin?: readonly string[] | undefined
  tools?: readonly string[] | undefined
}

/**
 * A sentence for each name that means no tool of its server; names in `told` are passed over and those that are judged so are
 * added. Names of servers that are not given are not judged.
 */
export function strayNames(
  { pin = [], tools = [] }: NameLists,
  servers: readonly ServerNames[],
  told: Set<string>,
): string[] {
  const judge = (what: string, name: string): string[] => {
    const key = `${what} ${name}`
    if (told.has(key)) return []
    const known = servers.find(({ server }) => name.startsWith(`${server}__`))
    const tool = known && name.slice(known.server.length + 2)
    if (known === undefined || tool === '*' || known.has(tool ?? '')) return []
    told.add(key)
    const meant = nearest(name, known.names)
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    return [`the ${key} names no tool of ${known.server}${hint}`]
  }
  return [...pin.flatMap((name) => judge('pin', name)), ...tools.flatMap((name) => judge('allowed tool', name))]
}

/** Hubu, Gongbu and the router itself. */
export const builtInNames: readonly ServerNames[] = (['hubu', 'gongbu', 'router'] satisfies Owner[]).map((server) => {
  const contract = toolNames.filter((name) => ownership[name].owner === server).flatMap((name) => toolAliases[name])
  const own = server === 'router' ? gatewayToolDefinitions.map(({ name }) => `router__${name}`) : []
  const names = [...contract, ...own]
  return { server, has: (tool) => names.includes(`${server}__${tool}`), names }
})
