import type { GatewayConfig } from '#generated/types/config.js'

const unitMs: Readonly<Record<string, number>> = {
  ...{ ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1 },
  ...{ s: 1000, m: 60_000, h: 3_600_000 },
}

/** What is allowed where a duration is wanted, in words. */
export const durationWords = 'a duration such as 30s, 2m, 1h30m or 250ms, in whole milliseconds and at most 596h'

/** A timer cannot hold a longer wait, and would fire at once. */
const longestMs = 2 ** 31 - 1

/**
 * The milliseconds that a duration text means: one or more numbers with a unit each. Undefined for anything else, a
 * bare number included, and for nothing at all: no time-out is ever zero.
 */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined
  let ms = 0
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g))
    ms += Number(number) * unitMs[unit!]!
  // Parts of a unit are sums of fractions, which are not quite exact.
  const whole = Math.round(ms)
  return whole > 0 && Math.abs(ms - whole) < 1e-6 ? whole : undefined
}

/** The same for a time-out: undefined also for what no timer can hold. */
export function parseTimeout(text: string): number | undefined {
  const ms = parseDuration(text)
  return ms === undefined || ms > longestMs ? undefined : ms
}

const defaultConnectMs = 30_000

/** How long a mounted server may take to be connected, and those that have a time of their own, by name. */
export function connectTimeouts({ connect_timeout: text = '', servers = {} }: GatewayConfig): {
  connectTimeoutMs: number
  connectTimeoutsMs: Readonly<Record<string, number>>
} {
  const own = Object.entries(servers).flatMap(([name, { connect_timeout: its }]) => {
    const ms = its === undefined ? undefined : parseTimeout(its)
    return ms === undefined ? [] : [[name, ms] as const]
  })
  return { connectTimeoutMs: parseTimeout(text) ?? defaultConnectMs, connectTimeoutsMs: Object.fromEntries(own) }
}
