// The sockets: Node's server with our limits, and nothing decided about any request.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Address } from '../../config/addresses.ts'
import type { HttpSettings } from '../../config/http-settings.ts'
import type { AnswerRules } from '../answers/http-answer.ts'
import { ClientConnection } from './connections.ts'
import { HttpExchange, type AnswerExchange } from './exchange.ts'

/** What the server is made with. */
export interface ListenOptions {
  settings: Pick<HttpSettings, 'headerTimeoutMs' | 'idleTimeoutMs' | 'maxConnections'>
  rules: AnswerRules
  /** Certificate and key as texts; undefined: plain HTTP. */
  tls: { cert: string; key: string } | undefined
  answer: AnswerExchange
  /** A connection was refused for what came on it. */
  onUnreadable(): void
}

/** A server that may listen. */
export interface Listener {
  /** The port. Rejects with the system's error. */
  listen(address: Address): Promise<number>
  /** For new connections from now on. */
  renewTls(tls: { cert: string; key: string }): void
  /** No new connection is taken; idle ones end. */
  stopListening(): void
  /** Everything that is still open ends. */
  cutAll(): void
}

const mostHeadBytes = 16 * 1024
/** One more than is allowed, so that too many are seen. */
const mostFields = 101
const lookEveryMs = 500

export function createListener({ settings, rules, tls, answer, onUnreadable }: ListenOptions): Listener {
  const connections = new WeakMap<Duplex, ClientConnection>()
  const options = {
    maxHeaderSize: mostHeadBytes,
    headersTimeout: settings.headerTimeoutMs,
    requestTimeout: 0,
    keepAliveTimeout: settings.idleTimeoutMs,
    connectionsCheckingInterval: lookEveryMs,
    // Asked for by us, on the same footing as everything else.
    requireHostHeader: false,
  }
  const secure = tls && { ...options, ...tls, minVersion: 'TLSv1.2' as const, ALPNProtocols: ['http/1.1'] }
  const server: Server = secure === undefined ? createServer(options) : createSecureServer(secure)
  server.maxHeadersCount = mostFields
  server.maxConnections = settings.maxConnections

  const connectionOf = (socket: Socket): ClientConnection => {
    const known = connections.get(socket)
    if (known !== undefined) return known
    const made = new ClientConnection(socket)
    connections.set(socket, made)
    return made
  }
  const take = (request: IncomingMessage, response: ServerResponse, expects: boolean) => {
    const connection = connectionOf(request.socket)
    connection.add(new HttpExchange({ request, response, expects }, connection, rules, answer))
  }
  server.on('request', (request, response) => take(request, response, false))
  server.on('checkContinue', (request, response) => take(request, response, true))
  server.on('checkExpectation', (request, response) => take(request, response, false))
  server.on('connect', (_request, socket) => refuseRaw(socket, 400))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    onUnreadable()
    // A request whose body it was in is refused in its own answer.
    if (connections.get(socket)?.failed() !== true) refuseRaw(socket, statusOf(error.code))
  })

  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port, backlog: 511 }, () => {
          server.off('error', reject)
          server.on('error', () => {})
          resolve((server.address() as AddressInfo).port)
        })
      }),
    renewTls: (renewed) =>
      void (
        'setSecureContext' in server && (server as ReturnType<typeof createSecureServer>).setSecureContext(renewed)
      ),
    stopListening: () => void server.close(),
    cutAll: () => server.closeAllConnections(),
  }
}

function statusOf(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

/** Outside of any answer, and without a word about the reason. */
function refuseRaw(socket: Duplex, status: number): void {
  if (!socket.writable) return void socket.destroy()
  const words =
    { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' }[status] ?? 'Error'
  socket.end(
    `HTTP/1.1 ${status} ${words}\r\nConnection: close\r\nContent-Length: 0\r\nCache-Control: no-store\r\n\r\n`,
    () => socket.destroy(),
  )
}
