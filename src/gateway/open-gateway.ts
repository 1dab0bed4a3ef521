// The gateway with its mounted servers: everything that only a configured router loads.
import type { GatewayConfig } from '#generated/types/config.js'
import type { FinishCall } from '../answers/finish.ts'
import { invalidParams } from '../answers/refusals.ts'
import type { ContractSurface } from '../calls/contract-surface.ts'
import type { ResourceRequests } from '../calls/resource-requests.ts'
import type { CallSource, Surface } from '../calls/surface.ts'
import type { EnvironmentSource } from '../downstream/environment.ts'
import { createMounts, type Mounts } from '../downstream/mounts.ts'
import type { ReviewTools } from '../downstream/tool-review.ts'
import type { MountSettings } from '../downstream/running-servers.ts'
import type { Upstream } from '../downstream/upstream.ts'
import { member } from '../json/read.ts'
import { resourceAddress } from '../names/resource-address.ts'
import type { Clock } from '../timing/clock.ts'
import { viewOf, type AgentView, type ServedAgents } from './agent.ts'
import { logLevels, rankOf } from '../wire/modern.ts'
import { localCaller, type Caller } from '../wire/request.ts'
import { CallsUnderWay } from './calls-under-way.ts'
import { createCatalogFinder } from './catalog-finder.ts'
import { DetachedCalls, type DetachedOptions } from './detached-calls.ts'
import type { GivenAddresses } from './given-addresses.ts'
import { createGateway, type Gateway, type GatewayOptions } from './gateway.ts'
import { instructionsFor, type OwnBackends } from './own-instructions.ts'
import { ListWatch, MountChanges } from './list-watch.ts'
import { createMountedCall } from './mounted-call.ts'
import { createMountedRequests } from './mounted-requests.ts'
import { offerDigests } from './offer-digests.ts'
import type { MountedRequests } from './offer-requests.ts'
import { recordContractCalls, recordMountedCalls, type RecordCall } from './recording.ts'
import { ResourceNews } from './resource-news.ts'
import { Views } from './views.ts'
import { createSubscriptions, type Subscriptions } from './subscriptions.ts'
import { createWarnings } from './warnings.ts'

/** What can change while the gateway serves. */
export interface GatewaySettings extends ServedAgents, Pick<MountSettings, 'connectTimeoutMs' | 'connectTimeoutsMs'> {
  expose: 'all' | 'lazy'
  /** The config file; empty when there is none. */
  file: GatewayConfig
  callTimeoutMs: number
}

/** The rooms behind a gateway, and its way to the client. */
export interface OpenGatewayOptions
  extends OwnBackends, Pick<GatewayOptions, 'trustClientApproval' | 'monitor' | 'usage' | 'results' | 'purchases'> {
  settings: GatewaySettings
  /** The contract's tools, which the gateway holds. */
  contract: Pick<ContractSurface, 'answerTool'>
  finish: FinishCall
  record: RecordCall
  detachedStore?: DetachedOptions['store']
  /** How we introduce ourselves to mounted servers. */
  clientInfo: { name: string; version: string }
  environment: EnvironmentSource
  upstream: Omit<Upstream, 'tellUpdated'>
  clock: Clock
  random(): number
  randomHex(): string
  /** `tools/list` answers differently now. */
  onChange(): void
  /** Looks at what mounted servers list. */
  review?: ReviewTools
  /** Something of what mounted servers offer may be different now. */
  onNews(): void
  /** Sentences for the log; they hold names, never contents. */
  warn(message: string): void
}

/** The gateway, and what the server tells and asks of it. */
export interface OpenGateway extends Surface {
  /** For the next `initialize` of this caller. */
  instructions(caller: Caller): string
  /** Other settings count for every request from now on; calls under way keep theirs. */
  apply(settings: GatewaySettings): void
  /** A caller's requests about resources and prompts of mounted servers, beside the stored results. */
  requests(stored: ResourceRequests | undefined, caller: Caller): MountedRequests
  /** Whether callers may be bound to this agent here. */
  servesAgent(name: string): boolean
  /** Begins to connect, once; nobody waits for it. */
  start(): void
  /** The client says that its roots have changed: every server that asked to hear of it does. */
  tellRootsChanged(): void
  /** Passes a client's wish on to every server, also to those that come later. */
  setLogLevel(params: unknown, call: Pick<CallSource, 'log'>): Promise<object>
  /** Whether a caller may see everything of a server. */
  seesServer(caller: Caller, server: string): boolean
  /** For each list another text whenever this caller would be answered differently. */
  digests(caller: Caller): { tools: string; prompts: string; resources: string }
  /** Whether `tools/list` answers otherwise than when this was asked last. */
  hasListChanged(): boolean
  /** Nothing new is connected or started in the background; calls go on. */
  beginStop(): void
  /** Mounted servers end now, and calls on them with an outcome that nobody knows. */
  endServers(): void
  /** Ends everything that was begun. */
  stop(): Promise<void>
}

export function openGateway(options: OpenGatewayOptions): OpenGateway {
  const { clock, contract, finish, detachedStore: store } = options
  const present: Present = { settings: options.settings, agent: viewOf(options.settings), logLevel: undefined }
  const detachedCalls = new DetachedCalls({ ...options, ...(store && { store }) })
  const subscriptions = createSubscriptions((server, uri) =>
    server === mounts.bare ? uri : resourceAddress(server, uri),
  )
  const changes = new MountChanges()
  const underWay = new CallsUnderWay({
    onLogLevel: (level) => lowerLogLevel(level),
    askTheOne: (server) => (method, params, signal) => options.upstream.ask(method, params, signal, server),
    connectionOf: (server) => mounts.server(server)?.connection,
    isRemote: (server) => present.settings.file.servers?.[server]?.url !== undefined,
  })
  const mounts: Mounts = mountServers(options, present, { subscriptions, changes, underWay })
  const tellLogLevel = async (level: string) => {
    present.logLevel = level
    await Promise.all(mounts.servers().flatMap(({ name }) => mounts.server(name)?.tellLogLevel(level) ?? []))
  }
  // Servers have one level for all calls, so it is the lowest that any of them asked for, and never so high that those who asked for
  // none miss what servers send by themselves.
  const lowerLogLevel = (asked: string) => {
    const level = rankOf(asked) < rankOf('info') ? asked : 'info'
    if (present.logLevel === undefined || rankOf(level) < rankOf(present.logLevel)) void tellLogLevel(level)
  }
  const warnOnce = createWarnings(mounts, (message) => options.warn(message))
  const callContract = recordContractCalls(contract.answerTool, options)

  const makeFinder: GatewayOptions['makeFinder'] = (tools) => createCatalogFinder(tools, () => clock.turn())
  const configure = (before?: Views): Views => {
    const { settings } = present
    const makeGateway = (agent: AgentView, given: GivenAddresses): Gateway => {
      const mounted = createMountedCall({ ...settings, mounts, finish, given, underWay })
      const callMounted = recordMountedCalls(mounted, options)
      const rooms = { mounts, changes, detachedCalls, callContract, callMounted, makeFinder }
      return createGateway({ ...options, ...settings, ...rooms, agent })
    }
    return new Views({ viewOf: (bound) => viewOf(settings, bound), makeGateway }, before)
  }
  const configured = { views: configure(), isStarted: false }
  const watch = new ListWatch({
    clock,
    fingerprint: () => configured.views.of(localCaller).gateway.fingerprint(),
    onRest: () => warnOnce(present.agent),
    onChange: () => options.onChange(),
  })
  changes.onEach(() => {
    watch.check()
    options.onNews()
  })

  return {
    answer: (call, source) => configured.views.of(source.caller).gateway.answer(call, source),
    list: (caller) => configured.views.of(caller).gateway.list(),
    hasListChanged: () => watch.hasChanged(),
    digests: (caller) => {
      const { gateway, agent } = configured.views.of(caller)
      return { tools: gateway.fingerprint(), ...offerDigests(mounts, (server) => agent.scope.allowsOffers(server)) }
    },
    instructions: (caller) =>
      instructionsFor(options, { settings: present.settings, agent: configured.views.of(caller).agent }),
    apply(changed) {
      present.settings = changed
      present.agent = viewOf(changed)
      mounts.apply(mountSettings(changed, present.agent))
      configured.views = configure(configured.views)
      watch.check()
      options.onNews()
    },
    requests(stored, caller) {
      const { agent, gateway, given } = configured.views.of(caller)
      const seesServer = (server: string) => agent.scope.allowsOffers(server)
      const { isInScope } = gateway
      return createMountedRequests({ mounts, stored, subscriptions, given, underWay, seesServer, isInScope })
    },
    servesAgent(name) {
      const { agent, agentNamed } = present.settings
      return agent === undefined ? agentNamed(name) !== undefined : agent.name === name
    },
    tellRootsChanged: () => {
      for (const { name } of mounts.servers()) mounts.server(name)?.tellRootsChanged()
    },
    start: () => {
      if (configured.isStarted) return
      configured.isStarted = true
      mounts.start()
      warnOnce(present.agent)
    },
    seesServer: (caller, server) => configured.views.of(caller).agent.scope.allowsOffers(server),
    setLogLevel: async (params, { log }) => {
      const level = levelOf(params)
      // Of several clients each has its own, which the edge knows; servers send what any of them wants.
      if (log === undefined) await tellLogLevel(level)
      else lowerLogLevel(level)
      return {}
    },
    beginStop: () => {
      mounts.beginStop()
      void detachedCalls.stop()
    },
    endServers: () => void mounts.stop(),
    async stop() {
      watch.stop()
      mounts.beginStop()
      await Promise.all([detachedCalls.stop(), mounts.stop()])
    },
  }
}

function levelOf(params: unknown): string {
  const level = member(params, 'level')
  if (typeof level === 'string' && rankOf(level) >= 0) return level
  throw invalidParams(`level must be one of ${logLevels.join(', ')}`)
}

/** What counts now. */
interface Present {
  settings: GatewaySettings
  agent: AgentView
  /** What the client asked for last. */
  logLevel: string | undefined
}

function mountServers(
  options: OpenGatewayOptions,
  present: Present,
  {
    subscriptions,
    changes,
    underWay,
  }: { subscriptions: Subscriptions; changes: MountChanges; underWay: CallsUnderWay },
): Mounts {
  const news = new ResourceNews({
    clock: options.clock,
    tell: (uri) => options.upstream.tell('notifications/resources/updated', { uri }, ''),
  })
  const mounts: Mounts = createMounts({
    ...options,
    ...mountSettings(present.settings, present.agent),
    upstream: {
      ...options.upstream,
      ask: (method, params, signal, server) => underWay.ask(server, method, params, signal),
      tell: (method, params, server) =>
        method === 'notifications/message'
          ? underWay.log(server, params, (principal) => options.upstream.tell(method, params, server, principal))
          : options.upstream.tell(method, params, server),
      tellUpdated(server, resource) {
        // One that is out of scope by now may still be finishing a call.
        if (mounts.server(server) === undefined) return
        for (const uri of subscriptions.addressesOf(server, resource)) news.changed(uri)
      },
    },
    logLevel: () => present.logLevel,
    onChange: () => changes.note(),
  })
  return mounts
}

function mountSettings(
  { file, callTimeoutMs, connectTimeoutMs, connectTimeoutsMs }: GatewaySettings,
  { scope }: AgentView,
): MountSettings {
  const servers = file.servers ?? {}
  return {
    servers,
    allowsServer: (name) => scope.allowsServer(name),
    callTimeoutMs,
    connectTimeoutMs,
    connectTimeoutsMs,
  }
}
