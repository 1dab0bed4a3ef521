// Builds every room behind the edges in order, and ends them in reverse; for whichever edge serves.
import { randomBytes } from 'node:crypto'
import { createGongbuClient } from './backends/gongbu/client.ts'
import { createHubuClient } from './backends/hubu/client.ts'
import { ClientProfile, contractServerName, discoverResult } from './calls/initialize.ts'
import { toGongbuExecutions } from './calls/worker-executions.ts'
import type { BuildStamp } from './capabilities/compatibility.ts'
import type { Config } from './config/load-config.ts'
import type { Log } from './redaction/log.ts'
import { redactSecrets } from './redaction/replace.ts'
import { gatewayInstructions } from './serve-gateway.ts'
import { openResults } from './serve-results.ts'
import { openRouter, type Router, type RouterRooms } from './serve-router.ts'
import { openState, type State } from './serve-state.ts'
import { realClock as clock } from './timing/clock.ts'
import type { Caller } from './wire/request.ts'
import { createClockWitness } from './timing/clock-witness.ts'

/** The first answer waits so long for first probes, counted from the very start. */
const startUpWaitMs = 3000
/** Of that, so long for a registry that somebody keeps locked. */
const registryWaitMs = 2500

/** A served router's configuration, and the way to its client. */
export interface RoomsOptions extends Pick<RouterRooms, 'toClient' | 'listChanged' | 'report'> {
  config: Config
  stamp: BuildStamp
  /** How the server introduces itself; a sandbox says that it is one. Default: the contract's name. */
  serverName?: string
  log: Pick<Log, 'warn' | 'info' | 'debug'>
}

/** The rooms while the process runs. */
export interface ServedRooms {
  serverInfo: { name: string; version: string }
  state: State
  client: ClientProfile
  /** Random; never shown. */
  connection: Buffer
  router: Promise<Router>
  /** The answer to `server/discover`, which waits for nothing. */
  discover(caller: Caller): Promise<object>
  /** Ends everything that was begun here. */
  end(): Promise<void>
}

/** Opens them; nothing is waited for. */
export function openRooms(options: RoomsOptions): ServedRooms {
  const { config, stamp, log } = options
  const serverInfo = { name: options.serverName ?? contractServerName, version: stamp.productVersion }
  const { direct } = config.reconciliation
  const secrets = [config.hubu?.bearer, config.gongbu?.bearer, direct].filter((secret) => secret !== undefined)
  const witness = createClockWitness(clock, log.warn, [
    ...(config.hubu ? ['hubu'] : []),
    ...(config.gongbu ? ['gongbu'] : []),
  ])
  const hears = (backend: string) => ({ onDate: (atMs: number | null) => witness.heard(backend, atMs) })
  const hubu = config.hubu && createHubuClient({ ...config.hubu, ...hears('hubu'), secrets })
  const gongbu = config.gongbu && createGongbuClient({ ...config.gongbu, ...hears('gongbu'), secrets })
  // The first probes leave before SQLite is loaded.
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
    randomHex,
  })
  const connection = randomBytes(16)
  const rooms = { ...options, serverInfo, secrets, hubu, gongbu, probes, state, client, connection, results }
  const router = state.first.then((registry) => openRouter({ ...rooms, registry, startUpEndsMs, randomHex }))
  return {
    serverInfo,
    state,
    client,
    connection,
    router,
    async discover(caller) {
      const instructions = await gatewayInstructions(config, caller)
      return discoverResult({ hasResources: results.isOn || instructions !== undefined, instructions })
    },
    async end() {
      const opened = await router.catch(() => undefined)
      await opened?.stop()
      await state.end()
      await Promise.all([hubu?.close(), gongbu?.close(), results.close()])
    },
  }
}

/** Asks now; the first call gives what this brings, and each later one asks again. */
function begunAlready<T>(ask: () => Promise<T>): () => Promise<T> {
  const begun = [ask()]
  return () => begun.pop() ?? ask()
}

/** 32 random hex digits. */
export const randomHex: () => string = createRandomHex()

function createRandomHex(): () => string {
  let [block, at] = [randomBytes(0), 0]
  return () => {
    // Drawn in blocks, because a draw of its own costs more than a small write.
    if (at === block.length) [block, at] = [randomBytes(1024), 0]
    return block.toString('hex', at, (at += 16))
  }
}
