// Remote MCP servers as they are in the field: real HTTP with the wire of MCP, each with one bad habit.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A request of MCP as such a server sees it. */
interface Asked {
  id: number | undefined
  method: string
  request: IncomingMessage
  response: ServerResponse
}

/** A running server. */
export interface HttpServer extends AsyncDisposable {
  readonly port: number
  /** The entry of a configuration that mounts it. */
  readonly entry: { url: string; transport: 'http'; enabled: true }
  /** The methods of what it was asked, in order, those that it refused included. */
  readonly methods: string[]
  /** How often it carried a call out. */
  readonly calls: () => number
}

/** What a server does before it serves a request as it should; true: it has dealt with it. */
type Habit = (asked: Asked) => boolean

/** A Streamable HTTP server with one tool, `do`, and one session at a time. */
export async function httpServer(habit: Habit = () => false, tls?: { key: string; cert: string }): Promise<HttpServer> {
  const methods: string[] = []
  let calls = 0
  const answer = ({ id, method, response }: Asked) => {
    if (id === undefined) return void response.writeHead(202).end()
    if (method === 'tools/call') calls++
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': `session-${methods.length}` })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }))
  }
  const listener: RequestListener = (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(request.method === 'DELETE' ? 204 : 405).end()
      const { id, method } = JSON.parse(body) as { id?: number; method: string }
      // It is of the older era; nobody counts what is asked to find that out.
      if (method === 'server/discover') return void response.writeHead(400).end()
      methods.push(method)
      const asked = { id, method, request, response }
      if (!habit(asked)) answer(asked)
    })
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    entry: { url: `http://127.0.0.1:${port}/mcp`, transport: 'http', enabled: true },
    methods,
    calls: () => calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const results: Record<string, object> = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'h', version: '1' } },
  'tools/list': { tools: [{ name: 'do', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
}

/** Takes calls and never answers; `onClosed` hears of each whose connection is closed on it. */
export const slowServer = (onClosed: () => void): Promise<HttpServer> =>
  httpServer(({ method, response }) => {
    if (method !== 'tools/call') return false
    response.on('close', onClosed)
    return true
  })

/** Answers a call with messages that nobody asked for, without end. */
export const floodingServer = (): Promise<HttpServer> =>
  httpServer(({ method, response }) => {
    if (method !== 'tools/call') return false
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const params = { level: 'info', data: 'x'.repeat(300) }
    const event = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params })}\n\n`.repeat(50)
    const more = () => {
      while (response.write(event));
    }
    response.on('drain', more)
    more()
    return true
  })

/** Forgets its session so many times, each time when a call comes: that one is answered with 404. */
export const forgetfulServer = (times: number): Promise<HttpServer> =>
  httpServer(({ method, response }) => {
    if (method !== 'tools/call' || times-- <= 0) return false
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}')
    return true
  })

/** Answers the first call with this status, and in words of its own. */
export function refusingServer(status: number, headers: Record<string, string> = {}): Promise<HttpServer> {
  let refuses = true
  return httpServer(({ method, response }) => {
    if (method !== 'tools/call' || !refuses) return false
    refuses = false
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end('go away, key sk-1234')
    return true
  })
}
