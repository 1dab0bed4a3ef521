// READ THIS FIRST. Builds every room in order, serves MCP on stdio, and tears down in reverse.
import { randomBytes } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { createGongbuClient } from './backends/gongbu/client.ts'
import { createHubuClient } from './backends/hubu/client.ts'
import { createAnswerWatch } from './calls/answer-watch.ts'
import { ClientProfile, contractServerName } from './calls/initialize.ts'
import { toGongbuExecutions } from './calls/worker-executions.ts'
import type { BuildStamp } from './capabilities/compatibility.ts'
import type { Config } from './config/load-config.ts'
import type { Log } from './redaction/log.ts'
import { redactSecrets } from './redaction/replace.ts'
import { openRouter } from './serve-router.ts'
import { openResults } from './serve-results.ts'
import { openState } from './serve-state.ts'
import { ListChanged } from './server/list-changed.ts'
import { serveStdio, type CloseReason, type SignalSource } from './server/serve-stdio.ts'
import { ToClient } from './server/to-client.ts'
import { realClock as clock } from './timing/clock.ts'
import { createClockWitness } from './timing/clock-witness.ts'

/** `initialize` waits so long for first probes, counted from the very start. */
const startUpWaitMs = 3000
/** Of that, so long for a registry that somebody keeps locked. */
const registryWaitMs = 2500

/** A served router's configuration, and the process around it. */
export interface ServeOptions {
  config: Config
  stamp: BuildStamp
  /** How the server introduces itself; a sandbox says that it is one. Default: the contract's name. */
  serverName?: string
  streams: { stdin: Readable; stdout: Writable }
  signals: SignalSource
  /** Who started us, now; absent: it is not looked. */
  parentId?(): number
  exitNow(): void
  /** Faults that are not refusals, for the redacted log. */
  report(fault: unknown): void
  /** Sentences for the redacted log; silent unless given. */
  log?: Pick<Log, 'warn' | 'info' | 'debug'>
}

/** Serves until the client goes. Everything begun is ended when the promise settles. */
export async function serve(options: ServeOptions): Promise<CloseReason> {
  const { config, stamp, report, log = silentLog } = options
  const serverInfo = { name: options.serverName ?? contractServerName, version: stamp.productVersion }
  const { direct } = config.reconciliation
  const secrets = [config.hubu?.bearer, config.gongbu?.bearer, direct].filter((secret) => secret !== undefined)
  const witness = createClockWitness(clock, log.warn)
  const hears = (backend: string) => ({ onDate: (atMs: number) => witness.heard(backend, atMs) })
  const hubu = config.hubu && createHubuClient({ ...config.hubu, ...hears('hubu'), secrets })
  const gongbu = config.gongbu && createGongbuClient({ ...config.gongbu, ...hears('gongbu'), secrets })
  // The first probes leave before SQLite and the SDK are loaded.
  const probes = { hubu: hubu && begunAlready(hubu.probe), gongbu: gongbu && begunAlready(gongbu.probe) }
  const startUpEndsMs = clock.monotonicMs() + startUpWaitMs
  const state = openState({
    statePath: config.statePath,
    rules: config.spend,
    stamp,
    redact: (text) => redactSecrets(text, secrets, '<redacted>'),
    waitMs: registryWaitMs,
    warn: log.warn,
    randomHex,
    witness,
    worker: { gongbu: gongbu ? toGongbuExecutions(gongbu) : null, tickMs: config.tickMs, clock },
  })
  const client = new ClientProfile()
  const results = openResults(config.results, {
    warn: log.warn,
    knowsLinks: () => client.knowsResourceLinks,
    randomHex,
  })
  const [toClient, listChanged] = [new ToClient(), new ListChanged()]
  const connection = randomBytes(16)
  const rooms = {
    config,
    stamp,
    serverInfo,
    secrets,
    hubu,
    gongbu,
    probes,
    state,
    client,
    connection,
    results,
    toClient,
    listChanged,
  }
  const router = state.first.then((registry) =>
    openRouter({ ...rooms, registry, startUpEndsMs, randomHex, report, log }),
  )

  const { reason } = await serveStdio({
    ...options,
    serverInfo,
    handlers: router.then(({ handlers }) => handlers),
    listChanged,
    toClient,
    answers: createAnswerWatch(() => state.deliveries(), connection.toString('hex')),
    onClosed: () => void router.then(({ gateway }) => gateway?.beginStop()).catch(() => {}),
    onHurried: () => void router.then(({ gateway }) => gateway?.endServers()).catch(() => {}),
    teardown: async () => {
      const opened = await router.catch(() => undefined)
      await opened?.stop()
      await state.end()
      await Promise.all([hubu?.close(), gongbu?.close(), results.close()])
    },
  })
  log.info(`Serving ended (${reason}).`)
  return reason
}

const silentLog: NonNullable<ServeOptions['log']> = { warn: () => {}, info: () => {}, debug: () => {} }

/** Asks now; the first call gives what this brings, and each later one asks again. */
function begunAlready<T>(ask: () => Promise<T>): () => Promise<T> {
  const begun = [ask()]
  return () => begun.pop() ?? ask()
}

const randomHex = () => randomBytes(16).toString('hex')
