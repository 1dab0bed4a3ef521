import { setImmediate as turn } from 'node:timers/promises'
import { createHttpClient, type HttpClient } from '../../src/backends/http-client.ts'
import type { LaneClock } from '../../src/backends/lane.ts'
import { Secret } from '../../src/redaction/secret.ts'

/** A client that closes with its scope; time-outs short enough for tests that let them pass. */
export function client(
  endpoint: URL | string,
  options: { connectTimeoutMs?: number; totalTimeoutMs?: number; clock?: LaneClock } = {},
): HttpClient & AsyncDisposable {
  const http = createHttpClient({ endpoint: new URL(endpoint), bearer: new Secret('bearer-canary'), ...options })
  return { ...http, [Symbol.asyncDispose]: () => http.close() }
}

/** A clock whose deadlines pass when the test says so. */
export function heldClock(): LaneClock & { expire(): Promise<void> } {
  const deadlines = new Set<() => void>()
  return {
    monotonicMs: () => 0,
    after(_ms, work) {
      deadlines.add(work)
      return () => void deadlines.delete(work)
    },
    async expire() {
      // What has been written to a loopback socket is read within a turn or two.
      for (let turns = 0; turns < 5; turns++) await turn()
      for (const work of deadlines) work()
    },
  }
}

export const get = { method: 'GET', path: '/thing' } as const
export const post = {
  method: 'POST',
  path: '/thing',
  headers: { 'content-type': 'application/json' },
  body: '{"amount_cents":25}',
} as const
export const limits = { maxBytes: 1000 }
