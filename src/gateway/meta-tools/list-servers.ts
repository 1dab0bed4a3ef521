// Pure: the answer of list_servers.
import type { CatalogServer } from '../catalog/catalog-tool.ts'
import { clip } from './compact.ts'
import type { SchemaBudgetReport } from '../schema-budget.ts'

/** One server in scope as it stands now. */
export interface ServerStanding {
  server: CatalogServer
  isEnabled: boolean
  isConnected: boolean
  /** Tools in scope when it was last connected. */
  toolCount: number
  /** Tools in scope that are not shown and not called until a person accepts them, by their public names; absent: none. */
  heldTools?: readonly string[]
  /** What the server says of its use. */
  instructions?: string
  /** Why it is not connected, in words without secrets. */
  error?: string
}

/** The servers as one agent sees them at one revision. */
export interface ServersView {
  revision: string
  servers: readonly ServerStanding[]
  expose: 'all' | 'lazy'
  pinned: readonly string[]
  /** Tools that `tools/list` shows besides the meta-tools. */
  advertisedTools: number
  budget: SchemaBudgetReport | undefined
}

/** How many meta-tools there are. */
const managementTools = 8

export function listServers(view: ServersView): object {
  const servers = [...view.servers].sort((a, b) => (a.server.name < b.server.name ? -1 : 1))
  const talkers = servers.filter(({ instructions }) => instructions !== undefined).length
  const instructionsBytes = Math.min(mostInstructionsBytes, Math.floor(allInstructionsBytes / Math.max(1, talkers)))
  return {
    contract_version: 1,
    catalog_revision: view.revision,
    servers: servers.map((standing) => toEntry(standing, instructionsBytes)),
    total_tools: servers.filter(({ isConnected }) => isConnected).reduce((sum, { toolCount }) => sum + toolCount, 0),
    expose: view.expose,
    pinned: view.pinned,
    management_tools: managementTools,
    advertised_downstream_tools: view.advertisedTools,
    ...(view.budget !== undefined && { tool_schema_budget: view.budget }),
  }
}

/** So many are named. */
const mostHeldTools = 100

/** What servers say of themselves gets so much room, each, and all together. */
const mostInstructionsBytes = 2048
const allInstructionsBytes = 16 * 1024

function toEntry(standing: ServerStanding, instructionsBytes: number): object {
  const { server, isEnabled, isConnected, toolCount, heldTools = [], instructions, error } = standing
  const { name, description, tags, useWhen } = server
  return {
    name,
    enabled: isEnabled,
    connected: isConnected,
    tools: toolCount,
    ...(heldTools.length > 0 && { held_tools: heldTools.slice(0, mostHeldTools) }),
    ...(description && { description }),
    ...(tags && tags.length > 0 && { tags }),
    ...(useWhen && useWhen.length > 0 && { use_when: useWhen }),
    ...(instructions !== undefined && { instructions: clip(instructions, instructionsBytes) }),
    ...(error !== undefined && { error }),
  }
}
