// The contract's tools as the gateway sees them: servers `hubu`, `gongbu` and `router`.
import { toolTitles, useWhen } from '#generated/catalog.js'
import { toolAliases, type Owner, type ToolName } from '#generated/ownership.js'
import { listedTools, type States } from '../capabilities/availability.ts'
import { rightOfTool } from '../calls/rights.ts'
import { findTool, toolEntries, type ToolEntry } from '../catalog/catalog.ts'
import { builtInServers } from './built-in-servers.ts'
import type { CatalogTool } from './catalog/catalog-tool.ts'
import type { ScopeLists } from '../names/scope.ts'
import type { Right } from '../wire/request.ts'
import type { ServerStanding } from './meta-tools/list-servers.ts'

const byAlias = new Map<string, ToolEntry>(
  toolEntries.flatMap((entry) => toolAliases[entry.name].map((alias) => [alias, entry])),
)

/** The contract tool that a name means: its own, or one of its aliases. */
export function findContractTool(name: string): ToolEntry | undefined {
  return findTool(name) ?? byAlias.get(name)
}

/** The contract tool that a server and a tool's name mean, in any of the accepted forms. */
export function findBuiltInTool(server: string, tool: string): ToolEntry | undefined {
  if (!isBuiltInServer(server)) return undefined
  const entry = byAlias.get(`${server}__${tool}`)
  return entry?.row.owner === server ? entry : undefined
}

export function isBuiltInServer(name: string): name is Owner {
  return Object.hasOwn(builtInServers, name)
}

/** Whether an agent may reach a contract tool. */
export function isContractToolInScope({ name, row }: ToolEntry, { servers, tools }: ScopeLists): boolean {
  if (servers !== undefined && !servers.includes(row.owner)) return false
  return tools === undefined || toolAliases[name].some((alias) => tools.includes(alias))
}

/** Whether pins name a contract tool: by its server or by an alias. */
export function isContractToolPinned({ name, row }: ToolEntry, pins: readonly string[]): boolean {
  return pins.some(
    (pin) => pin === row.owner || pin === `${row.owner}__*` || (toolAliases[name] as readonly string[]).includes(pin),
  )
}

/** Whether a client must see a tool under its own name, because it decides about the call by it. */
export function isByNameOnly({ row }: ToolEntry): boolean {
  return row.approval_class === 'protected' || row.approval_class === 'spend'
}

/** What decides which contract tools the agent can find. */
export interface ContractView {
  states: States
  lists: ScopeLists
  rights: ReadonlySet<Right>
  trustClientApproval: boolean
  /** The agent sees nothing but the meta-tools. */
  isBare: boolean
}

/** The contract tools that can be found and described now. */
export function contractCatalog({ states, lists, rights, trustClientApproval, isBare }: ContractView): CatalogTool[] {
  return listedTools(states)
    .map(entryOf)
    .filter((entry) => isContractToolInScope(entry, lists) && rights.has(rightOfTool(entry.name)))
    .filter(({ row }) => row.approval_class !== 'protected' || (trustClientApproval && !isBare))
    .map((entry) => toCatalogTool(entry, isByNameOnly(entry) && !isBare))
}

function toCatalogTool({ name, row, definition }: ToolEntry, isDirectCall: boolean): CatalogTool {
  return {
    server: builtInServers[row.owner],
    wireName: name,
    shortName: name,
    publicName: name,
    aliases: toolAliases[name],
    title: toolTitles[name],
    description: definition.description,
    inputSchema: definition.inputSchema,
    annotations: definition.annotations,
    useWhen: useWhen[name],
    isDirectCall,
  }
}

/** The three built-in servers in scope, as they stand. */
export function builtInStandings(view: ContractView, catalog: readonly CatalogTool[]): ServerStanding[] {
  const { states, lists } = view
  return Object.values(builtInServers)
    .filter(({ name }) => lists.servers === undefined || lists.servers.includes(name))
    .map((server) => {
      const state = server.name === 'router' ? 'available' : states[server.name as 'hubu' | 'gongbu'].state
      const isConnected = state === 'available' || state === 'degraded'
      return {
        server,
        isEnabled: state !== 'unconfigured',
        isConnected,
        toolCount: catalog.filter((tool) => tool.server === server).length,
        ...(!isConnected && { error: `${state}; hubu_unified_capabilities says more` }),
      }
    })
}

/** The entry of a tool of the table. */
export function entryOf(name: ToolName): ToolEntry {
  return findTool(name)!
}
