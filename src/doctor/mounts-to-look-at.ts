import type { GatewayConfig } from '#generated/types/config.js'
import { buildStamp } from '../config/build-stamp.ts'
import { connectTimeouts } from '../config/durations.ts'
import { createMounts, type Mounts, type MountsOptions } from '../downstream/mounts.ts'
import { realClock } from '../timing/clock.ts'

/** The servers of a configuration as a router would mount them, for somebody who looks at them and ends them. Nothing is started yet. */
export function mountsToLookAt(
  gateway: Pick<GatewayConfig, 'servers' | 'connect_timeout'>,
  options: Pick<MountsOptions, 'environment'> & Partial<Pick<MountsOptions, 'review' | 'warn'>>,
): Mounts {
  return createMounts({
    servers: gateway.servers ?? {},
    allowsServer: () => true,
    clientInfo: { name: 'hubu-unified-mcp', version: buildStamp.productVersion },
    ...connectTimeouts(gateway),
    clock: realClock,
    random: Math.random,
    onChange: () => {},
    warn: () => {},
    ...options,
  })
}
