// What a client's file shall hold for one agent. Pure.
import { type ServerDefinition } from '../clients/client.ts'
import { entryName, entryVariables, type ServerEntry } from '../entry/server-entry.ts'

/** A server of the configuration, as far as clients' files are concerned. */
export interface ConfiguredServer {
  command?: string
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
  url?: string
  transport?: 'http' | 'sse'
  headers?: Readonly<Record<string, string>>
  enabled?: boolean
}

/** An agent of the configuration. */
export interface ConfiguredAgent {
  type: string
  path: string
  mode?: 'gateway' | 'direct'
  disabled?: boolean
  servers?: readonly string[]
  tools?: readonly string[]
  pin?: readonly string[]
  tool_schema_budget?: string | number
}

/** What `sync` reads of the configuration. */
export interface SyncConfig {
  servers: Readonly<Record<string, ConfiguredServer>>
  agents: Readonly<Record<string, ConfiguredAgent>>
}

/** One wanted entry. */
export interface DesiredEntry {
  server: ServerDefinition
  /** Variables that are compared and replaced; all of them when undefined. The rest of `env` is the user's. */
  variables?: readonly string[]
  notes: string[]
}

/** Sync leaves trust and who names purchases as they are: only `init` gives and takes them. */
const leftToInit = ['HUBU_MCP_TRUST_CLIENT_APPROVAL', 'HUBU_UNIFIED_IDENTITY', 'HUBU_UNIFIED_PRINCIPAL']
const gatewayVariables = entryVariables.filter((name) => !leftToInit.includes(name))

/** The wanted entries by name: one of ours for an agent in gateway mode, copies of its servers in direct mode. */
export function desiredEntries(
  agent: ConfiguredAgent,
  servers: SyncConfig['servers'],
  gateway: () => ServerEntry,
): Map<string, DesiredEntry> {
  if (agent.mode !== 'direct') {
    return new Map([[entryName, { server: gateway(), variables: gatewayVariables, notes: [] }]])
  }
  const isWanted = (name: string): boolean => agent.servers === undefined || agent.servers.includes(name)
  const enabled = Object.entries(servers).filter(([name, server]) => server.enabled === true && isWanted(name))
  return new Map(
    enabled.map(([name, server]) => [name, { server: toDefinition(server), notes: notesOn(name, server) }]),
  )
}

/** Whether the server needs to know for which agent it is started. */
export function hasRouting(agent: ConfiguredAgent): boolean {
  const { servers, tools, pin, tool_schema_budget: budget } = agent
  return servers !== undefined || tools !== undefined || pin !== undefined || (budget !== undefined && budget !== '')
}

function toDefinition({ command, args, env, url, transport }: ConfiguredServer): ServerDefinition {
  return url === undefined
    ? { command, args: [...(args ?? [])], env: { ...env } }
    : { url, transport: transport ?? 'http' }
}

function notesOn(name: string, { headers }: ConfiguredServer): string[] {
  const isLost = headers !== undefined && Object.keys(headers).length > 0
  return isLost ? [`headers of ${name} are not written into clients' files; add them there by hand`] : []
}
