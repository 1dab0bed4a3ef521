import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { EventReader } from '../../src/downstream/event-reader.ts'
import { createMounts } from '../../src/downstream/mounts.ts'
import { after } from '../../src/timing.ts'

const exact = '{"content":[{"type":"text","text":"界"}], "n":12345678901234567890,"f":1.0}'

/** A server that answers calls as JSON, or as events cut into pieces of three bytes. */
async function remoteServer(): Promise<{ url: string; seen: IncomingMessage[] } & AsyncDisposable> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => answer(request.method === 'POST' ? body : '', response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answer(body: string, response: ServerResponse): void {
  if (body === '') return void response.writeHead(405).end()
  const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params?: { name?: string } }
  if (id === undefined) return void response.writeHead(202).end()
  const json = (result: string) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`
  const asJson = (text: string) => response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  switch (method) {
    case 'initialize':
      return void asJson(
        json('{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"r","version":"1"}}'),
      )
    case 'tools/list':
      return void asJson(json('{"tools":[{"name":"plain","inputSchema":{"type":"object"}}]}'))
    default:
      if (params?.name === 'plain') return void asJson(json(exact))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const piece of Buffer.from(`event: message\r\ndata: ${json(exact)}\r\n\r\n`)
        .toString('latin1')
        .match(/[^]{1,3}/g) ?? [])
        response.write(Buffer.from(piece, 'latin1'))
      response.end()
  }
}

test('a remote server is mounted with its headers, and its results keep their text as JSON and as events', async () => {
  await using remote = await remoteServer()
  const mounts = createMounts({
    servers: { r: { url: remote.url, headers: { 'x-key': 'secret' }, enabled: true } },
    allowsServer: () => true,
    clientInfo: { name: 'test', version: '1' },
    connectTimeoutMs: 10_000,
    environment: { env: {}, home: homedir(), platform: process.platform },
    after,
    random: () => 0,
    onChange: () => {},
    warn: () => {},
  })
  mounts.start()
  await mounts.whenPublished('r')
  expect(mounts.tools().map(({ publicName }) => publicName)).toEqual(['r__plain'])
  expect(await mounts.call('r', 'plain', {}, {})).toMatchObject({ kind: 'result', json: exact })
  const server = mounts.server('r')
  expect(await server?.exchange('tools/call', { name: 'events' }, {})).toMatchObject({ kind: 'result', json: exact })
  expect(remote.seen.every(({ headers }) => headers['x-key'] === 'secret')).toBe(true)
  await mounts.stop()
})

describe('a reader of events', () => {
  const read = (...chunks: string[]) => {
    const found: string[] = []
    const reader = new EventReader((data) => found.push(data))
    const passed: Uint8Array[] = []
    const controller = { enqueue: (chunk: Uint8Array) => passed.push(chunk) } as unknown as Parameters<
      EventReader['transform']
    >[1]
    for (const chunk of chunks) reader.transform(Buffer.from(chunk, 'latin1'), controller)
    expect(Buffer.concat(passed).toString('latin1')).toBe(chunks.join(''))
    return found
  }

  test.each([
    [['data: a\n\n'], ['a']],
    [['data:a\r\ndata:  b\r\n\r\n'], ['a\n b']],
    [
      ['data: a\r', '\n\r', '\ndata: b\n\n'],
      ['a', 'b'],
    ],
    [['id: 1\nda', 'ta: a', 'b\n', '\n'], ['ab']],
    [[': ping\n\n', 'event: x\ndata\n\n', 'data: c\r\r'], ['c']],
    [['data: unfinished\n'], []],
  ])('%j gives %j', (chunks, wanted) => {
    expect(read(...chunks)).toEqual(wanted)
  })
})
