import { createHttpClient, type HttpClient } from '../../src/backends/http-client.ts'
import { Secret } from '../../src/redaction/secret.ts'

/** A client that closes with its scope; time-outs short enough for tests that let them pass. */
export function client(
  endpoint: URL | string,
  timeouts: { connectTimeoutMs?: number; totalTimeoutMs?: number } = {},
): HttpClient & AsyncDisposable {
  const http = createHttpClient({ endpoint: new URL(endpoint), bearer: new Secret('bearer-canary'), ...timeouts })
  return { ...http, [Symbol.asyncDispose]: () => http.close() }
}

export const get = { method: 'GET', path: '/thing' } as const
export const post = {
  method: 'POST',
  path: '/thing',
  headers: { 'content-type': 'application/json' },
  body: '{"amount_cents":25}',
} as const
export const limits = { maxBytes: 1000 }
