import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createHttpHubu } from '../../../../src/sandbox/gongbu/hubu/http-hubu.ts'
import { hubuToken, startHubuStub } from '../support/hubu-stub.ts'

test.each([
  'https://127.0.0.1:1',
  'http://10.0.0.1:1',
  'http://example.test',
  'http://user@127.0.0.1:1',
  'http://127.0.0.1:1/path',
  'http://127.0.0.1:1?q=1',
  'nonsense',
])('the address %s is refused', (url) => {
  expect(() => createHttpHubu({ url, token: 't', silenceMs: 1000 })).toThrow(/Hubu address/)
})

test('trailing slashes of the address are dropped', async () => {
  await using stub = await startHubuStub()
  const hubu = createHttpHubu({ url: `${stub.url}//`, token: hubuToken, silenceMs: 1000 })
  expect((await hubu.resolve('tok-a')).kind).toBe('ok')
})

test('each call has a connection of its own and a declared length', async () => {
  const heads: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    heads.push({ connection: request.headers.connection, length: request.headers['content-length'] })
    response.writeHead(400).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const hubu = createHttpHubu({ url: `http://127.0.0.1:${port}`, token: 't', silenceMs: 1000 })
  expect(await hubu.resolve('tok-a')).toEqual({ kind: 'refused', code: 'hubu_request_rejected' })
  await hubu.inspectClaim('c')
  expect(heads).toEqual([
    { connection: 'close', length: '31' },
    { connection: 'close', length: undefined },
  ])
  server.close()
})

test('silence, a cut body and an endless one are lost calls', async () => {
  const server = createServer((request, response) => {
    if (request.url?.endsWith('resolve')) return
    if (request.url?.endsWith('validate')) {
      response.writeHead(200, { 'Content-Length': '1000' }).write('{')
      request.socket.end()
    } else response.writeHead(200).end(Buffer.alloc(1_048_577, ' '))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const hubu = createHttpHubu({ url: `http://127.0.0.1:${port}`, token: 't', silenceMs: 50 })
  const lost = { kind: 'lost', code: 'hubu_transport_ambiguous' }
  const spend = { operationKey: 'k', tokenId: 't', accountId: 'a', amountCents: 1, currency: 'USD' }
  const scope = { schema_version: 1, ...Object.fromEntries([]) } as never
  expect(await hubu.resolve('t')).toEqual(lost)
  expect(await hubu.validate({ ...spend, scope })).toEqual(lost)
  expect(await hubu.release({ agentId: 'a', operationKey: 'k' })).toEqual(lost)
  server.closeAllConnections()
  server.close()
})

test('the status of a refusal decides alone, whatever its body is', async () => {
  await using stub = await startHubuStub()
  const hubu = createHttpHubu({ url: stub.url, token: hubuToken, silenceMs: 1000 })
  stub.fail('resolve', { raw: 'no JSON', status: 400 }, { raw: '', status: 404 }, { raw: '{}', status: 500 })
  const kinds = [await hubu.resolve('t'), await hubu.resolve('t'), await hubu.resolve('t')].map((one) => one.kind)
  expect(kinds).toEqual(['refused', 'refused', 'lost'])
})

test('a claim id is percent-encoded', async () => {
  const urls: (string | undefined)[] = []
  const server = createServer((request, response) => {
    urls.push(request.url)
    response.writeHead(400).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await createHttpHubu({ url: `http://127.0.0.1:${port}`, token: 't', silenceMs: 1000 }).inspectClaim("a b/-_.~'(é)")
  expect(urls).toEqual(['/spend/executor/claim?claim_id=a%20b%2F-_.~%27%28%C3%A9%29'])
  server.close()
})
