// A small HTTP/1.1 listener for the sandbox's servers. node:http is not used because Hubu fixes the framing more
// closely than it allows, and because a client that half-closes after its request must still get its answer.
import { setMaxListeners } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { renderAnswer, type HttpAnswer } from './answer.ts'
import type { RequestHead } from './head.ts'
import { receive, type ReceiveLimits } from './receive.ts'

export type { HttpAnswer } from './answer.ts'

/** A request as it came: `path` and `query` raw and undecoded. */
export interface HttpRequest {
  method: string
  target: string
  path: string
  query: string
  /** The value of a header, by name in any case. */
  header(name: string): string | undefined
  headers: readonly (readonly [string, string])[]
  /** Empty when `bodyTooLarge`. */
  body: Buffer
  bodyTooLarge: boolean
}

/** How to listen. Defaults: 127.0.0.1, any free port, 64 KiB of head, 1 MiB of body, 5 s to read and to write, one request per connection. */
export interface ListenOptions {
  host?: string
  port?: number
  maxHeadBytes?: number
  maxBodyBytes?: number
  readTimeoutMs?: number
  /** How long an answer may lie unread before its connection is given up. */
  writeTimeoutMs?: number
  /** Serve further requests on a connection, unless the client says `Connection: close` or speaks HTTP/1.0. */
  keepAlive?: boolean
  /** Answers one request. A rejection becomes a bare 500. */
  handle(request: HttpRequest): Promise<HttpAnswer>
  /** The answer to bytes that are no HTTP request; default a 400 with `{"error"}`. The connection ends after it. */
  refuse?(reason: string): HttpAnswer
}

/** A running listener. `close` stops accepting, lets answers in the making go out and drops what only reads. */
export interface HttpListener {
  host: string
  port: number
  url: string
  close(): Promise<void>
}

/** How long a finished connection may stay to take in what the client still sends, so that it can read its answer. */
const lingerMs = 1000

/** Starts listening. Connections are read side by side, so a silent one holds up nobody. Rejects when the address is taken. */
export async function listen(options: ListenOptions): Promise<HttpListener> {
  const { host = '127.0.0.1', port = 0 } = options
  const limits: ReceiveLimits = {
    maxHeadBytes: options.maxHeadBytes ?? 65_536,
    maxBodyBytes: options.maxBodyBytes ?? 1_048_576,
    readTimeoutMs: options.readTimeoutMs ?? 5000,
  }
  const closing = new AbortController()
  // Every connection listens while it waits.
  setMaxListeners(0, closing.signal)
  const idle = new Set<Socket>()
  const served = new Set<Promise<void>>()
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    const work = serve(socket, options, limits, idle, closing.signal).finally(() => served.delete(work))
    served.add(work)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  // A failed accept (for instance too many open files) costs that connection only.
  server.on('error', () => undefined)
  const address = server.address() as AddressInfo
  return {
    host,
    port: address.port,
    url: `http://${address.family === 'IPv6' ? `[${host}]` : host}:${address.port}`,
    async close() {
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()))
      closing.abort()
      for (const socket of idle) socket.destroy()
      await Promise.all(served)
      await stopped
    },
  }
}

/** Serves one connection to its end. Never rejects. */
async function serve(
  socket: Socket,
  options: ListenOptions,
  limits: ReceiveLimits,
  idle: Set<Socket>,
  closing: AbortSignal,
): Promise<void> {
  const timeoutMs = options.writeTimeoutMs ?? 5000
  let pending = Buffer.alloc(0)
  for (;;) {
    idle.add(socket)
    if (closing.aborted) socket.destroy()
    const received = await receive(socket, pending, limits)
    idle.delete(socket)
    if (received.kind === 'gone') {
      socket.destroy()
      return
    }
    if (received.kind === 'malformed') {
      await writeAnswer(socket, options.refuse?.(received.reason) ?? refusal(received.reason), {
        keepAlive: false,
        closing,
        timeoutMs,
      })
      return linger(socket, closing)
    }
    const { head } = received
    const body = received.kind === 'request' ? received.body : Buffer.alloc(0)
    const answer = await answered(options, toRequest(head, body, received.kind === 'body-too-large'))
    const keepAlive = options.keepAlive === true && received.kind === 'request' && wantsMore(head) && !closing.aborted
    const written = await writeAnswer(socket, answer, {
      keepAlive,
      closing,
      timeoutMs,
      bodyless: head.method === 'HEAD',
    })
    if (!written) return
    if (!keepAlive) return linger(socket, closing)
    pending = received.kind === 'request' ? Buffer.from(received.rest) : Buffer.alloc(0)
  }
}

async function answered(options: ListenOptions, request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await options.handle(request)
  } catch {
    return { status: 500, body: '{"error":"internal error"}' }
  }
}

/** Sends an answer with its faults; says whether the connection is still good. */
async function writeAnswer(
  socket: Socket,
  answer: HttpAnswer,
  context: { keepAlive: boolean; closing: AbortSignal; timeoutMs: number; bodyless?: boolean },
): Promise<boolean> {
  if (answer.delayMs !== undefined && answer.delayMs > 0) await pause(answer.delayMs, context.closing)
  if (answer.drop === 'before-answer') {
    socket.destroy()
    return false
  }
  const { head, body } = renderAnswer(answer, context.keepAlive)
  const sent = context.bodyless ? Buffer.alloc(0) : body
  const part = answer.drop === 'mid-body' ? sent.subarray(0, Math.floor(sent.length / 2)) : sent
  const giveUp = () => void socket.destroy()
  socket.setTimeout(context.timeoutMs, giveUp)
  await new Promise<void>((resolve) => {
    socket.once('close', resolve)
    socket.write(Buffer.concat([head, part]), () => {
      socket.off('close', resolve)
      resolve()
    })
  })
  socket.setTimeout(0).off('timeout', giveUp)
  if (answer.drop === 'mid-body') socket.destroy()
  return !socket.destroyed
}

/** Ends our side and reads the client's rest, because closing over unread bytes would take the answer away from it. */
function linger(socket: Socket, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const destroy = () => socket.destroy()
    const timer = setTimeout(destroy, lingerMs)
    closing.addEventListener('abort', destroy)
    socket.on('end', destroy)
    socket.once('close', () => {
      clearTimeout(timer)
      closing.removeEventListener('abort', destroy)
      resolve()
    })
    if (socket.destroyed) return resolve(clearTimeout(timer))
    socket.end(() => (socket.readableEnded || closing.aborted) && destroy())
    socket.resume()
  })
}

function pause(ms: number, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      closing.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    closing.addEventListener('abort', done)
    if (closing.aborted) done()
  })
}

function toRequest(head: RequestHead, body: Buffer, bodyTooLarge: boolean): HttpRequest {
  const { method, target, path, query, headers } = head
  return { method, target, path, query, header: (name) => headerOf(head, name), headers, body, bodyTooLarge }
}

function headerOf(head: RequestHead, name: string): string | undefined {
  return head.headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
}

function wantsMore(head: RequestHead): boolean {
  return head.version === 'HTTP/1.1' && headerOf(head, 'connection')?.toLowerCase() !== 'close'
}

function refusal(reason: string): HttpAnswer {
  return { status: 400, body: JSON.stringify({ error: reason }) }
}
