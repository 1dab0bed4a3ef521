// The numbers alone on a port of this machine, for whoever collects them here.
import { createServer } from 'node:http'
import type { Address } from '../../config/addresses.ts'
import { isLoopback } from '../../config/addresses.ts'
import type { Meters } from './meters.ts'

/** Serves them; the result ends it. Rejects when the address cannot be had. */
export function serveMetrics({ host, port }: Address, meters: Meters): Promise<() => void> {
  const server = createServer((request, response) => {
    // A page that has its own name lead here reads nothing.
    const asked = (request.headers.host ?? '').replace(/:\d*$/, '').replace(/^\[|\]$/g, '')
    if (request.url !== '/metrics' || request.method !== 'GET' || !isLoopback(asked))
      return void response.writeHead(404).end()
    meters.read().then(
      (text) => response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => resolve(() => void server.close()))
  })
}
