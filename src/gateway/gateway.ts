// This room is the gateway: the contract's tools and those of mounted servers, under the names and in the scope of one agent.
import { errorAnswer, type Answer } from '../answers/answer.ts'
import { unknownTool } from '../answers/refusals.ts'
import type { Monitor } from '../capabilities/monitor.ts'
import type { ToolScope } from '../results/results.ts'
import type { Envelope } from '../calls/envelope.ts'
import type { EarlierPurchases } from '../calls/find-call.ts'
import { metaToolName } from '../catalog/meta-tool-name.ts'
import type { CallSource, Surface } from '../calls/surface.ts'
import type { Mounts } from '../downstream/mounts.ts'
import { splitName } from '../names/short-name.ts'
import { effectivePins } from '../names/pins.ts'
import type { Clock } from '../timing/clock.ts'
import { withKnownTools, type AgentView } from './agent.ts'
import { createCallTool, directCallRequired } from './call-tool.ts'
import { outOfScope } from './out-of-scope.ts'
import { createCatalogKeeper } from './catalog-view.ts'
import type { CatalogTool } from './catalog/catalog-tool.ts'
import {
  builtInStandings,
  contractCatalog,
  findBuiltInTool,
  findContractTool,
  isBuiltInServer,
  isContractToolInScope,
  type ContractView,
} from './contract-tools.ts'
import { createDetaching } from './detach.ts'
import type { DetachedCalls } from './detached-calls.ts'
import { answerOwn, findGatewayTool, gatewayTools } from './gateway-tools.ts'
import { fingerprint, listThroughGateway } from './listing.ts'
import { refuseInexact } from './meta-arguments.ts'
import { createMetaCalls, type MetaCallOptions } from './meta-calls.ts'
import type { ToolFinder } from './meta-tools/finder.ts'
import type { ServersView } from './meta-tools/list-servers.ts'
import type { CatalogView } from './meta-tools/query.ts'
import { toAnswer, type CallMounted } from './mounted-call.ts'
import { createMountedTools } from './mounted-tools.ts'
import type { CallContract } from './recording.ts'
import { createFindTarget } from './targets.ts'

/** The rooms of a gateway under one configuration. */
export interface GatewayOptions extends Pick<MetaCallOptions, 'results' | 'usage'> {
  expose: 'all' | 'lazy'
  agent: AgentView
  trustClientApproval: boolean
  callTimeoutMs: number
  mounts: Mounts
  /** Counts changes of the mounted servers: the catalog is made anew after each. */
  changes: { readonly count: number }
  monitor: Pick<Monitor, 'states' | 'refreshIfDue'>
  detachedCalls: DetachedCalls
  /** Both are recorded. */
  callContract: CallContract
  callMounted: CallMounted
  /** What became of earlier purchases. */
  purchases: Pick<EarlierPurchases, 'of'>
  makeFinder(tools: readonly CatalogTool[]): Promise<ToolFinder>
  clock: Pick<Clock, 'nowMs'>
}

/** The gateway while its settings count. */
export interface Gateway extends Pick<Surface, 'answer'> {
  /** What `tools/list` shows now. */
  list(): object[]
  /** Another text whenever `tools/list` answers differently. */
  fingerprint(): string
  /** Whether the agent may see results of this tool. */
  isInScope: ToolScope
}

/** Makes the gateway of one agent, as one configuration has it: a call keeps to the settings that it came in under. */
export function createGateway(options: GatewayOptions): Gateway {
  const { mounts, callContract, callMounted, detachedCalls: calls, clock } = options
  const agent = withKnownTools(options.agent, mounts)
  const isInScope = scopeOf(agent)
  const sight = createSight(options, agent)
  const findTarget = createFindTarget(mounts, agent)
  const detaching = createDetaching({ calls, mounts, callMounted, isInScope, clock })
  const answerMeta = createMetaCalls({
    ...options,
    ...sight,
    agent,
    findTarget,
    detaching,
    isInScope,
    callTool: createCallTool({ ...options, agent, findTarget, detaching }),
    refreshBackends: ({ cause }) => options.monitor.refreshIfDue(['hubu', 'gongbu'], cause),
  })

  /** Whoever is bound to a scope by its token does not learn what else there is. */
  function outside(name: string): Answer {
    if (agent.isBound) throw unknownTool()
    return errorAnswer(outOfScope(name))
  }

  async function answerMounted({ name: given, args, meta }: Envelope, source: CallSource): Promise<Answer> {
    const { server, tool } = splitName('', given, mounts.bare)
    if (server === '' || tool === '' || isBuiltInServer(server)) throw unknownTool()
    const target = await findTarget({ given, server, tool }, source.signal)
    if (target.tool === undefined && !Object.hasOwn(mounts.configured, server)) throw unknownTool()
    if (!target.isInScope) return outside(target.origin.namespaced)
    if (target.tool === undefined && mounts.view(server)?.isConnected === true) throw unknownTool()
    return toAnswer(await callMounted({ target, args, meta, source, via: 'mount' }), target.origin)
  }

  return {
    async answer(envelope, source) {
      const meta = metaToolName(envelope.name)
      if (meta !== undefined) return answerMeta(meta, envelope, source)
      const entry = findContractTool(envelope.name)
      if (entry === undefined && findGatewayTool('', envelope.name) !== undefined)
        return answerOwn(options, agent, envelope, source.caller)
      if (entry === undefined) {
        refuseInexact(envelope.findings)
        return answerMounted(envelope, source)
      }
      if (!isContractToolInScope(entry, agent.lists)) return outside(entry.name)
      // A client asks a human by the name that it lists, so a protected tool runs under no other, and not unlisted.
      if (entry.row.approval_class === 'protected' && (envelope.name !== entry.name || agent.isBare))
        throw directCallRequired(entry, { agent, trustClientApproval: options.trustClientApproval })
      return callContract({ ...envelope, entry }, source, 'contract')
    },
    list: () => sight.list().tools,
    fingerprint() {
      // The index of the new revision is begun now and not by the first search.
      sight.catalogTools()
      return fingerprint(sight.list())
    },
    isInScope,
  }
}

function scopeOf(agent: AgentView): ToolScope {
  return (server, tool) => {
    const entry = findBuiltInTool(server, tool)
    return entry === undefined ? agent.scope.allows(server, tool) : isContractToolInScope(entry, agent.lists)
  }
}

/** What the agent can see now: the list, the catalog and the servers. */
function createSight(options: GatewayOptions, agent: AgentView) {
  const { expose, trustClientApproval, mounts, monitor } = options
  const mountedTools = createMountedTools(mounts, agent.scope)
  const contractView = (): ContractView => ({
    states: monitor.states(),
    lists: agent.lists,
    rights: agent.rights,
    trustClientApproval,
    isBare: agent.isBare,
  })
  const keeper = createCatalogKeeper({
    generation: () => options.changes.count,
    states: () => monitor.states(),
    contract: () => [
      ...contractCatalog(contractView()),
      ...gatewayTools(monitor.states(), agent).map((tool) => tool.catalog),
    ],
    mounted: () => mountedTools.catalog(),
    makeFinder: (tools) => options.makeFinder(tools),
  })
  const list = () =>
    listThroughGateway({
      expose,
      agent,
      trustClientApproval,
      states: monitor.states(),
      mounted: mountedTools.listed(),
    })

  async function catalog(): Promise<CatalogView> {
    const { finder, ...rest } = keeper.current()
    const connecting = mountedTools
      .standings()
      .filter(({ isEnabled, isConnected, error }) => isEnabled && !isConnected && error === undefined)
      .map(({ server }) => server.name)
    return { ...rest, finder: await finder, connecting }
  }

  function servers(): ServersView {
    const { tools, revision } = keeper.current()
    const { advertised, report } = list()
    return {
      revision,
      servers: [...builtInStandings(contractView(), tools), ...mountedTools.standings()],
      expose,
      pinned: effectivePins(agent.pins, agent.isScoped ? agent.lists : null, agent.scope, agent.resolve),
      advertisedTools: advertised,
      budget: report,
    }
  }

  return {
    mountedTools,
    list,
    catalog,
    servers,
    /** Makes the catalog when it has changed, and begins its index. */
    catalogTools: () => keeper.current().tools,
  }
}
