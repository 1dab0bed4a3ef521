// This room is the two HTTP services, side by side: what we ask of them and what their answers mean.
import type { Secret } from '../redaction/secret.ts'
import { openConnections } from './connections.ts'
import { exchange, type HttpOutcome } from './exchange.ts'

export type { HttpOutcome } from './exchange.ts'

/** One backend's address and credential, and how long we wait for it. */
export interface HttpClientOptions {
  /** Absolute http or https URL; its path is put before every request's path. */
  readonly endpoint: URL
  readonly bearer: Secret
  /** Name resolution, TCP and TLS together. */
  readonly connectTimeoutMs?: number
  /** From sending to the last byte of the answer. */
  readonly totalTimeoutMs?: number
}

/** A request to one backend. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  /** Begins with `/`, is relative to the endpoint's path, may have a query; encoded. */
  readonly path: string
  /** Lower-case names. `authorization` is the client's. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The bounds of one request. */
export interface SendOptions {
  readonly maxBytes: number
  /** Gives up a read at once; a POST only as long as none of it was written. */
  readonly signal?: AbortSignal
}

/** HTTP to one backend with its own connections and its own bearer, never shared. */
export interface HttpClient {
  /** Sends once and tells what became of it. Never rejects. See `HttpOutcome`. */
  send(request: HttpRequest, options: SendOptions): Promise<HttpOutcome>
  /** Ends every connection now; requests under way fail. Leaves no timer. */
  close(): Promise<void>
}

/** Creates the client; connects to nothing yet. Connecting may take 2 s and the whole exchange 3 s unless given. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { endpoint, bearer, connectTimeoutMs = 2000, totalTimeoutMs = 3000 } = options
  const connections = openConnections(endpoint.origin, connectTimeoutMs)
  const basePath = endpoint.pathname.endsWith('/') ? endpoint.pathname.slice(0, -1) : endpoint.pathname

  return {
    send: ({ method, path, headers, body }, { maxBytes, signal }) =>
      exchange(
        connections,
        {
          method,
          path: basePath + path,
          headers: { ...headers, authorization: `Bearer ${bearer.reveal()}` },
          body: body ?? null,
        },
        { maxBytes, totalTimeoutMs, signal },
      ),
    close: () => connections.close(),
  }
}
