import { describe, expect, test } from 'vitest'
import { openSession, request, toolCall } from './session.ts'

const cancel = (requestId: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, ...more },
})
const ping = request('fence', 'ping')
const pong = '{"jsonrpc":"2.0","id":"fence","result":{}}'

describe('many requests at once', () => {
  test('a slow call delays neither ping nor another call', async () => {
    const session = openSession()
    session.send(toolCall(1, 'slow'))
    await session.arrivals(1)
    expect(await session.exchange(ping)).toBe(pong)
    expect(await session.exchange(toolCall(2, 'echo'))).toContain('"id":2')
    session.calls[0]?.finish({ late: true })
    expect(await session.next()).toBe('{"jsonrpc":"2.0","id":1,"result":{"late":true}}')
    await session.end()
  })

  test('two calls under one id are both answered with their own data', async () => {
    const session = openSession()
    session.send(toolCall(1, 'first'), toolCall(1, 'second'))
    await session.arrivals(2)
    session.calls[1]?.finish({ name: 'second' })
    session.calls[0]?.finish({ name: 'first' })
    expect(await session.next()).toBe('{"jsonrpc":"2.0","id":1,"result":{"name":"second"}}')
    expect(await session.next()).toBe('{"jsonrpc":"2.0","id":1,"result":{"name":"first"}}')
    await session.end()
  })

  test('at most 256 calls are in flight, further ones wait in order, and ping passes them', async () => {
    const session = openSession()
    session.send(...Array.from({ length: 300 }, (_, id) => toolCall(id, `n${id}`)))
    expect(await session.exchange(ping)).toBe(pong)
    await session.settle()
    expect(session.calls).toHaveLength(256)
    session.calls[7]?.finish({})
    await session.arrivals(257)
    expect(session.calls[256]?.name).toBe('n256')
    for (let index = 0; index < 300; index++) {
      await session.arrivals(index + 1)
      session.calls[index]?.finish({})
    }
    expect(await session.end()).toBe('end_of_input')
    expect(session.calls.map(({ name }) => name)).toEqual(Array.from({ length: 300 }, (_, id) => `n${id}`))
    expect(session.output).toHaveLength(301)
  })
})

describe('cancellation', () => {
  test.each([0, 1, 'a', '', '0', 1.5, { a: 1 }])('a call with the id %j is cancelled and gets no reply', async (id) => {
    const session = openSession()
    session.send(toolCall(id, 'slow'))
    await session.arrivals(1)
    session.send(cancel(id, { reason: 'enough' }))
    await session.settle()
    const signal = session.calls[0]!.call.signal
    expect(signal.aborted).toBe(true)
    session.calls[0]?.fail(signal.reason)
    expect(await session.exchange(ping)).toBe(pong)
    expect(await session.end()).toBe('end_of_input')
    expect(session.output).toEqual([pong])
    expect(session.faults).toEqual([])
  })

  test('the id "1" beside 1 is another one', async () => {
    const session = openSession()
    session.send(toolCall(1, 'number'), toolCall('1', 'text'))
    await session.arrivals(2)
    session.send(cancel('1'))
    await session.settle()
    expect(session.calls.map(({ call }) => call.signal.aborted)).toEqual([false, true])
    for (const call of session.calls) call.finish({})
    await session.end()
    expect(session.output).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}'])
  })

  test('9007199254740993 is not 9007199254740992, and 1.0 is 1', async () => {
    const session = openSession()
    const call = (rawId: string) => `{"jsonrpc":"2.0","id":${rawId},"method":"tools/call","params":{"name":"x"}}`
    const cancelRaw = (raw: string) =>
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${raw}}}`
    session.send(call('9007199254740993'), call('9007199254740992'), call('1'), call('"\\u0061"'))
    await session.arrivals(4)
    session.send(cancelRaw('9007199254740993'), cancelRaw('1.0'), cancelRaw('"a"'))
    await session.settle()
    expect(session.calls.map((arrived) => arrived.call.signal.aborted)).toEqual([true, false, true, true])
    for (const arrived of session.calls) arrived.finish({})
    await session.end()
  })

  test('of two calls under one id the latest that is open is hit, then the other', async () => {
    const session = openSession()
    session.send(toolCall(1, 'first'), toolCall(1, 'second'))
    await session.arrivals(2)
    session.send(cancel(1))
    await session.settle()
    expect(session.calls.map(({ call }) => call.signal.aborted)).toEqual([false, true])
    session.send(cancel(1))
    await session.settle()
    expect(session.calls.map(({ call }) => call.signal.aborted)).toEqual([true, true])
    for (const call of session.calls) call.finish({})
    await session.end()
    expect(session.output).toEqual([])
  })

  test('a call that waits for its turn is never begun', async () => {
    const session = openSession()
    session.send(...Array.from({ length: 257 }, (_, id) => toolCall(id, 'x')))
    await session.arrivals(256)
    session.send(cancel(256))
    await session.settle()
    for (const call of session.calls) call.finish({})
    await session.end()
    expect(session.calls).toHaveLength(256)
    expect(session.output).toHaveLength(256)
  })

  test('a call that is cancelled in the same breath is never begun', async () => {
    const session = openSession()
    session.send(toolCall(1, 'x'), cancel(1))
    expect(await session.exchange(ping)).toBe(pong)
    expect(session.calls).toEqual([])
    expect(await session.end()).toBe('end_of_input')
  })

  test('a mutation may ignore it: it runs to its end, holds the session open and is not answered', async () => {
    const session = openSession()
    session.send(toolCall(1, 'mutation'))
    await session.arrivals(1)
    session.send(cancel(1))
    await session.settle()
    let hasEnded = false
    const ended = session.end().then(() => (hasEnded = true))
    await session.settle()
    expect(hasEnded).toBe(false)
    session.calls[0]?.finish({ recorded: true })
    await ended
    expect(session.output).toEqual([])
  })

  test('initialize and ping cannot be cancelled', async () => {
    let answer = (_result: object) => {}
    const session = openSession({ initialize: () => new Promise((resolve) => (answer = resolve)) })
    session.send(request(0, 'initialize'), cancel(0), request(1, 'ping'), cancel(1))
    expect(await session.next()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
    session.send(cancel(0))
    await session.settle()
    answer({ ok: true })
    expect(await session.next()).toBe('{"jsonrpc":"2.0","id":0,"result":{"ok":true}}')
    await session.end()
  })

  test('a cancelled call frees its place', async () => {
    const session = openSession()
    session.send(...Array.from({ length: 257 }, (_, id) => toolCall(id, `n${id}`)))
    await session.arrivals(256)
    session.send(cancel(3))
    await session.settle()
    expect(session.calls).toHaveLength(256)
    session.calls[3]?.fail(new Error('aborted'))
    await session.arrivals(257)
    for (const call of session.calls) call.finish({})
    await session.end()
  })
})

describe('a client that does not read', () => {
  test('the input is left unread while the output is full, and nothing is lost', async () => {
    const session = openSession()
    session.stdout.pause()
    const big = 'b'.repeat(100_000)
    let written = 0
    // Until our side has taken no more for a while.
    for (let quiet = 0; quiet < 5;) {
      const isTaken = session.stdin.write(`${JSON.stringify(toolCall(written++, 'echo', { arguments: { big } }))}\n`)
      await session.settle()
      quiet = isTaken ? 0 : quiet + 1
      if (written > 500) break
    }
    expect(written).toBeLessThan(100)
    expect(session.stdout.writableLength).toBeLessThan(3 * 1024 * 1024)
    session.stdout.resume()
    expect(await session.end()).toBe('end_of_input')
    expect(session.output).toHaveLength(written)
  })

  test('reading pauses while more than 1024 frames wait', async () => {
    const session = openSession()
    const line = `${JSON.stringify(toolCall(1, 'x'))}\n`
    let written = 0
    while (session.stdin.writableLength + session.stdin.readableLength < 20_000 && written < 20_000) {
      session.stdin.write(line.repeat(100))
      written += 100
      await session.settle()
    }
    expect(written).toBeGreaterThan(1280)
    expect(written).toBeLessThan(3000)
    for (let index = 0; index < written; index++) {
      await session.arrivals(index + 1)
      session.calls[index]?.finish({})
    }
    await session.end()
    expect(session.output).toHaveLength(written)
  })
})
