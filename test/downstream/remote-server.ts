// A scripted server behind HTTP, and its mount.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import type { ServerConfig } from '#generated/types/config.js'
import { createMounts, type Mounts, type MountsOptions } from '../../src/downstream/mounts.ts'
import { realClock, type Clock } from '../../src/timing/clock.ts'

export const exact = '{"content":[{"type":"text","text":"界"}], "n":12345678901234567890,"f":1.0}'

/** A server behind HTTP with one tool, `call`, whose answers the test writes; it serves Streamable HTTP and, for GET, SSE. */
export async function remoteServer(
  respond: (call: RemoteCall) => void = ({ json }) => json(exact),
  ownStream: number | ((response: ServerResponse) => void) = 405,
  letsGo = true,
): Promise<RemoteServer> {
  const seen: IncomingMessage[] = []
  const methods: string[] = []
  let stream: ServerResponse | undefined
  const server = createServer((request, response) => {
    response.shouldKeepAlive = false
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      // It is of the older era; nobody counts what is asked to find that out.
      if (body.includes('"server/discover"')) return void response.writeHead(400).end()
      seen.push(request)
      if (request.method === 'DELETE') return void (letsGo && response.writeHead(204).end())
      if (request.method === 'GET' && request.url === '/mcp')
        return typeof ownStream === 'number' ? void response.writeHead(ownStream).end() : ownStream(response)
      if (request.method === 'GET') {
        stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
        return void stream.write('event: endpoint\ndata: /post\n\n')
      }
      const { id, method } = JSON.parse(body) as { id?: number; method: string }
      methods.push(method)
      const isSse = request.url === '/post'
      if (isSse || id === undefined) response.writeHead(202).end()
      if (id === undefined) return
      const message = (result: string) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`
      const say = (text: string, status = 200) =>
        isSse
          ? void stream?.write(`event: message\ndata: ${text}\n\n`)
          : void response
              .writeHead(status, { 'content-type': 'application/json', 'mcp-session-id': 'session-1' })
              .end(text)
      if (method === 'initialize') say(message(greeting))
      else if (method === 'tools/list') say(message('{"tools":[{"name":"call","inputSchema":{"type":"object"}}]}'))
      else respond({ id, response, stream, json: (result) => say(message(result)), say })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  return { url, seen, methods, stop, [Symbol.asyncDispose]: stop }
}

export interface RemoteServer extends AsyncDisposable {
  url: string
  seen: IncomingMessage[]
  methods: string[]
  stop(): Promise<void>
}

export interface RemoteCall {
  id: number
  response: ServerResponse
  stream: ServerResponse | undefined
  json(result: string): void
  say(text: string, status?: number): void
}

const greeting = '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"r","version":"1"}}'

/** Mounted as `r` and connected. */
export async function mountRemote(
  entry: ServerConfig,
  clock: Clock = realClock,
  env: Record<string, string> = {},
  more: Partial<MountsOptions> = {},
): Promise<Mounts & AsyncDisposable> {
  const mounts = createMounts({
    servers: { r: { ...entry, enabled: true } },
    allowsServer: () => true,
    clientInfo: { name: 'test', version: '1' },
    connectTimeoutMs: 10_000,
    environment: { env, home: homedir(), platform: process.platform },
    clock,
    random: () => 0,
    onChange: () => {},
    warn: () => {},
    ...more,
  })
  mounts.start()
  await mounts.whenPublished('r')
  return Object.assign(mounts, { [Symbol.asyncDispose]: () => mounts.stop() })
}

export const call = (mounts: Mounts) => mounts.call('r', 'call', {}, {})
export const lost = { kind: 'unknown', why: 'connection_lost' }
