// Remote servers with bad habits, mounted by the built bin.
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { residentMiB } from '../support/resident-memory.ts'
import { selfSigned } from '../support/self-signed.ts'
import { stubRouter, type StubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import {
  floodingServer,
  forgetfulServer,
  httpServer,
  refusingServer,
  slowServer,
  type HttpServer,
} from './http-servers.ts'
import { lazyRouter, type LazyRouter } from './lazy-router.ts'

let built: Awaited<ReturnType<typeof buildBin>>
let stub: StubRouter
beforeAll(async () => {
  built = await buildBin()
  stub = await stubRouter()
})
afterAll(async () => {
  built[Symbol.dispose]()
  await stub[Symbol.asyncDispose]()
})

const routerTo = (server: Pick<HttpServer, 'entry'>, more: Record<string, string> = {}) =>
  lazyRouter(built.bin, { env: { ...stub.env, ...more } }, { servers: { h: server.entry } })

/** The text that a call of its tool is answered with. */
const textOf = async (router: LazyRouter, args: object = {}) =>
  (await router.callTool('call_tool', { tool: 'h__do', ...args })).result?.content?.[0]?.text

const begun = ({ methods }: HttpServer) => methods.filter((method) => method === 'initialize').length

test('a call that a slow server does not answer in time ends, and its connection is closed', async () => {
  let closed = () => {}
  const isClosed = new Promise<void>((resolve) => (closed = resolve))
  await using server = await slowServer(() => closed())
  using router = await routerTo(server)
  expect(await textOf(router, { timeout_ms: 1500 })).toContain('outcome unknown: the time for the call ran out.')
  await isClosed
  expect(begun(server)).toBe(1)
})

test('beside a server that floods the answer to a call, other calls are answered and little is kept', async () => {
  await using server = await floodingServer()
  using router = await routerTo(server)
  const flooded = textOf(router, { timeout_ms: 5000 })
  for (let n = 0; n < 20; n++) expect(await router.callTool('hubu_list_ledger')).toHaveProperty('result')
  expect(residentMiB(router.child.pid)).toBeLessThan(400)
  expect(await flooded).toContain('outcome unknown: the time for the call ran out.')
})

test('a server that has forgotten its session is begun anew once, and the call is answered', async () => {
  await using server = await forgetfulServer(1)
  using router = await routerTo(server)
  expect(await textOf(router)).toBe('done')
  expect([begun(server), server.calls()]).toEqual([2, 1])
})

test('one that forgets again and again is begun anew once for a call, which is told as refused', async () => {
  await using server = await forgetfulServer(2)
  using router = await routerTo(server)
  expect(await textOf(router)).toContain('refused the call: it forgets every session at once. It was not carried out')
  expect(server.calls()).toBe(0)
  expect(server.methods.filter((method) => method === 'tools/call')).toHaveLength(2)
})

describe('a server that refuses a call says so by its status', () => {
  test.each<[number, string]>([
    [400, 'it takes the request for a wrong one (HTTP 400)'],
    [401, 'it does not accept our credentials (HTTP 401)'],
    [403, 'our credentials do not allow it (HTTP 403)'],
    [413, 'the request is too large for it (HTTP 413)'],
    [429, 'it gets too many requests (HTTP 429; it asks to wait 7 s)'],
  ])('%i', async (status, reason) => {
    await using server = await refusingServer(status, status === 429 ? { 'retry-after': '7' } : {})
    using router = await routerTo(server)
    expect(await textOf(router)).toBe(
      `call h__do: server "h" refused the call: ${reason}. It was not carried out, and the connection is kept.`,
    )
    expect(await textOf(router)).toBe('done')
    expect([begun(server), server.calls()]).toEqual([1, 1])
  })
})

describe('a server behind a certificate of an authority of its own', () => {
  const host = 'mcp.example.test'
  const certificate = selfSigned(host)

  /** A proxy that opens tunnels to one port, whatever it is asked for. */
  async function tunnelTo(port: number) {
    const asked: string[] = []
    const proxy = createServer((_request, response) => void response.writeHead(501).end())
    proxy.on('connect', ({ url = '' }, socket) => {
      asked.push(url)
      const target = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
      target.pipe(socket).pipe(target)
      for (const end of [target, socket]) end.on('error', () => {})
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    return {
      url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      asked,
      [Symbol.dispose]: () => void proxy.close(),
    }
  }

  test.each([true, false])('is reached through a tunnel of the proxy; its authority is known: %s', async (isKnown) => {
    using folder = tempFolder()
    writeFileSync(folder.file('ca.pem'), certificate.cert)
    await using server = await httpServer(undefined, certificate)
    using proxy = await tunnelTo(server.port)
    const entry = { ...server.entry, url: `https://${host}/mcp` }
    const known: Record<string, string> = isKnown ? { NODE_EXTRA_CA_CERTS: folder.file('ca.pem') } : {}
    using router = await routerTo({ entry }, { HTTPS_PROXY: proxy.url, ...known })
    const text = await textOf(router)
    if (isKnown) expect(text).toBe('done')
    else expect(text).toContain('its certificate is not trusted; NODE_EXTRA_CA_CERTS names a file')
    expect(proxy.asked[0]).toBe(`${host}:443`)
  })
})
