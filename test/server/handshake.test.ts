import { describe, expect, test } from 'vitest'
import { openSession, request, toolCall } from './session.ts'

const initialize = request(1, 'initialize')
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
const ping = request('fence', 'ping')

/** A session that counts how often it was told that the client is initialized. */
function openCounting() {
  const seen = { count: 0 }
  const session = openSession({ initialized: () => void seen.count++ })
  return { session, seen }
}

describe('initialized', () => {
  test('it counts once, behind an answered initialize; repetitions do nothing', async () => {
    const { session, seen } = openCounting()
    await session.exchange(initialize)
    session.send(initialized, initialized)
    await session.exchange(ping)
    session.send(initialized)
    await session.exchange(ping)
    expect(seen.count).toBe(1)
    await session.end()
  })

  test('before initialize it does nothing, and a later one counts', async () => {
    const { session, seen } = openCounting()
    session.send(initialized)
    await session.exchange(ping)
    await session.exchange(initialize)
    await session.exchange(ping)
    expect(seen.count).toBe(0)
    session.send(initialized)
    await session.exchange(ping)
    expect(seen.count).toBe(1)
    await session.end()
  })

  test('pipelined behind initialize it counts as soon as that is answered', async () => {
    const order: string[] = []
    const session = openSession({ initialized: () => void order.push(session.output.join('').slice(0, 22)) })
    session.send(initialize, initialized)
    await session.next()
    expect(await session.end()).toBe('end_of_input')
    expect(order).toHaveLength(1)
  })

  test('behind an initialize that failed it does nothing', async () => {
    let failures = 1
    const seen = { count: 0 }
    const session = openSession({
      initialize: () => (failures-- > 0 ? Promise.reject(new Error('no')) : Promise.resolve({})),
      initialized: () => void seen.count++,
    })
    session.send(initialize, initialized)
    expect(await session.next()).toContain('"error"')
    await session.exchange(initialize)
    await session.exchange(ping)
    expect(seen.count).toBe(0)
    session.send(initialized)
    await session.exchange(ping)
    expect(seen.count).toBe(1)
    await session.end()
  })

  test.each([
    ['with an id', request(5, 'notifications/initialized')],
    ['with a null id', { ...initialized, id: null }],
    ['without jsonrpc', { method: 'notifications/initialized' }],
  ])('%s it does nothing', async (_name, line) => {
    const { session, seen } = openCounting()
    await session.exchange(initialize)
    session.send(line)
    await session.settle()
    expect(seen.count).toBe(0)
    await session.end()
  })

  test('a second initialize in the middle of a call is answered and disturbs nothing', async () => {
    const { session, seen } = openCounting()
    await session.exchange(initialize)
    session.send(initialized, toolCall(2, 'slow'))
    await session.arrivals(1)
    expect(await session.exchange(request(3, 'initialize', { protocolVersion: 5 }))).toContain('"id":3,"result"')
    session.send(initialized)
    session.calls[0]?.finish({ ok: 1 })
    expect(await session.next()).toBe('{"jsonrpc":"2.0","id":2,"result":{"ok":1}}')
    expect(seen.count).toBe(1)
    await session.end()
  })

  test('a handler that throws is reported and harms nothing', async () => {
    const fault = new Error('monitor')
    const session = openSession({
      initialized: () => {
        throw fault
      },
    })
    await session.handshake()
    expect(session.faults).toEqual([fault])
    expect(await session.exchange(ping)).toContain('"result":{}')
    await session.end()
  })
})

describe('the barrier behind initialized', () => {
  test('requests behind it, ping too, wait for the baseline and are then answered', async () => {
    let settle = () => {}
    const session = openSession({ initialized: () => new Promise<void>((resolve) => (settle = resolve)) })
    await session.exchange(initialize)
    session.send(initialized, ping, request(2, 'tools/list'), toolCall(3, 'echo'))
    await session.settle()
    expect(session.output).toHaveLength(1)
    settle()
    const answers = [await session.next(), await session.next(), await session.next()]
    expect(answers.map((line) => (JSON.parse(line) as { id: unknown }).id).sort()).toEqual([2, 3, 'fence'])
    expect(session.clock.pending).toBe(0)
    await session.end()
  })

  test('they wait for at most 250 ms', async () => {
    const session = openSession({ initialized: () => new Promise<void>(() => {}) })
    await session.exchange(initialize)
    session.send(initialized, ping)
    await session.settle()
    session.clock.advance(249)
    await session.settle()
    expect(session.output).toHaveLength(1)
    session.clock.advance(1)
    expect(await session.next()).toContain('"fence"')
    await session.end()
  })

  test('a baseline that fails holds nothing up', async () => {
    const session = openSession({ initialized: () => Promise.reject(new Error('probe')) })
    await session.exchange(initialize)
    session.send(initialized)
    expect(await session.exchange(ping)).toContain('"fence"')
    await session.end()
  })

  test('what waits is answered when the input ends meanwhile', async () => {
    let settle = () => {}
    const session = openSession({ initialized: () => new Promise<void>((resolve) => (settle = resolve)) })
    await session.exchange(initialize)
    session.send(initialized, toolCall(3, 'echo'))
    await session.settle()
    const ended = session.end()
    settle()
    expect(await ended).toBe('end_of_input')
    expect(session.output[1]).toContain('"id":3')
  })
})
