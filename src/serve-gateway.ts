// Wires what lies beyond the contract surface, for serve.ts.
import { homedir } from 'node:os'
import type { OpenGateway, OpenGatewayOptions } from './calls/gateway/open-gateway.ts'
import { parseDuration } from './config/durations.ts'
import type { Config } from './config/load-config.ts'
import type { Recorder } from './stats/record.ts'
import { after, monotonicMs, turn } from './timing.ts'

/** The gateway with what it keeps of its own. */
export interface LoadedGateway extends OpenGateway {
  /** Ends everything that was begun, and writes what is still to be recorded. */
  stop(): Promise<void>
}

/** The gateway, unless there is nothing but the contract surface: then nothing of it is loaded (DESIGN 1, 7). */
export async function loadGateway(
  config: Config,
  rooms: Pick<
    OpenGatewayOptions,
    'monitor' | 'results' | 'detachedStore' | 'upstream' | 'clientInfo' | 'randomHex' | 'onChange' | 'warn'
  >,
): Promise<LoadedGateway | undefined> {
  const { expose, agent, gateway: settings = {} } = config
  if (expose === undefined) return undefined
  const { openGateway } = await import('./calls/gateway/open-gateway.ts')
  const { clientInfo } = rooms
  const usage = await openUsage(config, rooms.warn)
  const gateway = openGateway({
    ...rooms,
    clientInfo: { ...clientInfo, name: agent === undefined ? clientInfo.name : `${clientInfo.name}/${agent.name}` },
    expose,
    settings,
    agent,
    trustClientApproval: config.trustClientApproval,
    hasHubu: config.hubu !== undefined,
    hasGongbu: config.gongbu !== undefined,
    connectTimeoutMs: parseDuration(settings.connect_timeout ?? '') ?? 30_000,
    callTimeoutMs: parseDuration(settings.call_timeout ?? '') ?? 30 * 60_000,
    environment: { env: process.env, home: homedir(), platform: process.platform },
    usage: () => usage.report(),
    record: ({ origin: { server, tool, namespaced }, errorClass, ...call }) =>
      usage.record({
        ...call,
        atMs: Date.now(),
        server,
        tool,
        publicName: namespaced,
        isOk: errorClass === null,
        errorClass,
        agent: agent?.name ?? '',
      }),
    monotonicMs,
    nowMs: Date.now,
    random: Math.random,
    after,
    turn,
  })
  return {
    ...gateway,
    async stop() {
      await gateway.stop()
      usage.close()
    },
  }
}

/** The recorder on the results file. */
async function openUsage({ results }: Config, warn: (message: string) => void): Promise<Recorder> {
  const { createRecorder } = await import('./stats/record.ts')
  const { openResultsDatabase } = await import('./storage/results-database.ts')
  return createRecorder({
    open: () => {
      if (results.path === undefined) throw new Error('this machine has no place for usage')
      return openResultsDatabase(results.path, results.limitBytes)
    },
    after,
    nowMs: Date.now,
    warn,
  })
}
