// The gateway with its mounted servers: everything that only a configured router loads.
import type { Clock } from '../timing/clock.ts'
import { invalidParams } from '../answers/refusals.ts'
import type { GatewayConfig } from '#generated/types/config.js'
import type { EnvironmentSource } from '../downstream/environment.ts'
import { createMounts } from '../downstream/mounts.ts'
import type { MountSettings } from '../downstream/running-servers.ts'
import type { Upstream } from '../downstream/upstream.ts'
import { builtInServers } from './built-in-servers.ts'
import { DetachedCalls, type DetachedStore } from './detached-calls.ts'
import { capabilitySummary } from './capability-summary.ts'
import { createCatalogFinder } from './catalog-finder.ts'
import { instructions } from './instructions.ts'
import { createFinishCall } from '../answers/finish.ts'
import type { ResultsPort } from '../calls/handle-call.ts'
import { viewAgent, type AgentLists, type AgentView } from './agent.ts'
import type { ResourceRequests } from '../calls/resource-requests.ts'
import { createGateway, type Gateway, type GatewayOptions } from './gateway.ts'
import { createOfferRequests, type OfferRequests } from './offers.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createWarnings } from './warnings.ts'

/** What can change while the gateway serves. */
export interface GatewaySettings {
  expose: 'all' | 'lazy'
  /** The config file; empty when there is none. */
  file: GatewayConfig
  agent: ({ name: string } & AgentLists) | undefined
  callTimeoutMs: number
  connectTimeoutMs: number
}

/** What serving gives. */
export interface OpenGatewayOptions extends Pick<
  GatewayOptions,
  'trustClientApproval' | 'monitor' | 'usage' | 'record'
> {
  settings: GatewaySettings
  detachedStore?: DetachedStore
  /** How we introduce ourselves to mounted servers. */
  clientInfo: { name: string; version: string }
  environment: EnvironmentSource
  upstream: Upstream
  results: ResultsPort
  /** Whether each backend is configured. */
  hasHubu: boolean
  hasGongbu: boolean
  clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'after' | 'turn'>
  random(): number
  randomHex(): string
  /** `tools/list` answers differently now. */
  onChange(): void
  /** Sentences for the log; they hold names, never contents. */
  warn(message: string): void
}

/** The gateway, and what the server tells and asks of it. */
export interface OpenGateway extends Pick<Gateway, 'answer' | 'list' | 'isInScope'> {
  /** For the next `initialize`. */
  instructions(): string
  /** Other settings count for every request from now on; calls under way keep theirs. */
  apply(settings: GatewaySettings): void
  /** Resources and prompts of mounted servers, beside the stored results. */
  offers(stored: ResourceRequests | undefined): OfferRequests
  /** Begins to connect, once; nobody waits for it. */
  start(): void
  /** The client says that its roots have changed: every server that asked to hear of it does. */
  tellRootsChanged(): void
  /** Passes the client's wish on to every server, also to those that come later. */
  setLogLevel(params: unknown): Promise<object>
  /** The backends' tools have changed; says whether that shows in `tools/list`. */
  noteChange(): boolean
  /** Nothing new is connected or started in the background; calls go on. */
  beginStop(): void
  /** Mounted servers end now, and calls on them with an outcome that nobody knows. */
  endServers(): void
  /** Ends everything that was begun. */
  stop(): Promise<void>
}

/** Changes that come together are told together. */
const mergeMs = 10

export function openGateway(options: OpenGatewayOptions): OpenGateway {
  const { results, clock, detachedStore: store } = options
  const finish = createFinishCall({ budgetBytes: results.budgetBytes, store: results.store, clock })
  const detachedCalls = new DetachedCalls({ ...options, ...(store && { store }) })
  let cancelMerge: (() => void) | undefined
  let isStarted = false
  let told = ''
  let logLevel: string | undefined
  let agent = agentOf(options.settings)
  let { settings } = options

  const subscriptions = createSubscriptions()
  const tellUpdated = (server: string, resource: string) => {
    // One that is out of scope by now may still be finishing a call.
    if (mounts.server(server) === undefined) return
    for (const uri of subscriptions.addressesOf(server, resource))
      options.upstream.tell('notifications/resources/updated', { uri })
  }
  const upstream = { ...options.upstream, tellUpdated }
  const mounts = createMounts({
    ...options,
    ...mountSettings(settings, agent),
    upstream,
    logLevel: () => logLevel,
    onChange: noteMounts,
  })
  const warnOnce = createWarnings(mounts, (message) => options.warn(message))
  let gateway = begin()

  function begin(): Gateway {
    const makeFinder: GatewayOptions['makeFinder'] = (tools) => createCatalogFinder(tools, () => clock.turn())
    return createGateway({ ...options, ...settings, agent, mounts, detachedCalls, finish, makeFinder })
  }

  function noteMounts(): void {
    gateway.invalidate()
    cancelMerge ??= clock.after(mergeMs, () => {
      cancelMerge = undefined
      warnOnce(agent)
      if (noteChange()) options.onChange()
    })
  }

  function noteChange(): boolean {
    const now = gateway.fingerprint()
    const hasChanged = now !== told
    told = now
    return hasChanged
  }

  return {
    answer: (...call) => gateway.answer(...call),
    list: () => gateway.list(),
    isInScope: (server, tool) => gateway.isInScope(server, tool),
    noteChange,
    instructions: () =>
      instructions({
        expose: settings.expose,
        summary: summaryOf(options, settings, agent),
        hasPins: agent.pins.length > 0,
        hasDirectTools: !agent.isBare && options.hasHubu && agent.scope.allowsServer('hubu'),
        budgetBytes: agent.schemaBudgetBytes,
      }),
    apply(changed) {
      settings = changed
      agent = agentOf(changed)
      mounts.apply(mountSettings(changed, agent))
      gateway = begin()
      noteMounts()
    },
    offers: (stored) => createOfferRequests({ mounts, stored, subscriptions }),
    tellRootsChanged: () => {
      for (const { name } of mounts.servers()) mounts.server(name)?.tellRootsChanged()
    },
    start: () => {
      if (isStarted) return
      isStarted = true
      mounts.start()
      warnOnce(agent)
    },
    setLogLevel: async (params) => {
      const level = (logLevel = levelOf(params))
      await Promise.all(mounts.servers().flatMap(({ name }) => mounts.server(name)?.tellLogLevel(level) ?? []))
      return {}
    },
    beginStop: () => {
      mounts.beginStop()
      void detachedCalls.stop()
    },
    endServers: () => void mounts.stop(),
    async stop() {
      cancelMerge?.()
      mounts.beginStop()
      await Promise.all([detachedCalls.stop(), mounts.stop()])
    },
  }
}

const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

function levelOf(params: unknown): string {
  const level = typeof params === 'object' && params !== null ? (params as { level?: unknown }).level : undefined
  if (typeof level === 'string' && logLevels.includes(level)) return level
  throw invalidParams(`level must be one of ${logLevels.join(', ')}`)
}

const agentOf = ({ agent, file }: GatewaySettings): AgentView => viewAgent(agent, file.pin)

function mountSettings(
  { file, callTimeoutMs, connectTimeoutMs }: GatewaySettings,
  { scope }: AgentView,
): MountSettings {
  const servers = file.servers ?? {}
  return { servers, allowsServer: (name) => scope.allowsServer(name), callTimeoutMs, connectTimeoutMs }
}

/** What the configured servers in scope are for. */
function summaryOf(
  { hasHubu, hasGongbu }: OpenGatewayOptions,
  { file }: GatewaySettings,
  { scope, lists }: AgentView,
): string {
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
