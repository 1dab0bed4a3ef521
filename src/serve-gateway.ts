// Wires what lies beyond the contract surface, for serve.ts.
import { homedir } from 'node:os'
import type { OpenGateway, OpenGatewayOptions } from './calls/gateway/open-gateway.ts'
import { parseDuration } from './config/durations.ts'
import type { Config } from './config/load-config.ts'
import { after, monotonicMs, turn } from './timing.ts'

/** The gateway, unless there is nothing but the contract surface: then nothing of it is loaded (DESIGN 1, 7). */
export async function loadGateway(
  config: Config,
  rooms: Pick<
    OpenGatewayOptions,
    'monitor' | 'results' | 'detachedStore' | 'clientInfo' | 'randomHex' | 'onChange' | 'warn'
  >,
): Promise<OpenGateway | undefined> {
  const { expose, agent, gateway: settings = {} } = config
  if (expose === undefined) return undefined
  const { openGateway } = await import('./calls/gateway/open-gateway.ts')
  const { clientInfo } = rooms
  return openGateway({
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
    usage: () => Promise.resolve({ totals: { calls: 0, est_tokens: 0, total_ms: 0, errors: 0 }, servers: [] }),
    record: () => {},
    monotonicMs,
    nowMs: Date.now,
    random: Math.random,
    after,
    turn,
  })
}
