import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

/** One request as the stub read it. */
export interface RawRequest {
  /** Which connection carried it, counted from 1. */
  readonly connection: number
  readonly head: string
  readonly body: string
}

/** Called for each complete request; what it writes is what the client gets, byte for byte. */
export type Answer = (socket: Socket, request: RawRequest, nth: number) => void

/** A backend of raw sockets: it can break off anywhere, which an HTTP server cannot. */
export interface RawServer extends AsyncDisposable {
  readonly port: number
  readonly url: URL
  readonly requests: RawRequest[]
  readonly sockets: Socket[]
  /** Bytes of all connections, requests or not. */
  received(): string
}

/** Starts the stub: `await using server = await rawServer(...)`. */
export async function rawServer(answer: Answer, host = '127.0.0.1'): Promise<RawServer> {
  const requests: RawRequest[] = []
  const sockets: Socket[] = []
  let received = ''
  const server = createServer((socket) => {
    const connection = sockets.push(socket)
    let pending = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
      pending = Buffer.concat([pending, chunk])
      for (;;) {
        const end = pending.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = pending.subarray(0, end).toString('latin1')
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        if (pending.length < end + 4 + length) return
        const body = pending.subarray(end + 4, end + 4 + length).toString('utf8')
        pending = pending.subarray(end + 4 + length)
        const nth = requests.push({ connection, head, body })
        answer(socket, requests[nth - 1] as RawRequest, nth)
      }
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`),
    requests,
    sockets,
    received: () => received,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A complete response with a length. */
export function response(
  body: string | Buffer,
  { status = 200, type = 'application/json', headers = '' } = {},
): Buffer {
  const bytes = Buffer.from(body)
  const contentType = type === '' ? '' : `Content-Type: ${type}\r\n`
  const head = `HTTP/1.1 ${status} Told\r\n${contentType}${headers}Content-Length: ${bytes.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
}

/** A complete response of a backend that promises to keep the connection. */
export function keptResponse(body: string): Buffer {
  return response(body, { headers: 'Keep-Alive: timeout=5\r\n' })
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
