import { createHttpClient, type HttpClient } from '../../src/backends/http-client.ts'
import { Secret } from '../../src/redaction/secret.ts'
import { settle, type FakeClock } from '../support/fake-clock.ts'

/** A client that closes with its scope; time-outs short enough for tests that let them pass. */
export function client(
  endpoint: URL | string,
  options: { connectTimeoutMs?: number; totalTimeoutMs?: number; clock?: FakeClock } = {},
): HttpClient & AsyncDisposable {
  const http = createHttpClient({ endpoint: new URL(endpoint), bearer: new Secret('bearer-canary'), ...options })
  return { ...http, [Symbol.asyncDispose]: () => http.close() }
}

/** Lets every deadline pass, after whatever has been written on loopback so far was read. */
export async function expire(clock: FakeClock): Promise<void> {
  await settle()
  clock.advance(600_000)
}

export const get = { method: 'GET', path: '/thing' } as const
export const post = {
  method: 'POST',
  path: '/thing',
  headers: { 'content-type': 'application/json' },
  body: '{"amount_cents":25}',
} as const
export const limits = { maxBytes: 1000 }
