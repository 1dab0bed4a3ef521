import { describe, expect, test } from 'vitest'
import { openSession, request, toolCall } from './session.ts'

const withToken = (id: unknown, progressToken: unknown) => toolCall(id, 'slow', { _meta: { progressToken } })
const ping = request('fence', 'ping')
const progress = (token: string, count: number, more = '') =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${count}${more}}}`

describe('progress', () => {
  test('a call of more than a second is told of every second, and no more behind its response', async () => {
    const session = openSession()
    session.send(withToken(1, 'p-1'))
    await session.arrivals(1)
    session.clock.advance(999)
    expect(await session.exchange(ping)).toContain('fence')
    session.clock.advance(1)
    expect(await session.next()).toBe(progress('"p-1"', 1))
    session.clock.advance(2000)
    expect(await session.next()).toBe(progress('"p-1"', 2))
    expect(await session.next()).toBe(progress('"p-1"', 3))
    session.calls[0]?.finish({})
    expect(await session.next()).toContain('"id":1')
    session.clock.advance(60_000)
    expect(await session.exchange(ping)).toContain('fence')
    expect(session.clock.pending).toBe(0)
    await session.end()
  })

  test('what a mounted server reports takes the place of our own count, under the token of the client', async () => {
    const session = openSession()
    session.send(withToken(1, 'p-1'))
    await session.arrivals(1)
    session.calls[0]?.call.relayProgress?.({ progressToken: 'theirs', progress: 0.5, total: 1, message: 'half' })
    expect(await session.next()).toBe(progress('"p-1"', 0.5, ',"total":1,"message":"half"'))
    session.clock.advance(60_000)
    session.calls[0]?.call.relayProgress?.({ progress: 1 })
    expect(await session.next()).toBe(progress('"p-1"', 1))
    session.calls[0]?.finish({})
    expect(await session.next()).toContain('"id":1')
    session.calls[0]?.call.relayProgress?.({ progress: 2 })
    expect(await session.exchange(ping)).toContain('fence')
    await session.end()
  })

  test('without a token there is nothing to report to', async () => {
    const session = openSession()
    session.send(toolCall(1, 'slow'))
    await session.arrivals(1)
    expect(session.calls[0]?.call.relayProgress).toBeUndefined()
    session.calls[0]?.finish({})
    await session.end()
  })

  test.each(['7', '0', '"7"', '9007199254740993', '-3', '""', '"\\u0041\\n"'])(
    'the token %s comes back with the same type and digits',
    async (raw) => {
      const session = openSession()
      session.send(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":${raw}}}}`,
      )
      await session.arrivals(1)
      session.clock.advance(1000)
      expect(await session.next()).toBe(progress(raw, 1))
      session.calls[0]?.finish({})
      await session.end()
    },
  )

  test.each([undefined, null, 1.5, true, {}, []])('the token %j gets no progress', async (token) => {
    const session = openSession()
    session.send(withToken(1, token))
    await session.arrivals(1)
    session.clock.advance(10_000)
    expect(await session.exchange(ping)).toContain('fence')
    expect(session.clock.pending).toBe(0)
    session.calls[0]?.finish({})
    await session.end()
  })

  test('what a handler says goes out with the next tick, however often it says it', async () => {
    const session = openSession()
    session.send(withToken(1, 1))
    await session.arrivals(1)
    for (let count = 0; count < 1000; count++) session.calls[0]?.call.progress(`step ${count}`)
    session.clock.advance(1000)
    expect(await session.next()).toBe(progress('1', 1, ',"message":"step 999"'))
    session.calls[0]?.call.progress()
    session.clock.advance(1000)
    expect(await session.next()).toBe(progress('1', 2, ',"message":"step 999"'))
    session.calls[0]?.finish({})
    await session.next()
    session.calls[0]?.call.progress('late')
    session.clock.advance(5000)
    expect(await session.exchange(ping)).toContain('fence')
    await session.end()
  })

  test('a cancelled call is silent from then on', async () => {
    const session = openSession()
    session.send(withToken(1, 'p'))
    await session.arrivals(1)
    session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await session.settle()
    session.clock.advance(5000)
    expect(await session.exchange(ping)).toContain('fence')
    session.calls[0]?.finish({})
    await session.end()
    expect(session.output).toHaveLength(1)
  })

  test('two calls at once keep their tokens apart', async () => {
    const session = openSession()
    session.send(withToken(1, 'p-1'), withToken(2, 7), toolCall(3, 'slow'))
    await session.arrivals(3)
    session.clock.advance(1000)
    expect([await session.next(), await session.next()].sort()).toEqual([progress('"p-1"', 1), progress('7', 1)])
    for (const call of session.calls) call.finish({})
    await session.end()
    expect(session.output).toHaveLength(5)
  })

  test('none is queued for a client that does not read', async () => {
    const session = openSession()
    session.stdout.pause()
    session.send(withToken(1, 'p'), toolCall(2, 'echo', { arguments: { big: 'b'.repeat(3_000_000) } }))
    await session.arrivals(2)
    await session.settle()
    session.clock.advance(30_000)
    session.stdout.resume()
    await session.next()
    session.clock.advance(1000)
    expect(await session.next()).toBe(progress('"p"', 31))
    session.calls[0]?.finish({})
    await session.end()
  })
})
