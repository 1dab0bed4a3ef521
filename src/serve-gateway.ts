// Wires what lies beyond the contract surface, for serve.ts.
import { homedir } from 'node:os'
import type { GatewaySettings, OpenGateway, OpenGatewayOptions } from './gateway/open-gateway.ts'
import { followConfig } from './config/config-source.ts'
import { parseDuration } from './config/durations.ts'
import type { FileSettings } from './config/file-settings.ts'
import type { Config } from './config/load-config.ts'
import { watchFile } from './config/watch-file.ts'
import type { Recorder } from './stats/record.ts'
import { realClock as clock } from './timing/clock.ts'

/** The gateway with what it keeps of its own. */
export interface LoadedGateway extends OpenGateway {
  /** Ends everything that was begun, and writes what is still to be recorded. */
  stop(): Promise<void>
}

/** The gateway, unless there is nothing but the contract surface: then nothing of it is loaded. */
export async function loadGateway(
  config: Config,
  rooms: Pick<
    OpenGatewayOptions,
    'monitor' | 'results' | 'detachedStore' | 'upstream' | 'clientInfo' | 'randomHex' | 'onChange' | 'warn'
  >,
): Promise<LoadedGateway | undefined> {
  const { agent, source } = config
  if (config.expose === undefined) return undefined
  const { openGateway } = await import('./gateway/open-gateway.ts')
  const { clientInfo } = rooms
  const usage = await openUsage(config, rooms.warn)
  const gateway = openGateway({
    ...rooms,
    clientInfo: { ...clientInfo, name: agent === undefined ? clientInfo.name : `${clientInfo.name}/${agent.name}` },
    settings: settingsOf(config),
    trustClientApproval: config.trustClientApproval,
    hasHubu: config.hubu !== undefined,
    hasGongbu: config.gongbu !== undefined,
    environment: { env: process.env, home: homedir(), platform: process.platform },
    usage: () => usage.report(),
    record: ({ origin: { server, tool, namespaced }, errorClass, ...call }) =>
      usage.record({
        ...call,
        atMs: clock.nowMs(),
        server,
        tool,
        publicName: namespaced,
        isOk: errorClass === null,
        errorClass,
        agent: agent?.name ?? '',
      }),
    clock,
    random: Math.random,
  })
  let endWatch: (() => void) | undefined
  let isEnding = false
  return {
    ...gateway,
    start() {
      gateway.start()
      if (source === undefined || isEnding) return
      endWatch ??= watchFile({
        path: source.path,
        clock,
        onChange: followConfig({
          source,
          started: config,
          apply: (changed) => gateway.apply(settingsOf(changed)),
          warn: rooms.warn,
        }),
      })
    },
    beginStop() {
      isEnding = true
      endWatch?.()
      gateway.beginStop()
    },
    async stop() {
      isEnding = true
      endWatch?.()
      await gateway.stop()
      usage.close()
    },
  }
}

function settingsOf({ expose = 'all', gateway: file = {}, agent }: FileSettings): GatewaySettings {
  return {
    expose,
    file,
    agent,
    connectTimeoutMs: parseDuration(file.connect_timeout ?? '') ?? 30_000,
    callTimeoutMs: parseDuration(file.call_timeout ?? '') ?? 30 * 60_000,
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
    clock,
    warn,
  })
}
