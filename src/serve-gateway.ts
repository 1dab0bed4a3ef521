// Wires what lies beyond the contract surface, for serve.ts.
import { followConfig } from './config/config-source.ts'
import { connectTimeouts, parseTimeout } from './config/durations.ts'
import { agentIn, type FileSettings } from './config/file-settings.ts'
import type { Config } from './config/load-config.ts'
import { homeFolder } from './config/paths.ts'
import { watchFile } from './config/watch-file.ts'
import type { GatewaySettings, OpenGateway, OpenGatewayOptions } from './gateway/open-gateway.ts'
import type { FinishedCall } from './gateway/recording.ts'
import type { Recorder } from './stats/record.ts'
import { realClock as clock } from './timing/clock.ts'
import type { Caller } from './wire/request.ts'

/** The gateway with what it keeps of its own. */
export interface ServedGateway extends OpenGateway {
  /** Ends everything that was begun, and writes what is still to be recorded. */
  stop(): Promise<void>
}

/** The rooms that a gateway is put before. */
export type GatewayRooms = Pick<
  OpenGatewayOptions,
  | 'monitor'
  | 'results'
  | 'purchases'
  | 'contract'
  | 'finish'
  | 'detachedStore'
  | 'upstream'
  | 'clientInfo'
  | 'randomHex'
  | 'onChange'
  | 'onNews'
>

/**
 * Loads the gateway, unless there is nothing but the contract surface: then nothing of it is loaded. What it gives opens it,
 * in one step.
 */
export async function loadGateway(
  config: Config,
  warn: (message: string) => void,
): Promise<((rooms: GatewayRooms) => ServedGateway) | undefined> {
  if (config.expose === undefined) return undefined
  const { openGateway } = await import('./gateway/open-gateway.ts')
  const usage = await openUsage(config, warn)
  const { openDefinitions } = await import('./activity/open-definitions.ts')
  return (rooms) => {
    const definitions = openDefinitions({ path: config.activityPath, clock, warn })
    const { review } = definitions
    const gateway = openGateway({
      ...{ ...rooms, ...optionsOf(config, rooms, usage), warn, clock, random: Math.random, review },
    })
    const close = () => {
      definitions.close()
      usage.close()
    }
    return followingConfig(gateway, config, close, warn)
  }
}

/** What the gateway will say of its use; undefined where there is nothing but the contract surface. */
export async function gatewayInstructions(config: Config, caller: Caller): Promise<string | undefined> {
  if (config.expose === undefined) return undefined
  const { instructionsOf } = await import('./gateway/own-instructions.ts')
  return instructionsOf(kindOf(config), settingsOf(config), caller)
}

const kindOf = (config: Config) => ({
  hasHubu: config.hubu !== undefined,
  namesPurchases: config.spend.identity !== 'harness',
  hasGongbu: config.gongbu !== undefined,
})

function optionsOf(config: Config, { clientInfo }: GatewayRooms, usage: Recorder) {
  const { agent } = config
  return {
    clientInfo: { ...clientInfo, name: agent === undefined ? clientInfo.name : `${clientInfo.name}/${agent.name}` },
    settings: settingsOf(config),
    trustClientApproval: config.trustClientApproval,
    ...kindOf(config),
    environment: { env: process.env, home: homeFolder(), platform: process.platform },
    usage: (principal: string) => usage.report(principal),
    record: ({ caller, origin: { server, tool, namespaced }, errorClass, ...call }: FinishedCall) =>
      usage.record({
        ...call,
        atMs: clock.nowMs(),
        server,
        tool,
        publicName: namespaced,
        isOk: errorClass === null,
        errorClass,
        principal: caller.principal,
        agent: caller.agent ?? agent?.name ?? '',
      }),
  }
}

/** The same gateway, which takes over what changes in the config file while it serves. */
function followingConfig(
  gateway: OpenGateway,
  config: Config,
  close: () => void,
  warn: (message: string) => void,
): ServedGateway {
  const { source } = config
  const watching: { end?: () => void; isOver: boolean } = { isOver: false }
  const endWatch = () => {
    watching.isOver = true
    watching.end?.()
  }
  return {
    ...gateway,
    start() {
      gateway.start()
      if (source === undefined || watching.isOver) return
      const apply = (changed: FileSettings) => gateway.apply(settingsOf(changed))
      watching.end ??= watchFile({
        path: source.path,
        clock,
        onChange: followConfig({ source, started: config, apply, warn }),
      })
    },
    beginStop() {
      endWatch()
      gateway.beginStop()
    },
    async stop() {
      endWatch()
      await gateway.stop()
      close()
    },
  }
}

function settingsOf({ expose = 'all', gateway: file = {}, agent }: FileSettings): GatewaySettings {
  return {
    expose,
    file,
    agent,
    agentNamed: (name) => agentIn(file, name),
    ...connectTimeouts(file),
    callTimeoutMs: parseTimeout(file.call_timeout ?? '') ?? 30 * 60_000,
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
