import { request } from 'node:http'
import net from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { listen, type HttpAnswer, type HttpRequest } from '../../../src/sandbox/http/listen.ts'
import { collectWarnings } from '../../support/warnings.ts'
import { sendRaw } from './raw-client.ts'

/** A listener that answers with what it understood of the request. */
function listenEchoing(options: Partial<Parameters<typeof listen>[0]> = {}) {
  return listen({
    handle: async (request: HttpRequest): Promise<HttpAnswer> => ({
      status: request.bodyTooLarge ? 413 : 200,
      body: JSON.stringify({
        method: request.method,
        path: request.path,
        query: request.query,
        host: request.header('HOST'),
        body: request.body.toString(),
      }),
    }),
    ...options,
  })
}

test('a request is answered with an explicit length and the connection is closed', async () => {
  const listener = await listenEchoing()
  const answer = await sendRaw(listener.port, [
    'POST /a%20b?x=%31 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}',
  ])
  const body = '{"method":"POST","path":"/a%20b","query":"x=%31","host":"localhost","body":"{}"}'
  expect(answer.text).toBe(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
  await listener.close()
})

test('a client that half-closes after its request still gets its answer', async () => {
  const listener = await listenEchoing({
    handle: async () => {
      await new Promise((resolve) => setTimeout(resolve, 10))
      return { status: 200, body: 'late' }
    },
  })
  expect((await sendRaw(listener.port, ['GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'], { halfClose: true })).body).toBe(
    'late',
  )
  await listener.close()
})

test('a silent connection holds up nobody', async () => {
  const listener = await listenEchoing({ readTimeoutMs: 60_000 })
  const silent = net.connect({ port: listener.port, host: '127.0.0.1' })
  await once(silent, 'connect')
  for (let round = 0; round < 3; round += 1)
    expect((await sendRaw(listener.port, ['GET / HTTP/1.1\r\n\r\n'])).status).toBe(200)
  const ended = once(silent, 'close')
  await listener.close()
  await ended
})

test('an unfinished request ends at the read deadline, without an answer', async () => {
  const listener = await listenEchoing({ readTimeoutMs: 30 })
  expect((await sendRaw(listener.port, ['GET / HTTP/1.1\r\n'])).text).toBe('')
  await listener.close()
})

test.each([
  ['chunked bodies', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['a length that is not a number', 'POST / HTTP/1.1\r\nContent-Length: abc\r\n\r\n'],
  ['a negative length', 'POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n'],
  ['an empty length', 'POST / HTTP/1.1\r\nContent-Length:\r\n\r\n'],
  ['a repeated length', 'POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}'],
  ['any repeated header', 'GET / HTTP/1.1\r\nX-A: 1\r\nx-a: 2\r\n\r\n'],
  ['a header without a colon', 'GET / HTTP/1.1\r\nNonsense\r\n\r\n'],
  ['an empty header name', 'GET / HTTP/1.1\r\n: 1\r\n\r\n'],
  ['another HTTP version', 'GET / HTTP/2.0\r\n\r\n'],
  ['a version in lower case', 'GET / http/1.1\r\n\r\n'],
  ['four words in the request line', 'GET / HTTP/1.1 more\r\n\r\n'],
  ['two words in the request line', 'GET /\r\n\r\n'],
  ['an empty request line', '\r\n\r\n'],
  ['a head over its limit', `GET / HTTP/1.1\r\nX-Fill: ${'x'.repeat(65_536)}\r\n\r\n`],
])('%s are refused with a 400', async (_what, bytes) => {
  const listener = await listenEchoing()
  const answer = await sendRaw(listener.port, [bytes])
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) })
  await listener.close()
})

test('a head that is not UTF-8 is refused, a head of exactly the limit is read', async () => {
  const listener = await listenEchoing()
  expect((await sendRaw(listener.port, ['GET / HTTP/1.1\r\nX: ', Buffer.from([0xff]), '\r\n\r\n'])).status).toBe(400)
  const fill = 'x'.repeat(65_536 - 'GET / HTTP/1.1\r\nX: \r\n\r\n'.length)
  expect((await sendRaw(listener.port, [`GET / HTTP/1.1\r\nX: ${fill}\r\n\r\n`])).status).toBe(200)
  await listener.close()
})

test('blanks, header case, a plus in the length and HTTP/1.0 are taken as Hubu takes them', async () => {
  const listener = await listenEchoing()
  const answer = await sendRaw(listener.port, [
    'POST   /x \t HTTP/1.0\r\n hOST :  localhost  \r\nContent-Length: +2\r\n\r\n{}trailing',
  ])
  expect(JSON.parse(answer.body)).toEqual({ method: 'POST', path: '/x', query: '', host: 'localhost', body: '{}' })
  await listener.close()
})

test('a second request on the connection is ignored, or served with keepAlive', async () => {
  const twice = 'GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nConnection: close\r\n\r\n'
  const closing = await listenEchoing()
  expect((await sendRaw(closing.port, [twice])).text.match(/HTTP\/1\.1 200/g)).toHaveLength(1)
  await closing.close()
  const keeping = await listenEchoing({ keepAlive: true })
  const answer = await sendRaw(keeping.port, [twice])
  expect(answer.text.match(/"path":"\/[12]"/g)).toEqual(['"path":"/1"', '"path":"/2"'])
  expect(answer.text.match(/Connection: .*/g)).toEqual(['Connection: keep-alive', 'Connection: close'])
  await keeping.close()
})

test('a body of exactly the limit is read; one byte more reaches the handler as too large, and its answer the client', async () => {
  const listener = await listenEchoing({ maxBodyBytes: 300_000 })
  const whole = await sendRaw(listener.port, [
    `POST / HTTP/1.1\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`,
  ])
  expect(JSON.parse(whole.body)).toMatchObject({ body: 'x'.repeat(300_000) })
  const over = await sendRaw(listener.port, [`POST / HTTP/1.1\r\nContent-Length: 300001\r\n\r\n${'x'.repeat(300_001)}`])
  expect(over.status).toBe(413)
  await listener.close()
})

test('HEAD is answered with the length of the body and without the body', async () => {
  const listener = await listenEchoing()
  const answer = await sendRaw(listener.port, ['HEAD / HTTP/1.1\r\n\r\n'])
  expect(answer.text).toMatch(/Content-Length: [1-9]/)
  expect(answer.body).toBe('')
  await listener.close()
})

test('a lost reply reaches the handler and not the client; a cut body is noticed by the client', async () => {
  let handled = 0
  let drop: HttpAnswer['drop'] = 'before-answer'
  const listener = await listen({
    handle: async () => {
      handled += 1
      return { status: 200, body: '{"status":"ok"}', drop }
    },
  })
  const ask = () =>
    new Promise<string>((resolve) => {
      const call = request({ host: listener.host, port: listener.port, agent: false }, (response) => {
        response.on('error', () => resolve('cut'))
        response.on('end', () => resolve('whole'))
        response.resume()
      })
      call.on('error', () => resolve('no answer'))
      call.end()
    })
  expect(await ask()).toBe('no answer')
  drop = 'mid-body'
  expect(await ask()).toBe('cut')
  drop = undefined
  expect(await ask()).toBe('whole')
  expect(handled).toBe(3)
  await listener.close()
})

test('closing cuts delays short, sends answers in the making, and frees the port', async () => {
  const listener = await listenEchoing({ handle: async () => ({ status: 200, body: 'there', delayMs: 60_000 }) })
  const answer = sendRaw(listener.port, ['GET / HTTP/1.1\r\n\r\n'])
  await new Promise((resolve) => setTimeout(resolve, 20))
  await listener.close()
  expect((await answer).body).toBe('there')
  await expect(sendRaw(listener.port, [])).rejects.toThrow('ECONNREFUSED')
})

test('a client that asks and never reads its answer does not keep a server from closing', async () => {
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  const listener = await listenEchoing({
    writeTimeoutMs: 20,
    handle: async () => {
      asked()
      return { status: 200, body: Buffer.alloc(32 * 1024 * 1024) }
    },
  })
  const client = net.connect({ port: listener.port, host: '127.0.0.1' }).pause()
  client.write('GET / HTTP/1.1\r\n\r\n')
  await isAsked
  await listener.close()
  client.destroy()
})

test('a dozen answers that wait are nothing that Node warns of', async () => {
  using warnings = collectWarnings()
  let handled = 0
  let reach = () => {}
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const listener = await listenEchoing({
    handle: async () => {
      if (++handled === 12) setImmediate(reach)
      return { status: 200, body: 'there', delayMs: 60_000 }
    },
  })
  const answers = Array.from({ length: 12 }, () => sendRaw(listener.port, ['GET / HTTP/1.1\r\n\r\n']))
  await reached
  expect(await warnings.seen()).toEqual([])
  await listener.close()
  for (const { body } of await Promise.all(answers)) expect(body).toBe('there')
})

test('a handler that fails is a bare 500, and an address that is taken rejects', async () => {
  const listener = await listenEchoing({ handle: () => Promise.reject(new Error('secret detail')) })
  const answer = await sendRaw(listener.port, ['GET / HTTP/1.1\r\n\r\n'])
  expect(answer.status).toBe(500)
  expect(answer.text).not.toContain('secret')
  await expect(listenEchoing({ port: listener.port })).rejects.toThrow('EADDRINUSE')
  await listener.close()
})
