// Pure: the answer of list_servers.
import type { CatalogServer } from '../catalog/catalog-tool.ts'
import type { SchemaBudgetReport } from '../schema-budget.ts'

/** One server in scope as it stands now. */
export interface ServerStanding {
  server: CatalogServer
  isEnabled: boolean
  isConnected: boolean
  /** Tools in scope when it was last connected. */
  toolCount: number
  /** Why it is not connected, in words without secrets. */
  error?: string
}

/** What the answer is made from. */
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
  return {
    contract_version: 1,
    catalog_revision: view.revision,
    servers: servers.map(toEntry),
    total_tools: servers.filter(({ isConnected }) => isConnected).reduce((sum, { toolCount }) => sum + toolCount, 0),
    expose: view.expose,
    pinned: view.pinned,
    management_tools: managementTools,
    advertised_downstream_tools: view.advertisedTools,
    ...(view.budget !== undefined && { tool_schema_budget: view.budget }),
  }
}

function toEntry({ server, isEnabled, isConnected, toolCount, error }: ServerStanding): object {
  const { name, description, tags, useWhen } = server
  return {
    name,
    enabled: isEnabled,
    connected: isConnected,
    tools: toolCount,
    ...(description && { description }),
    ...(tags && tags.length > 0 && { tags }),
    ...(useWhen && useWhen.length > 0 && { use_when: useWhen }),
    ...(error !== undefined && { error }),
  }
}
