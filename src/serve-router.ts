// The router behind the wire, for serve.ts: what is known of the backends, the surface, and an answer to every request.
import { createFinishCall } from './answers/finish.ts'
import type { GongbuClient } from './backends/gongbu/client.ts'
import type { HubuClient } from './backends/hubu/client.ts'
import { createContractSurface } from './calls/contract-surface.ts'
import { initializeResult, type ClientProfile } from './calls/initialize.ts'
import { callableBy } from './calls/rights.ts'
import { createToolListText } from './calls/tool-list-text.ts'
import { createEarlierPurchases, type EarlierPurchases } from './calls/find-call.ts'
import { withOperationResources } from './calls/operation-resources.ts'
import { createLoggedCall } from './calls/logged-call.ts'
import { createResourceRequests, type ResourceRequests } from './calls/resource-requests.ts'
import { createSpendCall } from './calls/spend-call.ts'
import { createHandleCall } from './calls/surface.ts'
import { createWaitingDelivery } from './calls/waiting-delivery.ts'
import type { RegistryCapability } from '#generated/types/router.js'
import type { BuildStamp } from './capabilities/compatibility.ts'
import { inWords } from './capabilities/in-words.ts'
import { createMonitor, type Cause, type Monitor, type MonitorOptions } from './capabilities/monitor.ts'
import { readReconciliationCapability } from './config/credentials.ts'
import type { Config } from './config/load-config.ts'
import type { Log } from './redaction/log.ts'
import type { ReconciliationCapability, Secret } from './redaction/secret.ts'
import { loadGateway, type ServedGateway } from './serve-gateway.ts'
import type { ServedResults } from './serve-results.ts'
import type { State } from './serve-state.ts'
import type { CallContext, Handlers } from './wire/handlers.ts'
import type { ListChanged } from './server/list-changed.ts'
import type { ToClient } from './server/to-client.ts'
import { createNews, tellOf } from './serve-news.ts'
import { realClock as clock } from './timing/clock.ts'
import { CannotAsk, everyCapability } from './wire/asking.ts'
import type { NewsHub } from './wire/news-hub.ts'

/** The rooms that are there before the router is. */
export interface RouterRooms {
  config: Config
  stamp: BuildStamp
  serverInfo: { name: string; version: string }
  /** Our tokens; a capability that is read later joins them. */
  secrets: Secret[]
  hubu: HubuClient | undefined
  gongbu: GongbuClient | undefined
  probes: MonitorOptions['probes']
  state: State
  /** What is known of the registry so far. */
  registry: RegistryCapability
  client: ClientProfile
  /** Random for each connection; never shown. */
  connection: Buffer
  results: ServedResults
  toClient: Pick<ToClient, 'ask' | 'tell'>
  listChanged: Pick<ListChanged, 'owe'>
  /** By then `initialize` is answered; on the monotonic clock. */
  startUpEndsMs: number
  randomHex(): string
  report(fault: unknown): void
  log: Pick<Log, 'warn' | 'info' | 'debug'>
}

/** The router, ready to answer. */
export interface Router {
  handlers: Handlers
  /** Undefined where there is nothing but the contract surface. */
  gateway: ServedGateway | undefined
  stop(): Promise<void>
}

export async function openRouter(rooms: RouterRooms): Promise<Router> {
  const { config, hubu, gongbu, state, secrets, client, results, toClient, listChanged, randomHex, log } = rooms
  const openGateway = await loadGateway(config, log.warn)
  const { random } = Math
  const monitor = createMonitor({
    ...rooms,
    spendIdentity: config.spend.identity,
    baseIntervalMs: config.pollIntervalMs,
    clock,
    random,
  })
  void state.last.then((late) => monitor.setRegistry(late), rooms.report)
  void state.lost.then((lost) => monitor.setRegistry(lost))
  const finish = createFinishCall({ ...results, clock })
  const spendCall =
    hubu &&
    createSpendCall({
      hubu,
      spend: () => state.registry()?.spend ?? null,
      onWaiting: () => state.wakeWaiting(),
      monitor,
      secrets,
      clock,
      random,
      warn: log.warn,
    })
  if (spendCall !== undefined) state.completeWaiting(createWaitingDelivery(spendCall))
  const contract = createContractSurface({
    monitor,
    hubu,
    gongbu,
    registry: () => state.registry(),
    spendCall,
    spendIdentity: config.spend.identity,
    connection: rooms.connection,
    trustClientApproval: config.trustClientApproval,
    secrets,
    reconciliation: () => remembered(readReconciliationCapability(config.reconciliation), secrets),
    onAcknowledged: () => state.wake(),
    finish,
    results,
  })
  const { principal } = config.spend
  const purchases = createEarlierPurchases({ registry: () => state.registry(), principal, clock })
  const news: { hub?: NewsHub } = {}
  const begun: { first?: Promise<unknown> } = {}
  const gateway = openGateway?.({
    purchases,
    monitor,
    results,
    contract,
    finish,
    detachedStore: results.detached,
    randomHex,
    upstream: {
      // Each call has a client of its own once one of the modern era has come.
      capabilities: () => (begun.first === undefined ? client.view.capabilities : everyCapability),
      ask: (method, params, signal) =>
        begun.first === undefined ? toClient.ask(method, params, signal) : Promise.reject(new CannotAsk()),
      tell: (method, params, server, principal) =>
        tellOf(news.hub, { method, params, server, principal }) || toClient.tell(method, params),
    },
    clientInfo: rooms.serverInfo,
    onChange: () => listChanged.owe(),
    onNews: () => news.hub?.changed(),
  })
  monitor.onChange((cause) => {
    log.info(`What can be called has changed: ${inWords(monitor.states())}`)
    news.hub?.changed()
    if (gateway !== undefined && !gateway.hasListChanged()) return
    listChanged.owe(cause.kind === 'request' ? (cause.id as CallContext) : undefined)
  })
  const surface = gateway ?? contract
  const handleCall = createLoggedCall(createHandleCall(surface), { debug: log.debug, clock })
  const other = otherHandlers(
    results.isOn ? createResourceRequests(results.load, clock) : undefined,
    purchases,
    gateway,
  )
  news.hub = createNews(contract, gateway, other)
  const toolListText = createToolListText()
  return {
    gateway,
    handlers: {
      initialize: createInitialize(rooms, monitor, gateway),
      listTools: async (call) => {
        gateway?.start()
        await monitor.refreshIfDue(['hubu', 'gongbu'], requestOf(call))
        return toolListText(callableBy(call.caller, surface.list(call.caller)))
      },
      callTool: ({ params, findings }, call) => {
        gateway?.start()
        return handleCall(params, findings, { cause: requestOf(call), ...call })
      },
      initialized: () => {
        monitor.start()
        return monitor.baselineSettled()
      },
      rootsChanged: () => gateway?.tellRootsChanged(),
      began: () => (begun.first ??= beginModern(rooms, monitor, gateway)),
      news: news.hub,
      other,
    },
    async stop() {
      await gateway?.stop()
      monitor.stop()
    },
  }
}

function createInitialize(
  { client, serverInfo, results, startUpEndsMs, log }: RouterRooms,
  monitor: Monitor,
  gateway: ServedGateway | undefined,
): Handlers['initialize'] {
  return async (params, { caller }) => {
    client.tellsCapabilities(params)
    // Mounted servers are told what the client can do, so they are connected now, but not before this is answered.
    void clock.turn().then(() => gateway?.start())
    const snapshot = await monitor.initialSnapshot(startUpEndsMs - clock.monotonicMs())
    // This is what the client lists first; only what differs from it is announced.
    gateway?.hasListChanged()
    const result = initializeResult(params, snapshot, serverInfo, {
      hasResources: results.isOn || gateway !== undefined,
      hasGateway: gateway !== undefined,
    })
    client.speaks(result.protocolVersion)
    log.info(`A client began: ${inWords(monitor.states())}`)
    return gateway === undefined ? result : { ...result, instructions: gateway.instructions(caller) }
  }
}

/** What a handshake begins, for clients that have none. */
async function beginModern(
  { startUpEndsMs, log }: RouterRooms,
  monitor: Monitor,
  gateway: ServedGateway | undefined,
): Promise<void> {
  void clock.turn().then(() => gateway?.start())
  await monitor.initialSnapshot(Math.max(0, startUpEndsMs - clock.monotonicMs()))
  gateway?.hasListChanged()
  monitor.start()
  log.info(`A client began: ${inWords(monitor.states())}`)
}

/** Stored results as resources, and the resources and prompts of mounted servers. */
function otherHandlers(
  stored: ResourceRequests | undefined,
  purchases: EarlierPurchases,
  gateway: ServedGateway | undefined,
): NonNullable<Handlers['other']> {
  const kept = stored && withOperationResources(stored, purchases)
  if (gateway !== undefined) {
    const own = kept ?? withOperationResources(undefined, purchases)
    const requests = ({ caller }: CallContext) => gateway.requests(own, caller)
    return {
      'resources/list': (params, call) => requests(call).listResources(params, call),
      'resources/templates/list': (_params, call) => requests(call).listResourceTemplates(),
      'resources/read': (params, call) => requests(call).readResource(params, call),
      'prompts/list': (_params, call) => Promise.resolve(requests(call).listPrompts()),
      'prompts/get': (params, call) => requests(call).getPrompt(params, call),
      'resources/subscribe': (params, call) => requests(call).subscribe(params, call),
      'resources/unsubscribe': (params, call) => requests(call).unsubscribe(params, call),
      'completion/complete': (params, call) => requests(call).complete(params, call),
      'logging/setLevel': (params, call) => gateway.setLogLevel(params, call),
    }
  }
  if (kept === undefined) return {}
  const viewer = ({ caller: { principal } }: CallContext) => ({ principal, isInScope: () => true })
  return {
    'resources/list': (params, call) => kept.list(params, viewer(call)),
    'resources/templates/list': () => kept.listTemplates(),
    'resources/read': (params, call) => kept.read(params, viewer(call)),
  }
}

/** A capability from a file is a secret of ours from its first use on, whoever repeats it later. */
function remembered(found: ReconciliationCapability, secrets: Secret[]): ReconciliationCapability {
  if (found.kind !== 'capability') return found
  const value = found.secret.reveal()
  if (!secrets.some((known) => known.reveal() === value)) secrets.push(found.secret)
  return found
}

const requestOf = (call: CallContext): Cause => ({ kind: 'request', id: call })
