import { describe, expect, test } from 'vitest'
import type { Handlers } from '../../src/wire/handlers.ts'
import { handHandlers, openSession, request, toolCall, type ArrivedCall } from './session.ts'

const ping = request('fence', 'ping')

/** Handlers that are made when the test says so. */
function lateHandlers() {
  const calls: ArrivedCall[] = []
  let make = (_handlers: Handlers) => {}
  let fail = (_error: Error) => {}
  const promise = new Promise<Handlers>((resolve, reject) => {
    make = resolve
    fail = reject
  })
  return { calls, promise, make: () => make(handHandlers(calls)), fail: (error: Error) => fail(error) }
}

describe('the end of input', () => {
  test('with nothing in flight it ends at once and writes nothing', async () => {
    const session = openSession()
    expect(await session.end()).toBe('end_of_input')
    expect(session.output).toEqual([])
    expect(session.closed).toEqual(['end_of_input'])
    expect(session.clock.pending).toBe(0)
    expect(session.signals.listenerCount('SIGTERM')).toBe(0)
  })

  test('everything that was piped in is answered', async () => {
    const session = openSession()
    session.send(request(1, 'initialize'), request(2, 'tools/list'))
    session.send(toolCall(3, 'echo'), toolCall(4, 'echo'), toolCall(5, 'echo'))
    expect(await session.end()).toBe('end_of_input')
    expect(session.output.map((line) => (JSON.parse(line) as { id: number }).id).sort()).toEqual([1, 2, 3, 4, 5])
  })

  test('a last line without line feed is answered', async () => {
    const session = openSession()
    session.stdin.write(JSON.stringify(ping))
    expect(await session.end()).toBe('end_of_input')
    expect(session.output).toEqual(['{"jsonrpc":"2.0","id":"fence","result":{}}'])
  })

  test('three calls in flight are answered first', async () => {
    const session = openSession()
    session.send(toolCall(1, 'a'), toolCall(2, 'b'), toolCall(3, 'c'))
    await session.arrivals(3)
    const ended = session.end()
    await session.settle()
    expect(session.closed).toEqual(['end_of_input'])
    for (const call of session.calls) call.finish({})
    await ended
    expect(session.output).toHaveLength(3)
  })

  test('a call that never ends is given up after the grace period, and its signal aborts', async () => {
    const session = openSession()
    session.send(toolCall(1, 'hung'))
    await session.arrivals(1)
    const ended = session.end()
    await session.settle()
    session.clock.advance(10_000)
    expect(await ended).toBe('end_of_input')
    expect(session.calls[0]?.call.signal.aborted).toBe(true)
    session.calls[0]?.finish({ late: true })
    await session.settle()
    expect(session.output).toEqual([])
  })

  test('what was written is taken by the reader before it ends', async () => {
    const session = openSession()
    session.stdout.pause()
    session.send(toolCall(1, 'echo', { arguments: { big: 'b'.repeat(200_000) } }))
    let hasEnded = false
    const ended = session.end().then(() => (hasEnded = true))
    await session.settle()
    expect(hasEnded).toBe(false)
    session.stdout.resume()
    await ended
    expect(session.output).toHaveLength(1)
  })
})

describe('signals', () => {
  test.each(['SIGTERM', 'SIGINT'])('%s drains like the end of input and reads no more', async (signal) => {
    const session = openSession()
    session.send(toolCall(1, 'slow'))
    await session.arrivals(1)
    session.stdin.write('{"jsonrpc":"2.0","id":2,"method":"ping"}')
    await session.settle()
    session.signals.emit(signal)
    session.send('', toolCall(3, 'never read'))
    await session.settle()
    session.calls[0]?.finish({})
    expect((await session.done).reason).toBe('signal')
    expect(session.output).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}'])
    expect(session.closed).toEqual(['signal'])
    expect(session.exits).toEqual([])
  })

  test('a signal behind the end of input hurries what is left, and is still the first one', async () => {
    const session = openSession()
    session.send(toolCall(1, 'slow'))
    await session.arrivals(1)
    session.stdin.end()
    await session.settle()
    session.signals.emit('SIGTERM')
    expect([session.hurries, session.exits]).toEqual([1, []])
    session.calls[0]?.finish({})
    expect((await session.done).reason).toBe('end_of_input')
    expect(session.output).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}'])
  })

  test('a second signal exits at once', async () => {
    const session = openSession()
    session.send(toolCall(1, 'hung'))
    await session.arrivals(1)
    session.signals.emit('SIGTERM')
    expect(session.exits).toEqual([])
    session.signals.emit('SIGINT')
    expect(session.exits).toEqual(['now'])
    await session.settle()
    session.clock.advance(10_000)
    await session.done
  })
})

describe('broken streams', () => {
  test('a broken output pipe ends the session, and calls in flight may record their outcome', async () => {
    const session = openSession()
    session.send(toolCall(1, 'read'), toolCall(2, 'mutation'))
    await session.arrivals(2)
    session.stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    await session.settle()
    expect(session.closed).toEqual(['broken_pipe'])
    expect(session.calls.map(({ call }) => call.signal.aborted)).toEqual([true, true])
    session.calls[0]?.fail(session.calls[0].call.signal.reason)
    let hasEnded = false
    void session.done.then(() => (hasEnded = true))
    await session.settle()
    expect(hasEnded).toBe(false)
    session.calls[1]?.finish({ recorded: true })
    expect((await session.done).reason).toBe('broken_pipe')
    expect(session.faults).toEqual([])
  })

  test('they have two seconds for that', async () => {
    const session = openSession()
    session.send(toolCall(1, 'hung'))
    await session.arrivals(1)
    session.stdout.destroy()
    await session.settle()
    session.clock.advance(2000)
    expect((await session.done).reason).toBe('broken_pipe')
  })

  test('what still waited for a place is not begun for nobody', async () => {
    const session = openSession()
    session.send(...Array.from({ length: 300 }, (_, id) => toolCall(id, 'x')))
    await session.arrivals(256)
    session.stdout.destroy()
    await session.settle()
    for (const call of session.calls) call.finish({})
    await session.done
    expect(session.calls).toHaveLength(256)
  })

  test('another write error and a read error are told apart', async () => {
    const full = openSession()
    full.stdout.destroy(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    expect((await full.done).reason).toBe('write_error')
    const torn = openSession()
    torn.stdin.destroy(Object.assign(new Error('read EIO'), { code: 'EIO' }))
    expect((await torn.done).reason).toBe('read_error')
  })

  test('a pipe that breaks while the session drains ends the waiting', async () => {
    const session = openSession()
    session.send(toolCall(1, 'hung'))
    await session.arrivals(1)
    const ended = session.end()
    await session.settle()
    session.stdout.destroy()
    await session.settle()
    session.clock.advance(2000)
    expect(await ended).toBe('end_of_input')
  })
})

describe('handlers in the making', () => {
  test('ping and unknown methods do not wait for them, initialize and tools do', async () => {
    const late = lateHandlers()
    const session = openSession({}, { handlers: late.promise })
    session.send(request(1, 'initialize'), request(2, 'tools/list'), toolCall(3, 'echo'), request(4, 'resources/list'))
    expect(await session.exchange(request(5, 'server/discover'))).toContain('"id":5,"error":{"code":-32601')
    expect(await session.exchange(ping)).toContain('fence')
    late.make()
    expect(await session.end()).toBe('end_of_input')
    expect(session.output.map((line) => (JSON.parse(line) as { id: unknown }).id).sort()).toEqual([
      1,
      2,
      3,
      4,
      5,
      'fence',
    ])
  })

  test('a call that is cancelled meanwhile is never begun', async () => {
    const late = lateHandlers()
    const session = openSession({}, { handlers: late.promise })
    session.send(toolCall(1, 'spend'))
    await session.exchange(ping)
    session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await session.exchange(ping)
    late.make()
    await session.end()
    expect(late.calls).toEqual([])
    expect(session.output).toHaveLength(2)
  })

  test('if they fail, serving rejects with their error and nothing was written', async () => {
    const late = lateHandlers()
    const session = openSession({}, { handlers: late.promise })
    session.send(request(1, 'initialize'))
    await session.settle()
    late.fail(new Error('bad configuration'))
    await expect(session.done).rejects.toThrow('bad configuration')
    await session.settle()
    expect(session.output).toEqual([])
  })

  test('if they fail while nothing was asked, serving rejects and no signal is told', async () => {
    const late = lateHandlers()
    const session = openSession({}, { handlers: late.promise })
    await session.settle()
    late.fail(new Error('bad configuration'))
    await expect(session.done).rejects.toThrow('bad configuration')
    expect(session.closed).toEqual([])
  })

  test('if they fail while the end of input waits for them, serving rejects as well', async () => {
    const late = lateHandlers()
    const session = openSession({}, { handlers: late.promise })
    session.send(request(1, 'initialize'))
    const ended = session.end()
    await session.settle()
    late.fail(new Error('bad configuration'))
    await expect(ended).rejects.toThrow('bad configuration')
  })

  test('bytes that come before anything is loaded are kept', async () => {
    const session = openSession()
    session.stdin.write('{"jsonrpc":"2.0","id":1,')
    session.stdin.write('"method":"ping"}\n')
    expect(await session.next()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
    await session.end()
  })
})
