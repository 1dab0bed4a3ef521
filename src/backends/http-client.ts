// This room is the two HTTP services, side by side: what we ask of them and what their answers mean.
import type { Secret } from '../redaction/secret.ts'
import { realClock, type Clock } from '../timing/clock.ts'
import { openConnections } from './connections.ts'
import { exchange, type HttpOutcome } from './exchange.ts'
import { Lane, type LaneLimits } from './lane.ts'
import { sendToMoving } from './moving.ts'

export type { HttpOutcome } from './exchange.ts'

/** One backend's address and credential, and how long we wait for it. */
export interface HttpClientOptions {
  /** Absolute http or https URL; its path is put before every request's path. */
  readonly endpoint: URL
  readonly bearer: Secret
  /** For a backend that moves: on which port of the endpoint's host it is now, as soon as it is there. Never rejects. */
  readonly port?: () => Promise<number>
  /** Name resolution, TCP and TLS together. */
  readonly connectTimeoutMs?: number
  /** From sending to the last byte of the answer. It does not run while a request waits for its turn to be sent. */
  readonly totalTimeoutMs?: number
  readonly clock?: Pick<Clock, 'monotonicMs' | 'after'>
  /** Hears what time the backend says it is, with each of its answers, in milliseconds since 1970. */
  readonly onDate?: (atMs: number | null) => void
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
  /** Sent at once, whatever else is under way: for the few questions of the router itself. */
  readonly isUrgent?: boolean
}

/** HTTP to one backend with its own connections and its own bearer, never shared. */
export interface HttpClient {
  /**
   * Sends once and tells what became of it. Never rejects. See `HttpOutcome`. Reads and mutations wait for their turn apart
   * from each other, so that many of one kind do not hold back the other.
   */
  send(request: HttpRequest, options: SendOptions): Promise<HttpOutcome>
  /** Ends every connection now; requests under way fail. Leaves no timer. */
  close(): Promise<void>
}

/**
 * So many mutations are with a backend at first. One that handles them one after the other and takes a tenth of the
 * time-out for each still answers all of them in time.
 */
const firstMutations = 8
/** A read that is lost costs nothing, and slow ones must not hold each other up. */
const firstReads = 24
const mostReads = 64
/** Fewer: what a read loses by waiting in a backlog is time, what a spend loses is the answer to whether it was made. */
const mostMutations = 32
/** A request waits for its turn at most so many time-outs long. */
const patience = 10

/** How many requests of one method are with a backend at a time, and how long one waits for its turn. */
export function laneLimits(method: HttpRequest['method'], totalTimeoutMs: number): LaneLimits {
  const [first, most] = method === 'GET' ? [firstReads, mostReads] : [firstMutations, mostMutations]
  return { first, most, totalTimeoutMs, maxWaitMs: patience * totalTimeoutMs }
}

/** Creates the client; connects to nothing yet. Connecting may take 2 s and the whole exchange 3 s unless given. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { endpoint, bearer, connectTimeoutMs = 2000, totalTimeoutMs = 3000, clock = realClock, onDate } = options
  const { port: find } = options
  let port: number | undefined
  let isClosed = false
  const connections = openConnections(endpoint.origin, connectTimeoutMs, clock.after, () => port)
  const basePath = endpoint.pathname.endsWith('/') ? endpoint.pathname.slice(0, -1) : endpoint.pathname
  const laneOf = (method: HttpRequest['method']) => new Lane(laneLimits(method, totalTimeoutMs), clock)
  const lanes = { GET: laneOf('GET'), POST: laneOf('POST') }

  return {
    send: ({ method, path, headers, body }, { maxBytes, signal, isUrgent = false }) => {
      const request = {
        method,
        path: basePath + path,
        headers: { ...headers, authorization: `Bearer ${bearer.reveal()}` },
        body: body ?? null,
      }
      const once = () =>
        exchange(connections, request, { maxBytes, totalTimeoutMs, signal, after: clock.after, onDate })
      const send = () =>
        find === undefined
          ? once()
          : sendToMoving(
              {
                find,
                set: (found) => void (port = found),
                isRead: method === 'GET',
                isOver: () => isClosed || signal?.aborted === true,
                patienceMs: totalTimeoutMs,
                clock,
              },
              once,
            )
      return isUrgent ? send() : lanes[method].pass(send, signal)
    },
    async close() {
      isClosed = true
      for (const lane of Object.values(lanes)) lane.close()
      await connections.close()
    },
  }
}
