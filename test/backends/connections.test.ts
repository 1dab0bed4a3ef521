import { getEventListeners, once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import type { HttpClient } from '../../src/backends/http-client.ts'
import { client, get, limits, post } from './client.ts'
import { keptResponse, rawServer, response } from './raw-server.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'))

test('a request carries one host, the bearer, and a body with its length, never chunked', async () => {
  await using server = await rawServer((socket) => socket.end(response('{}')))
  await using http = client(new URL('/api', server.url))
  await http.send({ ...get, path: '/budgets?all=true' }, limits)
  await http.send({ ...post, body: '{"reason":"grüße"}' }, limits)
  const [read, write] = server.requests.map(({ head }) => head.split('\r\n'))
  expect(read?.[0]).toBe('GET /api/budgets?all=true HTTP/1.1')
  expect(write?.[0]).toBe('POST /api/thing HTTP/1.1')
  expect(write).toContain('authorization: Bearer bearer-canary')
  expect([read, write].map((lines) => lines?.find((line) => line.startsWith('connection:')))).toEqual([
    'connection: keep-alive',
    'connection: close',
  ])
  expect(write).toContain('content-length: 20')
  expect(server.requests[1]?.body).toBe('{"reason":"grüße"}')
  for (const lines of [read ?? [], write ?? []]) {
    const names = lines.slice(1).map((line) => line.split(':')[0]?.toLowerCase())
    expect(new Set(names).size).toBe(names.length)
    expect(names).not.toContain('transfer-encoding')
  }
})

test.each([
  ['http://h/api', '/api/health'],
  ['http://h/api/', '/api/health'],
  ['http://h', '/health'],
  ['http://h/', '/health'],
])('a path is joined to the base %s as %s', async (base, joined) => {
  await using server = await rawServer((socket) => socket.end(response('{}')))
  await using http = client(base.replace('h/', `127.0.0.1:${server.port}/`).replace(/h$/, `127.0.0.1:${server.port}`))
  await http.send({ method: 'GET', path: '/health' }, limits)
  expect(server.requests[0]?.head.split(' ')[1]).toBe(joined)
})

test('localhost works when only IPv4 is served', async () => {
  await using server = await rawServer((socket) => socket.end(response('{}')), '127.0.0.1')
  await using http = client(`http://localhost:${server.port}`)
  expect((await http.send(get, limits)).kind).toBe('answer')
})

test.skipIf(!hasIpv6)('localhost and a bracketed address work when only IPv6 is served', async () => {
  await using server = await rawServer((socket) => socket.end(response('{}')), '::1')
  for (const host of ['localhost', '[::1]']) {
    await using http = client(`http://${host}:${server.port}`)
    expect((await http.send(get, limits)).kind).toBe('answer')
  }
})

test('reads share the connections that the backend promises to keep', async () => {
  await using server = await rawServer((socket) => socket.write(keptResponse('{}')))
  await using http = client(server.url)
  for (let i = 0; i < 20; i++) expect((await http.send(get, limits)).kind).toBe('answer')
  expect(server.sockets.length).toBeLessThanOrEqual(2)
})

test('without that promise every read has a new connection, and none is repeated', async () => {
  for (const headers of ['', 'Connection: keep-alive\r\n', 'Keep-Alive: max=100\r\n']) {
    await using server = await rawServer((socket, _request, nth) => {
      if (nth === 7) socket.destroy()
      else socket.write(response('{}', { headers }))
    })
    await using http = client(server.url)
    for (let i = 0; i < 6; i++) expect((await http.send(get, limits)).kind).toBe('answer')
    expect((await http.send(get, limits)).kind).toBe('no_answer')
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 2, 3, 4, 5, 6, 7])
  }
})

test('a promise that ends is not trusted any longer', async () => {
  let promising = true
  await using server = await rawServer((socket) => socket.write(promising ? keptResponse('{}') : response('{}')))
  await using http = client(server.url)
  await warmUp(http)
  promising = false
  await http.send(get, limits)
  const sockets = server.sockets.length
  for (let i = 0; i < 3; i++) expect((await http.send(get, limits)).kind).toBe('answer')
  expect(server.sockets.length).toBe(sockets + 3)
})

test('every POST has a connection of its own, which carried nothing before', async () => {
  await using server = await rawServer((socket) => socket.write(keptResponse('{}')))
  await using http = client(server.url)
  for (let i = 0; i < 5; i++) {
    expect((await http.send(get, limits)).kind).toBe('answer')
    expect((await http.send(post, limits)).kind).toBe('answer')
  }
  const mutations = server.requests.filter(({ head }) => head.startsWith('POST'))
  const reads = server.requests.filter(({ head }) => head.startsWith('GET'))
  expect(new Set(mutations.map(({ connection }) => connection)).size).toBe(5)
  expect(mutations.some(({ connection }) => reads.some((read) => read.connection === connection))).toBe(false)
  expect(new Set(reads.map(({ connection }) => connection)).size).toBeLessThanOrEqual(2)
})

test.each([
  ['says nothing about it', response],
  ['promises to keep it', keptResponse],
])(
  'a backend that closes each socket right after answering and %s serves 200 reads and gets each POST once',
  async (_name, answer) => {
    await using server = await rawServer((socket) => socket.end(answer('{}')))
    await using http = client(server.url)
    for (let i = 0; i < 200; i++) expect((await http.send(get, limits)).kind).toBe('answer')
    for (let i = 0; i < 20; i++) expect((await http.send({ ...post, body: `{"n":${i}}` }, limits)).kind).toBe('answer')
    const bodies = server.requests.filter(({ head }) => head.startsWith('POST')).map(({ body }) => body)
    expect(bodies).toEqual(Array.from({ length: 20 }, (_, i) => `{"n":${i}}`))
  },
)

/** Lets some reads pass, so that the next one finds a kept socket; gives how many requests that took. */
async function warmUp(http: HttpClient): Promise<number> {
  for (let i = 0; i < 6; i++) expect((await http.send(get, limits)).kind).toBe('answer')
  return 6
}

test('a read that a kept socket loses is sent once more, on a new one', async () => {
  let losing = false
  await using server = await rawServer((socket, { connection }) => {
    if (losing && server.requests.filter((other) => other.connection === connection).length > 1) return socket.destroy()
    socket.write(keptResponse('{}'))
  })
  await using http = client(server.url)
  const warm = await warmUp(http)
  const sockets = server.sockets.length
  losing = true
  expect((await http.send(get, limits)).kind).toBe('answer')
  expect([server.requests.length, server.sockets.length]).toEqual([warm + 2, sockets + 1])
})

test('the second try of a read is the last', async () => {
  let losing = false
  await using server = await rawServer((socket) => (losing ? socket.destroy() : socket.write(keptResponse('{}'))))
  await using http = client(server.url)
  const warm = await warmUp(http)
  losing = true
  expect((await http.send(get, limits)).kind).toBe('no_answer')
  expect(server.requests).toHaveLength(warm + 2)
})

test('a read that a new socket loses is not repeated', async () => {
  await using server = await rawServer((socket) => socket.destroy())
  await using http = client(server.url)
  expect((await http.send(get, limits)).kind).toBe('no_answer')
  expect([server.requests.length, server.sockets.length]).toEqual([1, 1])
})

test('a read on a kept socket is not repeated once a byte of the answer came', async () => {
  let losing = false
  await using server = await rawServer((socket) =>
    losing ? socket.end('HTTP/1.1 2') : socket.write(keptResponse('{}')),
  )
  await using http = client(server.url)
  const warm = await warmUp(http)
  losing = true
  expect((await http.send(get, limits)).kind).toBe('no_answer')
  expect(server.requests).toHaveLength(warm + 1)
})

test('a read that reaches its deadline on a kept socket is not repeated', async () => {
  let losing = false
  await using server = await rawServer((socket) => losing || socket.write(keptResponse('{}')))
  await using http = client(server.url, { totalTimeoutMs: 80 })
  const warm = await warmUp(http)
  losing = true
  expect((await http.send(get, limits)).kind).toBe('no_answer')
  expect(server.requests).toHaveLength(warm + 1)
})

test('a POST that is cancelled before it has a socket writes nothing, and its socket serves nobody else', async () => {
  await using server = await rawServer((socket) => socket.write(response('{}')))
  await using http = client(server.url)
  const cancelled = new AbortController()
  const sent = http.send(post, { ...limits, signal: cancelled.signal })
  cancelled.abort()
  expect(await sent).toEqual({ kind: 'cancelled' })
  while (server.sockets.length === 0) await new Promise(setImmediate)
  expect((await http.send(post, limits)).kind).toBe('answer')
  expect(server.requests.map(({ connection }) => connection)).toEqual([2])
})

test('cancelling a POST that was written changes nothing: its outcome is told', async () => {
  await using server = await rawServer(() => {})
  await using http = client(server.url)
  const cancelled = new AbortController()
  const sent = http.send(post, { ...limits, signal: cancelled.signal })
  while (server.requests.length === 0) await new Promise(setImmediate)
  cancelled.abort()
  server.sockets[0]?.end(response('{"decision":"allow"}'))
  expect(await sent).toMatchObject({ kind: 'answer', status: 200 })
})

test('cancelling a read ends it at once, with its socket', async () => {
  await using server = await rawServer(() => {})
  await using http = client(server.url)
  const cancelled = new AbortController()
  const sent = http.send(get, { ...limits, signal: cancelled.signal })
  while (server.requests.length === 0) await new Promise(setImmediate)
  cancelled.abort()
  expect(await sent).toEqual({ kind: 'cancelled' })
  if (!server.sockets[0]?.closed) await once(server.sockets[0] as never, 'close')
  expect(await http.send(get, { ...limits, signal: cancelled.signal })).toEqual({ kind: 'cancelled' })
})

test('closing ends what is under way and leaves nothing behind', async () => {
  await using server = await rawServer(() => {})
  const http = client(server.url)
  const stalled = client(`https://127.0.0.1:${server.port}`)
  const under = [http.send(get, limits), http.send(post, limits), stalled.send(post, limits)]
  while (server.requests.length < 2 || server.sockets.length < 3) await new Promise(setImmediate)
  await Promise.all([http.close(), stalled.close()])
  expect((await Promise.all(under)).map(({ kind }) => kind)).toEqual(['no_answer', 'no_answer', 'not_connected'])
  expect((await http.send(get, limits)).kind).toBe('not_connected')
  for (const socket of server.sockets) if (!socket.closed) await once(socket, 'close')
})

test('closing while connections are being made keeps no timer, so that a process can end at once', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  await using server = await rawServer(() => {})
  const before = timers()
  const http = client(server.url, { connectTimeoutMs: 60_000 })
  const under = [http.send(get, limits), http.send(post, limits)]
  await http.close()
  expect((await Promise.all(under)).map(({ kind }) => kind)).toEqual(['not_connected', 'not_connected'])
  expect(timers()).toBe(before)
})

test('a signal that outlives its call is left without listeners', async () => {
  await using server = await rawServer((socket) => socket.end(response('{}')))
  await using http = client(server.url)
  const { signal } = new AbortController()
  for (const request of [get, post]) await http.send(request, { ...limits, signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test.each([
  ['reads', get, post, 24],
  ['mutations', post, get, 8],
] as const)(
  'of many %s at once a few are sent, and they hold back neither the other kind nor our own questions',
  async (...kinds) => {
    const [, many, other, first] = kinds
    let isHeld = true
    const held: (() => void)[] = []
    await using server = await rawServer((socket, { head }) => {
      const answer = () => socket.write(response('{}'))
      if (isHeld && head.startsWith(many.method) && !head.includes('/own')) held.push(answer)
      else answer()
    })
    await using http = client(server.url, { totalTimeoutMs: 600_000 })
    const sent = Array.from({ length: 100 }, () => http.send(many, limits))
    expect((await http.send(other, limits)).kind).toBe('answer')
    expect((await http.send({ ...many, path: '/own' }, { ...limits, isUrgent: true })).kind).toBe('answer')
    while (held.length < first) await new Promise(setImmediate)
    expect(held).toHaveLength(first)
    isHeld = false
    for (const answer of held) answer()
    expect(new Set((await Promise.all(sent)).map(({ kind }) => kind))).toEqual(new Set(['answer']))
  },
)
