// This room is every call that does not come in as a contract tool's own: meta-tools, mounted tools, and aliases.
import type { Clock } from '../timing/clock.ts'
import { unknownTool } from '../answers/refusals.ts'
import type { MetaToolName } from '#generated/meta-tools.js'
import type { MetaToolArguments } from '#generated/types/meta-tools.js'
import type { Monitor } from '../capabilities/monitor.ts'
import type { Mounts } from '../downstream/mounts.ts'
import { describeTool } from './meta-tools/describe-tool.ts'
import type { ToolFinder } from './meta-tools/finder.ts'
import { listServers } from './meta-tools/list-servers.ts'
import type { CatalogView } from './meta-tools/query.ts'
import { resolveTool } from './meta-tools/resolve-tool.ts'
import { searchTools } from './meta-tools/search-tools.ts'
import type { CatalogTool } from './catalog/catalog-tool.ts'
import type { DetachedCalls } from './detached-calls.ts'
import { splitName } from '../names/fragment.ts'
import { effectivePins } from '../names/pins.ts'
import type { Envelope } from '../calls/envelope.ts'
import { type Answer, dataAnswer, errorAnswer } from '../answers/answer.ts'
import type { FinishCall } from '../answers/finish.ts'
import type { AnswerTool, CallGateway, CallSource, ResultsPort } from '../calls/handle-call.ts'
import { metaToolName } from '../calls/meta-tool-name.ts'
import { amongTools, type AgentView } from './agent.ts'
import { createCallTool, outOfScope } from './call-tool.ts'
import { createCatalogKeeper } from './catalog-view.ts'
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
import { fingerprint, listThroughGateway, type Listing } from './listing.ts'
import { refuseInexact, refuseMetaArguments } from './meta-arguments.ts'
import { createMountedCall } from './mounted-call.ts'
import { createMountedTools } from './mounted-tools.ts'
import type { RecordCall, UsageReport } from './record-call.ts'
import { recordTool } from './recorded-tool.ts'
import { createTargets } from './targets.ts'

/** What the gateway is made of. */
export interface GatewayOptions {
  expose: 'all' | 'lazy'
  agent: AgentView
  trustClientApproval: boolean
  mounts: Mounts
  monitor: Pick<Monitor, 'states' | 'refreshIfDue'>
  results: Pick<ResultsPort, 'getResult'>
  finish: FinishCall
  callTimeoutMs: number
  connectTimeoutMs: number
  detachedCalls: DetachedCalls
  makeFinder(tools: readonly CatalogTool[]): Promise<ToolFinder>
  /** Throws when it cannot be read now. */
  usage(): UsageReport
  record: RecordCall
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>
}

/** The gateway while its settings count. */
export interface Gateway extends CallGateway {
  list(): Listing
  /** Mounted servers have changed: the catalog is made anew when it is needed. */
  invalidate(): void
  /** Another text whenever `tools/list` answers differently. */
  fingerprint(): string
  /** Whether the agent may see results of this tool. */
  isInScope(server: string, tool: string): boolean
}

/** Makes the gateway of one agent, as one configuration has it: a call keeps to the settings that it came in under. */
export function createGateway(options: GatewayOptions): Gateway {
  const { expose, trustClientApproval, mounts, monitor, results } = options
  const agent = amongTools(options.agent, mounts)
  const mountedTools = createMountedTools(mounts, agent.scope)
  const contractView = (): ContractView => ({
    states: monitor.states(),
    lists: agent.lists,
    trustClientApproval,
    isBare: agent.isBare,
  })
  const catalog = createCatalogKeeper({
    states: () => monitor.states(),
    contract: () => contractCatalog(contractView()),
    mounted: () => mountedTools.catalog(),
    makeFinder: (tools) => options.makeFinder(tools),
  })
  const isInScope = (server: string, tool: string): boolean => {
    const entry = findBuiltInTool(server, tool)
    return entry === undefined ? agent.scope.allows(server, tool) : isContractToolInScope(entry, agent.lists)
  }
  const callMounted = createMountedCall(options)
  const targets = createTargets(mounts, agent, callMounted)
  const { detachedCalls: calls, clock } = options
  const detaching = createDetaching({ calls, mounts, callMounted, isInScope, clock })
  const callTool = createCallTool({ ...options, agent, targets, detaching })

  const list = () =>
    listThroughGateway({
      expose,
      agent,
      trustClientApproval,
      states: monitor.states(),
      mounted: mountedTools.listed(),
    })

  async function view(): Promise<CatalogView> {
    const { finder, ...rest } = catalog.current()
    const connecting = mountedTools
      .standings()
      .filter(({ isEnabled, isConnected, error }) => isEnabled && !isConnected && error === undefined)
      .map(({ server }) => server.name)
    return { ...rest, finder: await finder, connecting }
  }

  function servers(): object {
    const { tools, revision } = catalog.current()
    const { advertised, report } = list()
    return listServers({
      revision,
      servers: [...builtInStandings(contractView(), tools), ...mountedTools.standings()],
      expose,
      pinned: effectivePins(agent.pins, agent.isScoped ? agent.lists : null, agent.scope, agent.resolve),
      advertisedTools: advertised,
      budget: report,
    })
  }

  async function describe({ server = '', tool }: MetaToolArguments['describe_tool'], signal: AbortSignal) {
    const entry = server === '' ? findContractTool(tool) : findBuiltInTool(server, tool)
    if (entry !== undefined) {
      if (!isContractToolInScope(entry, agent.lists)) return errorAnswer(outOfScope(entry.name))
      const known = catalog.current().tools.find(({ publicName }) => publicName === entry.name)
      return dataAnswer(
        known === undefined
          ? { error: 'tool not found', server: entry.row.owner, tool: entry.name }
          : describeTool(known),
      )
    }
    const parts = splitName(server, tool)
    if (parts.server === '' || parts.tool === '') {
      return dataAnswer({ error: 'The server is missing. Give tool as server__tool, or server and tool.' })
    }
    if (agent.scope.allowsServer(parts.server)) await targets.settled(parts.server, signal)
    const target = targets.byPublicName(tool) ?? targets.byParts(parts.server, parts.tool)
    if (!target.isInScope) return errorAnswer(outOfScope(target.origin.namespaced))
    if (target.tool !== undefined) return dataAnswer(describeTool(mountedTools.toCatalogTool(target.tool)))
    return dataAnswer({ error: 'tool not found', server: parts.server, tool: parts.tool })
  }

  /** As far as the agent's scope goes. */
  function usage(): object {
    try {
      const { totals, servers } = options.usage()
      if (!agent.isScoped) return { totals, servers }
      const inScope = servers.filter(({ server }) => agent.scope.allowsServer(server))
      const sum = (of: (usage: (typeof servers)[number]) => number) => inScope.reduce((all, item) => all + of(item), 0)
      return {
        totals: {
          calls: sum(({ calls }) => calls),
          est_tokens: sum((item) => item.est_tokens),
          total_ms: sum((item) => item.avg_ms * item.calls),
          errors: sum(({ errors }) => errors),
          received_bytes: sum((item) => item.received_bytes),
          sent_bytes: sum((item) => item.sent_bytes),
        },
        servers: inScope,
      }
    } catch {
      return { error: 'Usage cannot be read now. Try again later.' }
    }
  }

  /** The contract's tools are searched as they can be called now. */
  const refreshed = (source: CallSource) => monitor.refreshIfDue(['hubu', 'gongbu'], source.cause)

  async function answerMeta(
    name: MetaToolName,
    envelope: Envelope,
    source: CallSource,
    answerTool: AnswerTool,
  ): Promise<Answer> {
    if (name === 'get_result') return results.getResult(envelope.args, envelope.findings)
    const refusal = refuseMetaArguments(name, envelope.args, envelope.findings)
    if (refusal !== undefined) return errorAnswer(refusal)
    const asked = <Name extends MetaToolName>() => envelope.args as unknown as MetaToolArguments[Name]
    switch (name) {
      case 'list_servers':
        await refreshed(source)
        return dataAnswer(servers())
      case 'search_tools':
        await refreshed(source)
        return dataAnswer(searchTools(await view(), asked<'search_tools'>()))
      case 'resolve_tool':
        await refreshed(source)
        return dataAnswer(resolveTool(await view(), asked<'resolve_tool'>()))
      case 'describe_tool':
        await refreshed(source)
        return describe(asked<'describe_tool'>(), source.signal)
      case 'call_tool':
        return callTool({
          envelope,
          asked: asked<'call_tool'>(),
          source,
          answerTool: (via) => recordTool(answerTool, via, options),
        })
      case 'poll_result':
        return detaching.poll(asked<'poll_result'>())
      case 'stats':
        return dataAnswer(usage())
    }
  }

  async function answerMounted({ name, args, meta }: Envelope, source: CallSource): Promise<Answer> {
    const { server, tool } = splitName('', name)
    if (server === '' || tool === '' || isBuiltInServer(server)) throw unknownTool()
    const isKnown = Object.hasOwn(mounts.configured, server)
    if (isKnown && agent.scope.allowsServer(server)) await targets.settled(server, source.signal)
    const target = targets.byPublicName(name) ?? targets.byParts(server, tool)
    if (target.tool === undefined && !isKnown) throw unknownTool()
    if (!target.isInScope) return errorAnswer(outOfScope(target.origin.namespaced))
    const isConnected = mounts.servers().find((view) => view.name === target.origin.server)?.isConnected === true
    if (target.tool === undefined && isConnected) throw unknownTool()
    return targets.call(target, { args, meta, source, via: 'mount' })
  }

  return {
    async answer(envelope, source, answerTool) {
      const meta = metaToolName(envelope.name)
      if (meta !== undefined) return answerMeta(meta, envelope, source, answerTool)
      const entry = findContractTool(envelope.name)
      if (entry === undefined) {
        refuseInexact(envelope.findings)
        return answerMounted(envelope, source)
      }
      if (!isContractToolInScope(entry, agent.lists)) return errorAnswer(outOfScope(entry.name))
      return recordTool(answerTool, 'contract', options)({ ...envelope, entry }, source)
    },
    list,
    invalidate: () => catalog.invalidate(),
    fingerprint() {
      // The index of the new revision is begun now and not by the first search.
      catalog.current()
      return fingerprint(list())
    },
    isInScope,
  }
}
