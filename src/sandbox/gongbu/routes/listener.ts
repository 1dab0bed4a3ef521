// HTTP as Gongbu speaks it, on node:http: chunked bodies and repeated headers are fine here, unlike at Hubu.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A request: `path` is raw, undecoded, and without the query. */
export interface Request {
  method: string
  path: string
  /** The first value of a header, by name in any case. */
  header(name: string): string | undefined
  body: Buffer | 'too-large'
}

/** An answer. Without a content type it has no body either. */
export interface Answer {
  status: number
  contentType?: string
  body?: string | Buffer
  /** Fault: close the connection before the answer, or after half of its body. */
  drop?: 'before-answer' | 'mid-body'
  /** Fault: wait before answering. */
  delayMs?: number
}

/** A running listener. */
export interface Listener {
  port: number
  url: string
  /** Stops accepting, lets answers in the making go out, closes the rest. */
  close(): Promise<void>
}

/** The largest request body. */
const largestBodyBytes = 1_048_576

/** Listens on a loopback address. Rejects when it is taken. A rejection of `handle` becomes a 500 without a body. */
export async function listen(
  options: { host: string; port: number },
  handle: (request: Request) => Promise<Answer>,
): Promise<Listener> {
  const answering = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(incoming)
    const { method = '', url = '', headers } = incoming
    const header = (name: string) => [headers[name.toLowerCase()]].flat()[0]
    const request = { method, path: pathOf(url), header, body }
    const answer = await answered(handle, request)
    if (answer.delayMs !== undefined) await pause(answer.delayMs, response)
    send(response, answer)
  }
  const server = createServer((incoming, response) => {
    answering(incoming, response).catch(() => response.destroy())
  })
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket) => {
    void answerUnreadable(handle, error, socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { address, family, port } = server.address() as AddressInfo
  return {
    port,
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
        setTimeout(() => server.closeAllConnections(), 1000).unref()
      }),
  }
}

async function answered(handle: (request: Request) => Promise<Answer>, request: Request): Promise<Answer> {
  try {
    return await handle(request)
  } catch {
    return { status: 500 }
  }
}

/** Reads to the end even what is too large, because its sender reads the answer only after that. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | 'too-large'> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= largestBodyBytes) chunks.push(chunk)
  }
  return length > largestBodyBytes ? 'too-large' : Buffer.concat(chunks)
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer.drop === 'before-answer') return void response.destroy()
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : (answer.body ?? Buffer.alloc(0))
  response.writeHead(answer.status, {
    ...(answer.contentType === undefined ? {} : { 'Content-Type': answer.contentType }),
    'Content-Length': body.length,
  })
  if (answer.drop === 'mid-body')
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy())
  else response.end(body)
}

/** Ends early when nobody waits any more. */
function pause(ms: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    response.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Only the path matters for routing. */
function pathOf(target: string): string {
  return target.replace(/[?#].*$/s, '')
}

/** node:http refuses methods that it does not know; here they are unknown routes like any other. */
async function answerUnreadable(
  handle: (request: Request) => Promise<Answer>,
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
  socket: Socket,
): Promise<void> {
  if (!socket.writable) return void socket.destroy()
  const [line = '', ...lines] = (error.rawPacket ?? Buffer.alloc(0)).toString('latin1').split('\r\n')
  const [method = '', target = '', version = ''] = line.split(' ')
  if (error.code !== 'HPE_INVALID_METHOD' || !/^[A-Z]+$/.test(method) || !version.startsWith('HTTP/1.'))
    return void socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  const header = (name: string) =>
    lines
      .find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      ?.slice(name.length + 1)
      .trim()
  const request = { method, path: pathOf(target), header, body: Buffer.alloc(0) }
  const answer = await answered(handle, request)
  const body = Buffer.from(answer.body ?? '')
  const head = [
    `HTTP/1.1 ${answer.status} Refused`,
    ...(answer.contentType === undefined ? [] : [`Content-Type: ${answer.contentType}`]),
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
}
