// A backend that answers what it was told to, over real HTTP on loopback, and remembers every request.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the stub answers. `hangUp` reads the request and closes the socket without a byte. */
export type Canned =
  | ({ status: number; json: unknown } & OddHead)
  | ({ status: number; contentType: string; text: string } & OddHead)
  | ({ status: number; contentType: string; base64: string } & OddHead)
  | 'hangUp'

/** What the head of an answer may hold besides. */
interface OddHead {
  /** The words of the status line. */
  reason?: string
  headers?: Record<string, string>
}

/** One request as it arrived; `headers` without those of the connection itself. */
export interface SeenRequest {
  method: string
  /** With its query. */
  path: string
  headers: Record<string, string>
  /** Exactly the bytes, as text. */
  body: string
}

/** One request with what it was answered. */
export interface Exchange {
  request: SeenRequest
  response: Canned
}

/** A running stub. */
export interface StubBackend extends AsyncDisposable {
  readonly url: URL
  /** Everything answered so far, in order. */
  readonly exchanges: Exchange[]
  /** Resolves when `count` requests have been answered in all. */
  whenSeen(count: number): Promise<void>
  /** Ends the server: from then on connections are refused. */
  stop(): Promise<void>
}

/** Headers that say something about the connection and nothing about the request. */
const connectionHeaders = new Set(['host', 'connection'])

/** What a stub answers, at once or later. `gone` resolves if the router gives up before. */
export type AnswerRequest = (request: SeenRequest, gone: Promise<void>) => Canned | Promise<Canned>

/** Starts a stub: `await using stub = await stubBackend(answer)`. */
export async function stubBackend(answer: AnswerRequest): Promise<StubBackend> {
  const exchanges: Exchange[] = []
  let waiting: { count: number; resolve: () => void }[] = []
  const server = createServer((incoming, outgoing) => {
    void readRequest(incoming).then(async (request) => {
      const response = await answer(request, closedEarly(outgoing))
      if (response === 'hangUp') incoming.socket.destroy()
      else {
        const { contentType, bytes } = toBytes(response)
        const { status, reason = 'Told', headers = {} } = response
        outgoing.writeHead(status, reason, { 'content-type': contentType, 'content-length': bytes.length, ...headers })
        outgoing.end(bytes)
      }
      exchanges.push({ request, response })
      for (const waiter of waiting.filter(({ count }) => count <= exchanges.length)) waiter.resolve()
      waiting = waiting.filter(({ count }) => count > exchanges.length)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    exchanges,
    whenSeen: (count) =>
      new Promise((resolve) => {
        if (exchanges.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function closedEarly(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => outgoing.on('close', () => !outgoing.writableFinished && resolve()))
}

async function readRequest(incoming: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const headers = Object.entries(incoming.headers).filter(([name]) => !connectionHeaders.has(name))
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: Object.fromEntries(headers.sort(([a], [b]) => (a < b ? -1 : 1))) as Record<string, string>,
    body: Buffer.concat(chunks).toString('utf8'),
  }
}

function toBytes(response: Exclude<Canned, 'hangUp'>): { contentType: string; bytes: Buffer } {
  if ('json' in response) return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(response.json)) }
  const { contentType } = response
  return {
    contentType,
    bytes: 'text' in response ? Buffer.from(response.text) : Buffer.from(response.base64, 'base64'),
  }
}
