// READ THIS FIRST. Builds every room in order, serves MCP on stdio, and tears down in reverse.
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { createGongbuClient } from './backends/gongbu/client.ts'
import { createHubuClient } from './backends/hubu/client.ts'
import { createHandleCall } from './calls/handle-call.ts'
import { createLoggedCall } from './calls/logged-call.ts'
import { clientCapabilities, contractServerName, initializeResult, knowsResourceLinks } from './calls/initialize.ts'
import { createLateResults } from './calls/late-results.ts'
import { listTools } from './calls/list-tools.ts'
import { createResourceRequests } from './calls/resource-requests.ts'
import { toGongbuExecutions } from './calls/worker-executions.ts'
import type { BuildStamp } from './capabilities/compatibility.ts'
import { inWords } from './capabilities/in-words.ts'
import { createMonitor, type Cause } from './capabilities/monitor.ts'
import { readReconciliationCapability, type ReconciliationCapability } from './config/credentials.ts'
import type { Config } from './config/load-config.ts'
import { storesResults } from './config/results-settings.ts'
import type { Log } from './redaction/log.ts'
import type { Secret } from './redaction/secret.ts'
import type { Handlers, CallContext } from './server/handlers.ts'
import { processIsThere } from './results/process-is-there.ts'
import type { Results, ResultsOptions } from './results/results.ts'
import { ListChanged } from './server/list-changed.ts'
import { ToClient } from './server/to-client.ts'
import { serveStdio, type CloseReason, type SignalSource } from './server/serve-stdio.ts'
import { loadGateway, type LoadedGateway } from './serve-gateway.ts'
import { otherHandlers } from './serve-others.ts'
import { openState } from './serve-state.ts'
import { realClock as clock } from './timing/clock.ts'

/** `initialize` waits so long for first probes, counted from the very start. */
const startUpWaitMs = 3000
/** Of that, so long for a registry that somebody keeps locked. */
const registryWaitMs = 2500

/** What a served router needs besides its configuration. */
export interface ServeOptions {
  config: Config
  stamp: BuildStamp
  /** How the server introduces itself; a sandbox says that it is one. Default: the contract's name. */
  serverName?: string
  streams: { stdin: Readable; stdout: Writable }
  signals: SignalSource
  exitNow(): void
  /** Faults that are not refusals, for the redacted log. */
  report(fault: unknown): void
  /** Sentences for the redacted log; silent unless given. */
  log?: Pick<Log, 'warn' | 'info' | 'debug'>
}

/** Serves until the client goes. Everything begun is ended when the promise settles. */
export async function serve(options: ServeOptions): Promise<CloseReason> {
  const { config, stamp } = options
  const serverInfo = { name: options.serverName ?? contractServerName, version: stamp.productVersion }
  const { direct } = config.reconciliation
  const secrets = [config.hubu?.bearer, config.gongbu?.bearer, direct].filter((secret) => secret !== undefined)
  const hubu = config.hubu && createHubuClient({ ...config.hubu, secrets })
  const gongbu = config.gongbu && createGongbuClient({ ...config.gongbu, secrets })
  // The first probes leave before SQLite and the SDK are loaded.
  const probes = { hubu: hubu && firstAtOnce(hubu.probe), gongbu: gongbu && firstAtOnce(gongbu.probe) }
  const startedMs = clock.monotonicMs()
  const listChanged = new ListChanged()
  const state = openState({
    statePath: config.statePath,
    waitMs: registryWaitMs,
    randomHex,
    worker: {
      gongbu: gongbu ? toGongbuExecutions(gongbu) : null,
      tickMs: config.tickMs,
      clock,
    },
  })
  const toClient = new ToClient()
  let revision = ''
  let capabilities: Record<string, unknown> = {}
  const log = options.log ?? silentLog
  const results = createLateResults({
    budgetBytes: storesResults(config.results) ? config.results.budgetBytes : 0,
    load: () =>
      loadResults(config.results, {
        warn: log.warn,
        knowsLinks: () => knowsResourceLinks(revision),
        isInScope: (server, tool) => gateway?.isInScope(server, tool) ?? true,
      }),
    warn: log.warn,
  })
  let gateway: LoadedGateway | undefined
  let teardown = () => Promise.resolve()

  const ready = state.first.then(async (registry): Promise<Handlers> => {
    const monitor = createMonitor({
      probes,
      stamp,
      registry,
      baseIntervalMs: config.pollIntervalMs,
      clock,
      random: Math.random,
    })
    void state.last.then((late) => monitor.setRegistry(late), options.report)
    monitor.onChange((cause) => {
      log.info(`What can be called has changed: ${inWords(monitor.states())}`)
      if (gateway !== undefined && !gateway.noteChange()) return
      listChanged.owe(cause.kind === 'request' ? (cause.id as CallContext) : undefined)
    })
    gateway = await loadGateway(config, {
      monitor,
      results,
      detachedStore: results.detached,
      randomHex,
      upstream: {
        capabilities: () => capabilities,
        ask: (method, params, signal) => toClient.ask(method, params, signal),
        tell: (method, params) => toClient.tell(method, params),
      },
      clientInfo: serverInfo,
      onChange: () => listChanged.owe(),
      warn: log.warn,
    })
    const answerCall = createHandleCall({
      monitor,
      hubu,
      gongbu,
      registry: () => state.registry(),
      trustClientApproval: config.trustClientApproval,
      secrets,
      reconciliation: () => remembered(readReconciliationCapability(config.reconciliation), secrets),
      onAcknowledged: () => state.wake(),
      results,
      ...(gateway && { gateway }),
      clock,
      random: Math.random,
    })
    const handleCall = createLoggedCall(answerCall, { debug: log.debug, clock })
    teardown = async () => {
      await gateway?.stop()
      monitor.stop()
    }
    return {
      initialize: async (params) => {
        capabilities = clientCapabilities(params)
        // Mounted servers are told what the client can do, so they are connected now, but not before this is answered.
        void clock.turn().then(() => gateway?.start())
        const snapshot = await monitor.initialSnapshot(startUpWaitMs - (clock.monotonicMs() - startedMs))
        // What the client lists first; only what differs from it is announced.
        gateway?.noteChange()
        const result = initializeResult(params, snapshot, serverInfo, {
          hasResources: results.isOn || gateway !== undefined,
          hasGateway: gateway !== undefined,
        })
        revision = result.protocolVersion
        log.info(`A client began: ${inWords(monitor.states())}`)
        return gateway === undefined ? result : { ...result, instructions: gateway.instructions() }
      },
      listTools: async (call) => {
        gateway?.start()
        await monitor.refreshIfDue(['hubu', 'gongbu'], requestOf(call))
        if (gateway !== undefined) return { tools: gateway.list().tools }
        return listTools(monitor.states(), { storesResults: results.isOn })
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
      other: otherHandlers(results.isOn ? createResourceRequests(results.load) : undefined, gateway),
    }
  })

  const { reason } = await serveStdio({
    ...options,
    serverInfo,
    handlers: ready,
    listChanged,
    toClient,
    onClosed: () => void ready.then(() => gateway?.beginStop()).catch(() => {}),
    onHurried: () => void ready.then(() => gateway?.endServers()).catch(() => {}),
    teardown: async () => {
      await ready.catch(() => {})
      await teardown()
      await state.end()
      await Promise.all([hubu?.close(), gongbu?.close(), results.close()])
    },
  })
  log.info(`Serving ended (${reason}).`)
  return reason
}

const silentLog: NonNullable<ServeOptions['log']> = { warn: () => {}, info: () => {}, debug: () => {} }

/** The room of stored results on its file. */
async function loadResults(
  settings: Config['results'],
  outside: Pick<ResultsOptions, 'warn' | 'knowsLinks' | 'isInScope'>,
): Promise<Results> {
  const { createResults } = await import('./results/results.ts')
  return createResults({
    ...settings,
    ...outside,
    clock,
    random: Math.random,
    randomHex,
    owner: { name: randomHex(), host: hostname(), processId: process.pid },
    isAlive: processIsThere,
  })
}

/** A capability from a file is a secret of ours from its first use on, whoever repeats it later. */
function remembered(found: ReconciliationCapability, secrets: Secret[]): ReconciliationCapability {
  if (found.kind !== 'capability') return found
  const value = found.secret.reveal()
  if (!secrets.some((known) => known.reveal() === value)) secrets.push(found.secret)
  return found
}

/** The first call gives what was begun when this was made. */
function firstAtOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let first: Promise<T> | undefined = ask()
  return () => {
    const begun = first
    first = undefined
    return begun ?? ask()
  }
}

const requestOf = (call: CallContext): Cause => ({ kind: 'request', id: call })

const randomHex = () => randomBytes(16).toString('hex')
