// What the gateway says of its use to each caller, with the servers that it may see.
import type { GatewayConfig } from '#generated/types/config.js'
import type { Caller } from '../wire/request.ts'
import { viewOf, type AgentView, type ServedAgents } from './agent.ts'
import { builtInServers } from './built-in-servers.ts'
import { capabilitySummary } from './capability-summary.ts'
import { instructions } from './instructions.ts'

/** What there is besides mounted servers. */
export interface OwnBackends {
  /** Whether the router names purchases that no harness named. */
  namesPurchases: boolean
  /** Whether each backend is configured. */
  hasHubu: boolean
  hasGongbu: boolean
}

/** What counts now. */
interface Told {
  expose: 'all' | 'lazy'
  file: GatewayConfig
}

/** What the gateway says of its use, before it is opened. */
export const instructionsOf = (options: OwnBackends, settings: Told & ServedAgents, caller: Caller): string =>
  instructionsFor(options, { settings, agent: viewOf(settings, caller.agent) })

/** The same with the caller's agent at hand. */
export function instructionsFor(
  options: OwnBackends,
  { settings, agent }: { settings: Told; agent: AgentView },
): string {
  return instructions({
    expose: settings.expose,
    summary: summaryOf(options, settings, agent),
    hasPins: agent.pins.length > 0,
    hasDirectTools: !agent.isBare && options.hasHubu && agent.scope.allowsServer('hubu'),
    namesPurchases: options.namesPurchases && !agent.isBare && options.hasHubu && agent.scope.allowsServer('hubu'),
    budgetBytes: agent.schemaBudgetBytes,
  })
}

/** What the configured servers in scope are for. */
function summaryOf({ hasHubu, hasGongbu }: OwnBackends, { file }: Told, { scope, lists }: AgentView): string {
  const built = [...(hasHubu ? [builtInServers.hubu] : []), ...(hasGongbu ? [builtInServers.gongbu] : [])].map(
    ({ useWhen, ...server }) => ({ ...server, use_when: useWhen }),
  )
  const mounted = Object.entries(file.servers ?? {})
    .filter(([, server]) => server.enabled === true)
    .map(([name, { description, tags, use_when }]) => ({ name, description, tags, use_when }))
  return capabilitySummary(
    [...built, ...mounted].filter(({ name }) => scope.allowsServer(name)),
    lists.tools === undefined ? null : lists,
  )
}
