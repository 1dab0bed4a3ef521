// A thousand open subscriptions, and a thousand open streams of sessions: what each holds, and what they cost while nothing happens.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuMs } from './cpu.ts'
import { openSender, peopleTokens, serveHttp, type HttpPeer } from './http-peer.ts'
import { atMost, type BenchRow } from './row.ts'

const streams = 1000
const quietMs = 3000

const limits = { max_connections: 4096, max_subscriptions: 1024 }

/** Two rows a kind: memory of one stream, and processor time of all of them. */
export async function benchStreams(bin: string, folder: string): Promise<BenchRow[]> {
  const { file, tokens } = peopleTokens(folder, streams)
  const rows: BenchRow[] = []
  for (const kind of ['subscription', 'GET stream'] as const) {
    const router = await serveHttp(bin, folder, {}, { http: limits, auth: { tokens: file } })
    try {
      const open = await (kind === 'subscription' ? Promise.resolve(subscribing(router)) : streaming(router, tokens))
      // What the first ones load is no part of what a further one holds.
      const first = await Promise.all(tokens.slice(0, 50).map(open))
      await pause(500)
      const before = residentKib(router.pid)
      for (let at = 50; at < streams; at += 50) first.push(...(await Promise.all(tokens.slice(at, at + 50).map(open))))
      await pause(500)
      const held = (residentKib(router.pid) - before) / (streams - 50)
      const begun = cpuMs(router.pid)
      await pause(quietMs)
      const cpu = ((cpuMs(router.pid) - begun) / quietMs) * 100
      rows.push(
        atMost(1, { name: `an open ${kind}`, value: held, floor: 20, unit: 'KiB' }, '20 KiB'),
        atMost(
          1,
          { name: `${streams} open ${kind}s, idle`, value: cpu, floor: 1, unit: '% of a core' },
          '1 % of a core',
        ),
      )
      for (const request of first) request.destroy()
    } finally {
      await router.end()
    }
  }
  return rows
}

type Open = (token: string) => Promise<http.ClientRequest>

function subscribing({ url }: HttpPeer): Open {
  const method = 'subscriptions/listen'
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { notifications: { toolsListChanged: true }, _meta: meta },
  })
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
  return (token) => openStream(url, 'POST', { ...headers, 'content-type': 'application/json', ...bearer(token) }, body)
}

async function streaming(router: HttpPeer, tokens: readonly string[]): Promise<Open> {
  const sender = openSender(router, 32)
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: client })
  const ids = new Map<string, string>()
  const greet = async (token: string) => {
    const { headers } = await sender.send(hello, { 'content-type': 'application/json', ...bearer(token) })
    ids.set(token, String(headers['mcp-session-id']))
  }
  for (let at = 0; at < tokens.length; at += 32) await Promise.all(tokens.slice(at, at + 32).map(greet))
  await sender.close()
  return (token) =>
    openStream(router.url, 'GET', {
      ...{ 'mcp-session-id': ids.get(token)!, 'mcp-protocol-version': '2025-06-18', ...bearer(token) },
    })
}

const bearer = (token: string) => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json, text/event-stream',
})

/** Resolves when the stream has begun. */
function openStream(
  url: URL,
  method: string,
  headers: http.OutgoingHttpHeaders,
  body?: string,
): Promise<http.ClientRequest> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      response.resume()
      response.on('error', () => {})
      if (response.statusCode === 200) resolve(request)
      else reject(new Error(`a stream was answered with ${response.statusCode}`))
    })
    request.on('error', reject)
    request.end(body)
  })
}

function residentKib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
