// The sockets: Node's server with our limits. What a request means is decided elsewhere.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../timing/clock.ts'
import { rawRefusal } from './answer.ts'

/** Answers one request. Never rejects. */
export type TakeRequest = (request: IncomingMessage, response: ServerResponse) => void

/** A server on 127.0.0.1 that may listen. */
export interface StudioListener {
  /** The port. Rejects with the system's error. */
  listen(port: number): Promise<number>
  /** No new connection is taken, and everything that is still open ends. */
  close(): void
}

const headTimeoutMs = 5000
const requestTimeoutMs = 10_000
/** An answer that nobody reads for so long is given up. */
const unreadTimeoutMs = 5000
const mostHeadBytes = 16 * 1024
const mostConnections = 64

export function createStudioListener(take: TakeRequest, clock: Pick<Clock, 'after'>): StudioListener {
  const server = createServer({
    maxHeaderSize: mostHeadBytes,
    headersTimeout: headTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: headTimeoutMs,
    connectionsCheckingInterval: 500,
    // Judged with everything else, so that the refusal is ours.
    requireHostHeader: false,
  })
  server.maxConnections = mostConnections
  server.maxHeadersCount = 200
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    giveUpUnread(response, clock)
    take(request, response)
  }
  server.on('request', handle)
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  server.on('connect', (_request, socket) => refuse(socket, 400))
  server.on('upgrade', (_request, socket) => refuse(socket, 400))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(socket, statusOf(error.code)))
  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host: '127.0.0.1', port }, () => {
          server.off('error', reject)
          server.on('error', () => {})
          resolve((server.address() as AddressInfo).port)
        })
      }),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Ends the connection when what was written is not taken in time. A stream that is read on and on is never given up. */
function giveUpUnread(response: ServerResponse, clock: Pick<Clock, 'after'>): void {
  let cancel: (() => void) | undefined
  const watch = () => {
    cancel ??= clock.after(unreadTimeoutMs, () => response.socket?.destroy())
  }
  const read = () => {
    cancel?.()
    cancel = undefined
  }
  response.on('prefinish', watch).on('drain', read).on('finish', read).on('close', read)
  const { write } = response
  response.write = ((...args: Parameters<typeof write>) => {
    const isTaken = write.apply(response, args)
    if (!isTaken) watch()
    return isTaken
  }) as typeof write
}

function statusOf(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

function refuse(socket: Duplex, status: number): void {
  const { bytesWritten } = socket as Socket
  // Behind the beginning of an answer, a second head would be read as a part of it.
  if (!socket.writable || (status !== 408 && bytesWritten > 0 && (socket as Socket).writableLength > 0))
    return void socket.destroy()
  socket.end(rawRefusal(status), () => socket.destroy())
}
