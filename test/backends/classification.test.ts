import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { HttpOutcome } from '../../src/backends/http-client.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { client, expire, get, limits, post } from './client.ts'
import { closedPort, rawServer, response, type Answer } from './raw-server.ts'

/** The outcomes of a GET and of a POST, each on a new client. The deadline passes once the backend has answered all it will. */
async function outcomes(answer: Answer, isLate = false): Promise<HttpOutcome[]> {
  const all: HttpOutcome[] = []
  for (const request of [get, post]) {
    const clock = new FakeClock()
    await using server = await rawServer((socket, ...told) => {
      answer(socket, ...told)
      if (isLate) socket.write('', () => void expire(clock))
    })
    await using http = client(server.url, { clock })
    all.push(await http.send(request, limits))
    expect(server.requests).toHaveLength(1)
  }
  return all
}

/** What becomes of a request to a backend that never answers the TLS handshake, when 2 s pass, and why. */
async function withoutSocket(timeouts: { connectTimeoutMs: number; totalTimeoutMs: number }): Promise<unknown[]> {
  const clock = new FakeClock()
  await using server = await rawServer(() => {})
  await using http = client(`https://127.0.0.1:${server.port}`, { ...timeouts, clock })
  const sent = http.send(post, limits)
  while (server.sockets.length === 0) await clock.turn()
  clock.advance(2000)
  const outcome = await sent
  return [outcome.kind, 'cause' in outcome && (outcome.cause as Error).message]
}

describe('nothing can have reached the backend', () => {
  test('a refused connection is not_connected; the cause tells why and is hidden from output', async () => {
    await using http = client(`http://127.0.0.1:${await closedPort()}`)
    for (const request of [get, post]) {
      const outcome = await http.send(request, limits)
      expect(outcome).toEqual({ kind: 'not_connected' })
      expect(outcome).toHaveProperty('cause.code', 'ECONNREFUSED')
      expect(JSON.stringify(outcome) + inspect({ ...outcome })).not.toMatch(/127\.0\.0\.1|canary/)
    }
  })

  test('a TLS handshake that fails is not_connected and shows no request', async () => {
    await using server = await rawServer(() => {})
    server.sockets.length = 0
    await using http = client(`https://127.0.0.1:${server.port}`, { connectTimeoutMs: 2000 })
    const sent = http.send(post, limits)
    while (server.sockets.length === 0) await new Promise(setImmediate)
    server.sockets[0]?.end('this is no TLS\r\n')
    expect((await sent).kind).toBe('not_connected')
    expect(server.received()).not.toMatch(/canary|amount/)
  })

  test('a socket that is not ready within the connect time-out is not_connected', async () => {
    expect(await withoutSocket({ connectTimeoutMs: 2000, totalTimeoutMs: 3000 })).toEqual([
      'not_connected',
      'not connected within 2000 ms',
    ])
  })

  test('a total deadline that passes before there is a socket is not_connected', async () => {
    expect(await withoutSocket({ connectTimeoutMs: 3000, totalTimeoutMs: 2000 })).toEqual([
      'not_connected',
      'no complete answer within 2000 ms',
    ])
  })
})

describe('the request may have arrived, but no response head came', () => {
  test.each<[string, Answer, isLate?: boolean]>([
    ['a close after reading', (socket) => socket.destroy()],
    ['a reset after reading', (socket) => socket.resetAndDestroy()],
    ['a close in the head', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
    ['garbage', (socket) => socket.end('SSH-2.0-OpenSSH\r\n\r\n')],
    ['an interim response and a close', (socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['silence until the deadline', () => {}, true],
  ])('%s is no_answer', async (_name, answer, isLate) => {
    expect(await outcomes(answer, isLate)).toEqual([{ kind: 'no_answer' }, { kind: 'no_answer' }])
  })
})

describe('the head came, the body did not come whole', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'
  test.each<[string, Answer, isLate?: boolean]>([
    ['a declared body that is closed early', (socket) => socket.end(`${head}Content-Length: 9\r\n\r\n{"a"`)],
    [
      'a declared body on a closing connection',
      (socket) => socket.end(`${head}Connection: close\r\nContent-Length: 9\r\n\r\n{"a"`),
    ],
    [
      'a declared body that is reset early',
      (socket) => socket.write(`${head}Content-Length: 9\r\n\r\n{"a"`, () => socket.resetAndDestroy()),
    ],
    [
      'a chunked body without its end',
      (socket) => socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n`),
    ],
    ['a body that stops until the deadline', (socket) => socket.write(`${head}Content-Length: 9\r\n\r\n{"a"`), true],
    ['a body without length that stops until the deadline', (socket) => socket.write(`${head}\r\n{"a"`), true],
  ])('%s is cut, with the status', async (_name, answer, isLate) => {
    const cut = { kind: 'cut', status: 200, contentType: 'application/json' }
    expect(await outcomes(answer, isLate)).toEqual([cut, cut])
  })

  test('a body that trickles without end is cut at the total deadline, not at the last byte', async () => {
    const clock = new FakeClock()
    await using server = await rawServer((socket) => {
      let written = 0
      const trickle = () => void (++written === 20 ? expire(clock) : socket.write('x', trickle))
      socket.write(`${head}\r\n`, trickle)
    })
    await using http = client(server.url, { clock })
    expect((await http.send(get, { maxBytes: 1e9 })).kind).toBe('cut')
  })
})

describe('a complete answer', () => {
  async function answerOf(bytes: string | Buffer, maxBytes = 1000): Promise<HttpOutcome> {
    await using server = await rawServer((socket) => socket.end(bytes))
    await using http = client(server.url)
    return await http.send(get, { maxBytes })
  }

  test('a body without length ends with the connection: it is complete as far as anyone can tell', async () => {
    const outcome = await answerOf('HTTP/1.1 200 OK\r\n\r\n{"a"')
    expect(outcome).toEqual({ kind: 'answer', status: 200, contentType: undefined, body: Buffer.from('{"a"') })
  })

  test('204, an empty 200 and interim responses are answers', async () => {
    expect(await answerOf('HTTP/1.1 204 No\r\n\r\n')).toMatchObject({ status: 204, body: Buffer.alloc(0) })
    expect(await answerOf(response(''))).toMatchObject({ kind: 'answer', status: 200, body: Buffer.alloc(0) })
    const hinted = Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'), response('{}')])
    expect(await answerOf(hinted)).toMatchObject({ kind: 'answer', status: 200, body: Buffer.from('{}') })
  })

  test('the content type is told verbatim, the first one if there are two', async () => {
    const twice = response('x', { type: 'image/PNG ; x=y', headers: 'Content-Type: text/html\r\n' })
    expect(await answerOf(twice)).toMatchObject({ contentType: 'image/PNG ; x=y' })
  })

  test('compressed bytes are given as they are, never decoded', async () => {
    const bytes = gzipSync('{"a":1}')
    const outcome = await answerOf(response(bytes, { headers: 'Content-Encoding: gzip\r\n' }))
    expect(outcome).toMatchObject({ kind: 'answer', body: bytes })
  })

  test('a redirect is an answer; the other place gets no request, no token and no body', async () => {
    await using other = await rawServer((socket) => socket.end(response('{}')))
    for (const status of [301, 302, 307, 308]) {
      await using server = await rawServer((socket) =>
        socket.end(response('{"a":1}', { status, headers: `Location: http://127.0.0.1:${other.port}/thing\r\n` })),
      )
      await using http = client(server.url)
      for (const request of [get, post])
        expect(await http.send(request, limits)).toMatchObject({ kind: 'answer', status })
    }
    expect(other.sockets).toHaveLength(0)
  })

  test('a body of exactly the limit is whole; one byte more is too large, declared or not', async () => {
    const tooLarge = { kind: 'too_large', status: 200, contentType: 'application/json' }
    const chunked = (text: string) =>
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
    expect(await answerOf(response('12345'), 5)).toMatchObject({ kind: 'answer', body: Buffer.from('12345') })
    expect(await answerOf(chunked('12345'), 5)).toMatchObject({ kind: 'answer', body: Buffer.from('12345') })
    expect(await answerOf(response('123456'), 5)).toEqual(tooLarge)
    expect(await answerOf(chunked('123456'), 5)).toEqual(tooLarge)
    const promised = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 6\r\n\r\n'
    expect(await answerOf(promised, 5)).toEqual(tooLarge)
  })

  test('a long body arrives byte for byte, with and without a declared length', async () => {
    const body = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251))
    const plain = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), body])
    for (const bytes of [response(body), plain]) {
      const outcome = await answerOf(bytes, 300_000)
      expect(outcome.kind === 'answer' && outcome.body.equals(body)).toBe(true)
    }
  })
})
