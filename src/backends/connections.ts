import { lookup } from 'node:dns'
import { once } from 'node:events'
import type { LookupFunction, Socket } from 'node:net'
import type { buildConnector, Dispatcher } from 'undici'
import createConnect from 'undici/lib/core/connect.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import type { Clock } from '../timing/clock.ts'

/** What undici calls while a request is under way. */
export type ExchangeHandler = Dispatcher.DispatchHandler

/** What undici hands to the handler just before it writes a request; `abort` at that moment means that nothing is written. */
export type ExchangeController = Dispatcher.DispatchController

/** One request as it goes on the wire: an absolute path, each header once, a body with a length. */
export interface WireRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The sockets to one origin. */
export interface Connections {
  /**
   * Queues the request for a socket: a kept one when there is one, or, with `fresh`, a socket of a pool that keeps none.
   * Never throws: every failure reaches the handler.
   */
  dispatch(request: WireRequest, fresh: boolean, handler: ExchangeHandler): void
  /** Asked inside `onRequestStart`: whether this request is the first on its socket. */
  isFirstOnSocket(): boolean
  /** Whether the backend's last answer on a kept socket said how long it keeps one (`Keep-Alive: timeout=5`). */
  promisesReuse(): boolean
  /** Told with the `Keep-Alive` header of every answer that could have one. */
  noteKeepAlive(header: string | undefined): void
  /** Ends every socket, also those still connecting. Requests under way fail. */
  close(): Promise<void>
}

/** A socket whose backend promised nothing is not worth keeping. */
const unpromisedIdleMs = 1

/** Two address families share the connect time-out; a silent first one must leave time for the second. */
const familiesTried = 4

/**
 * Opens connections to an origin, as many as there are requests at once. Reads reuse idle sockets; requests that must
 * not meet a socket which the backend is about to close have a pool of their own that keeps none. Connecting includes
 * name resolution and TLS, and ends after `connectTimeoutMs`. `portNow`, when it gives one, is connected to in the place of the
 * origin's.
 */
export function openConnections(
  origin: string,
  connectTimeoutMs: number,
  after: Clock['after'],
  portNow: () => number | undefined = () => undefined,
): Connections {
  /** Each with what cancels its time-out. */
  const connecting = new Map<Socket, () => void>()
  let first = false
  let promised = false

  const open = createConnect({
    timeout: 0,
    lookup: lookupAddress,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.floor(connectTimeoutMs / familiesTried)),
  } as buildConnector.BuildOptions)

  // undici's own connect time-out is a coarse timer (half a second off), hence this one.
  const connect: buildConnector.connector = (options, callback) => {
    const port = portNow()
    const place = port === undefined ? options : { ...options, port: String(port) }
    const socket = open(place, (...[error, connected]: [Error | null, Socket | null]) => {
      connecting.get(socket)?.()
      connecting.delete(socket)
      if (error || !connected) return callback(error ?? new Error('no socket'), null)
      // undici writes the waiting request before this call returns, so that it can be known as the socket's first.
      first = true
      try {
        callback(null, connected)
      } finally {
        first = false
      }
    })
    const expire = () => {
      if (connecting.has(socket)) socket.destroy(new Error(`not connected within ${connectTimeoutMs} ms`))
    }
    connecting.set(
      socket,
      after(connectTimeoutMs, () => setImmediate(expire)),
    )
  }

  const shared = { connect, headersTimeout: 0, bodyTimeout: 0 }
  const kept = new Pool(origin, { ...shared, pipelining: 1, keepAliveTimeout: unpromisedIdleMs })
  const single = new Pool(origin, { ...shared, pipelining: 0 })

  return {
    dispatch: (request, fresh, handler) => void (fresh ? single : kept).dispatch({ ...request }, handler),
    isFirstOnSocket: () => first,
    promisesReuse: () => promised,
    noteKeepAlive: (header) => {
      promised = header !== undefined && /(^|[\s,])timeout=\d/i.test(header)
    },
    async close() {
      const closing = [...connecting].map(([socket, cancelTimer]) => {
        // A socket that is destroyed without a reason never calls back.
        cancelTimer()
        const closed = once(socket, 'close').catch(() => undefined)
        socket.destroy()
        return closed
      })
      await Promise.all([kept.destroy(), single.destroy(), ...closing])
    },
  }
}

/** `localhost` is this machine in both families, whatever its hosts file or its resolver say. */
const lookupAddress: LookupFunction = (hostname, options, callback) => {
  if (hostname !== 'localhost' || !options.all) return lookup(hostname, options, callback)
  callback(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])
}
