import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createHttpClient } from '../../src/backends/http-client.ts'
import { Secret } from '../../src/redaction/secret.ts'

/** A server that counts what reaches it, and its port. */
async function startCounting(): Promise<{ port: number; requests: string[]; close(): Promise<void> }> {
  const requests: string[] = []
  const server: Server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { port: (server.address() as AddressInfo).port, requests, close }
}

const clientOf = (port: () => Promise<number>) =>
  createHttpClient({ endpoint: new URL('http://127.0.0.1:1'), bearer: new Secret('bearer-of-a-test'), port })
const post = { method: 'POST', path: '/spend', body: '{}' } as const

test('a mutation goes to where the backend is when it is sent', async () => {
  const [first, second] = [await startCounting(), await startCounting()]
  let port = first.port
  const http = clientOf(() => Promise.resolve(port))
  expect(await http.send(post, { maxBytes: 100 })).toMatchObject({ kind: 'answer', status: 200 })
  port = second.port
  expect(await http.send(post, { maxBytes: 100 })).toMatchObject({ kind: 'answer', status: 200 })
  expect([first.requests, second.requests]).toEqual([['POST /spend'], ['POST /spend']])
  await Promise.all([http.close(), first.close(), second.close()])
})

test('what reached nobody is sent again where the backend is by then, once', async () => {
  const [gone, there] = [await startCounting(), await startCounting()]
  await gone.close()
  const ports = [gone.port, there.port]
  const http = clientOf(() => Promise.resolve(ports.length > 1 ? ports.shift()! : ports[0]!))
  expect(await http.send(post, { maxBytes: 100 })).toMatchObject({ kind: 'answer', status: 200 })
  expect(there.requests).toEqual(['POST /spend'])
  await Promise.all([http.close(), there.close()])
})

test('a read whose answer was cut off is sent again, a mutation is not: it may have been made', async () => {
  const cutting = createServer((request) => void request.socket.destroy())
  await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve))
  const there = await startCounting()
  const places = () => {
    const ports = [(cutting.address() as AddressInfo).port]
    return () => Promise.resolve(ports.pop() ?? there.port)
  }
  const reading = clientOf(places())
  expect(await reading.send({ method: 'GET', path: '/health' }, { maxBytes: 100 })).toMatchObject({ kind: 'answer' })
  const buying = clientOf(places())
  expect(await buying.send(post, { maxBytes: 100 })).toMatchObject({ kind: 'no_answer' })
  expect(there.requests).toEqual(['GET /health'])
  cutting.close()
  await Promise.all([reading.close(), buying.close(), there.close()])
})

test('a client that is closed tries no more', async () => {
  const gone = await startCounting()
  await gone.close()
  const http = clientOf(() => Promise.resolve(gone.port))
  const sent = http.send(post, { maxBytes: 100 })
  await http.close()
  expect(await sent).toMatchObject({ kind: 'not_connected' })
})
