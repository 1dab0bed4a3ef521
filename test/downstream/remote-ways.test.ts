// How a remote server is reached: through a proxy, and by the older transport.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { realClock } from '../../src/timing/clock.ts'
import { call, mountRemote, remoteServer } from './remote-server.ts'

/** A proxy that notes what it is asked and sends all of it to one place; it opens no tunnel. */
async function startProxy(target: string): Promise<{ url: string; asked: string[] } & AsyncDisposable> {
  const asked: string[] = []
  const proxy = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    const { hostname, port } = new URL(target)
    const { pathname: path } = new URL(incoming.url ?? '')
    const { method, headers } = incoming
    const passed = request({ hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(passed)
  })
  proxy.on('connect', (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url}`)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

describe('a remote server outside', () => {
  test.each(['HTTP_PROXY', 'http_proxy'])('is reached through the proxy that %s names', async (variable) => {
    await using remote = await remoteServer()
    await using proxy = await startProxy(remote.url)
    await using mounts = await mountRemote({ url: 'http://mcp.example.test/mcp' }, realClock, { [variable]: proxy.url })
    expect(mounts.servers()[0]).toMatchObject({ isConnected: true })
    expect(await call(mounts)).toMatchObject({ kind: 'result' })
    expect(proxy.asked[0]).toBe('POST http://mcp.example.test/mcp')
  })

  test('is asked for by name where the way is encrypted', async () => {
    await using proxy = await startProxy('http://127.0.0.1:1')
    await using mounts = await mountRemote({ url: 'https://mcp.example.test/mcp' }, realClock, {
      HTTPS_PROXY: proxy.url,
    })
    expect(mounts.servers()[0]?.isConnected).toBe(false)
    expect(proxy.asked).toContain('CONNECT mcp.example.test:443')
  })

  test.each([
    ['on this machine', {}],
    ['named by NO_PROXY', { NO_PROXY: 'example.test, localhost' }],
    ['and NO_PROXY is *', { NO_PROXY: '*' }],
  ])('is not, %s', async (_what, more) => {
    await using remote = await remoteServer()
    await using proxy = await startProxy(remote.url)
    await using mounts = await mountRemote({ url: remote.url }, realClock, { HTTP_PROXY: proxy.url, ...more })
    expect(mounts.servers()[0]).toMatchObject({ isConnected: true })
    expect(proxy.asked).toEqual([])
  })

  test('is not reached, with a sentence, when the proxy has no address', async () => {
    await using mounts = await mountRemote({ url: 'http://mcp.example.test/mcp' }, realClock, { HTTP_PROXY: 'proxy' })
    expect(mounts.servers()[0]?.error).toBe(
      'connect: HTTP_PROXY or HTTPS_PROXY is no address of a proxy; mend the variable, or remove it',
    )
  })
})

describe('a stream for news that a server does not have', () => {
  const html = { 'content-type': 'text/html' }
  test.each<[string, number, Record<string, string>, string]>([
    ...[400, 404, 406, 500, 501].map((status): [string, number, Record<string, string>, string] => [
      `with ${status}`,
      status,
      {},
      '',
    ]),
    ['with a page', 200, html, '<html>'],
    ['with JSON', 200, { 'content-type': 'application/json' }, '{}'],
    ['with a way elsewhere', 302, { location: '/login' }, ''],
  ])('costs nothing but itself when it is answered %s', async (_what, status, headers, body) => {
    await using remote = await remoteServer(undefined, (response) => void response.writeHead(status, headers).end(body))
    await using mounts = await mountRemote({ url: remote.url })
    for (let calls = 0; calls < 3; calls++) expect(await call(mounts)).toMatchObject({ kind: 'result' })
    expect(remote.methods.filter((method) => method === 'initialize')).toHaveLength(1)
    expect(remote.seen.filter(({ method }) => method === 'GET').length).toBeLessThan(7)
  })
})

describe('a server that speaks only SSE', () => {
  /** Serves SSE at the address where it refuses the first request of Streamable HTTP. */
  async function older(status: number) {
    const remote = await remoteServer()
    const { port } = new URL(remote.url)
    const front = createServer((incoming, response) => {
      if (incoming.method === 'POST' && incoming.url === '/mcp') return void response.writeHead(status).end()
      const path = incoming.url === '/mcp' ? '/sse' : incoming.url
      const { method, headers } = incoming
      const passed = request({ hostname: '127.0.0.1', port, path, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      passed.on('error', () => response.destroy())
      incoming.pipe(passed)
    })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    return {
      url: `http://127.0.0.1:${(front.address() as AddressInfo).port}/mcp`,
      [Symbol.asyncDispose]: async () => {
        front.closeAllConnections()
        await new Promise((resolve) => front.close(resolve))
        await remote.stop()
      },
    }
  }

  test.each([400, 404, 405])(
    'is reached with nothing but its address, when it answers %i to the newer way',
    async (status) => {
      await using server = await older(status)
      await using mounts = await mountRemote({ url: server.url })
      expect(mounts.servers()[0]).toMatchObject({ isConnected: true })
      expect(await call(mounts)).toMatchObject({ kind: 'result' })
    },
  )

  test.each([
    ['another refusal', 403, {}],
    ['an entry that says which transport it is', 404, { transport: 'http' as const }],
  ])('is not looked for after %s', async (_what, status, more) => {
    await using server = await older(status)
    await using mounts = await mountRemote({ url: server.url, ...more })
    expect(mounts.servers()[0]?.isConnected).toBe(false)
  })
})
