import { describe, expect, test } from 'vitest'
import { DetachedCalls, detachedLimits, type DetachedEnd } from '../../src/gateway/detached-calls.ts'
import type { StoredDetached } from '../../src/results/detached-store.ts'
import { FakeClock } from '../support/fake-clock.ts'

const origin = { server: 'atlas', tool: 'atlas_route', namespaced: 'atlas__route' }
const ok: DetachedEnd = { kind: 'result', json: '{"content":[]}' }

function world(store?: Map<string, StoredDetached>) {
  let ids = 0
  const clock = new FakeClock()
  const calls = new DetachedCalls({
    clock,
    randomHex: () => String(++ids).padStart(32, '0'),
    ...(store && {
      store: {
        save: (state) => Promise.resolve(void store.set(state.callId, state)),
        find: (callId) => Promise.resolve(store.get(callId)),
      },
    }),
  })
  const start = async (work: (signal: AbortSignal) => Promise<DetachedEnd>, timeoutMs = 1000) => {
    const started = await calls.start(origin, { principal: 'local', timeoutMs }, work)
    return 'callId' in started ? started.callId : started.refusal
  }
  return { calls, clock, start }
}

const hanging = () => new Promise<DetachedEnd>(() => {})
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('detached calls', () => {
  test('whose time is over learn it by their signal, unlike those that somebody cancelled', async () => {
    const { calls, clock, start } = world()
    const signals: AbortSignal[] = []
    const work = (signal: AbortSignal) => (signals.push(signal), hanging())
    await start(work)
    const cancelled = await start(work, 5000)
    clock.advance(1000)
    calls.cancel(cancelled)
    expect(signals.map(({ reason }) => (reason as Error).name)).toEqual(['TimeoutError', 'AbortError'])
  })

  test('are pending until they end, and then answer the same as often as asked', async () => {
    const { calls, start } = world()
    let finish = (_end: DetachedEnd) => {}
    const id = await start(() => new Promise((resolve) => (finish = resolve)))
    expect(await calls.find(id, 'local')).toMatchObject({ kind: 'pending', namespaced: 'atlas__route' })
    finish(ok)
    await settled()
    for (let n = 0; n < 2; n++) expect(await calls.find(id, 'local')).toMatchObject({ kind: 'ended', end: ok })
  })

  test('run eight at a time, and a ninth is refused', async () => {
    const { start } = world()
    for (let n = 0; n < detachedLimits.pending; n++) expect(await start(hanging)).toMatch(/^\d{32}$/)
    expect(await start(hanging)).toBe('in_flight')
  })

  test('are kept, the newest 128 that ended and every one that runs', async () => {
    const { calls, start } = world()
    const running = await start(hanging)
    const ids: string[] = []
    for (let n = 0; n < 133; n++) {
      ids.push(await start(() => Promise.resolve(ok)))
      await settled()
    }
    const known = await Promise.all(ids.map(async (id) => (await calls.find(id, 'local')) !== undefined))
    expect(known.slice(0, 5)).toEqual(Array(5).fill(false))
    expect(known.slice(5)).toEqual(Array(128).fill(true))
    expect(await calls.find(running, 'local')).toMatchObject({ kind: 'pending' })
  })

  test('are kept for 24 hours after their end, and no longer', async () => {
    const { calls, clock, start } = world()
    const id = await start(() => Promise.resolve(ok))
    await settled()
    clock.skip(detachedLimits.keptMs)
    expect(await calls.find(id, 'local')).toBeDefined()
    clock.skip(1)
    expect(await calls.find(id, 'local')).toBeUndefined()
  })

  test('hold no more than 64 MiB of results together, the newest always', async () => {
    const { calls, start } = world()
    const large: DetachedEnd = { kind: 'result', json: 'x'.repeat(40 * 1024 * 1024) }
    const ids = []
    for (let n = 0; n < 3; n++) {
      ids.push(await start(() => Promise.resolve(large)))
      await settled()
    }
    const kept = await Promise.all(ids.map(async (id) => (await calls.find(id, 'local')) !== undefined))
    expect(kept).toEqual([false, false, true])
  })

  test('are told when their time is over, and end as their work says', async () => {
    const { calls, clock, start } = world()
    const id = await start(
      (signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ kind: 'failed', error: 'outcome unknown: time' })),
        ),
    )
    clock.advance(1000)
    await settled()
    expect(await calls.find(id, 'local')).toMatchObject({ end: { kind: 'failed', error: 'outcome unknown: time' } })
  })

  test('that are cancelled have failed at once, whatever their work says later', async () => {
    const { calls, start } = world()
    let signal: AbortSignal | undefined
    const id = await start((given) => {
      signal = given
      return new Promise((resolve) => given.addEventListener('abort', () => resolve(ok)))
    })
    expect(calls.cancel(id)).toBe(true)
    expect(signal?.aborted).toBe(true)
    await settled()
    const error = expect.stringContaining('outcome unknown') as string
    expect(await calls.find(id, 'local')).toMatchObject({ end: { kind: 'cancelled', error } })
    expect([calls.cancel(id), calls.cancel('none')]).toEqual([false, false])
  })

  test('fail when the gateway stops, and none begins any more', async () => {
    const store = new Map<string, StoredDetached>()
    const { calls, start } = world(store)
    const id = await start(hanging)
    await calls.stop()
    const error = expect.stringMatching(/outcome unknown.*no reconnect was attempted/) as string
    expect(store.get(id)).toMatchObject({ kind: 'ended', end: { kind: 'outcome_unknown', error } })
    expect(await start(hanging)).toBe('stopping')
  })

  test('are written down before they begin, and a broken store costs nothing else', async () => {
    const store = new Map<string, StoredDetached>()
    const { start } = world(store)
    let wasWritten = false
    await start(() => {
      wasWritten = store.size === 1
      return Promise.resolve(ok)
    })
    expect(wasWritten).toBe(true)
    const failing = { save: () => Promise.reject(new Error('disk')), find: () => Promise.reject(new Error('disk')) }
    const calls = new DetachedCalls({ clock: new FakeClock(), randomHex: () => 'a', store: failing })
    expect(await calls.start(origin, { principal: 'local', timeoutMs: 1 }, () => Promise.resolve(ok))).toEqual({
      callId: 'a',
    })
    expect(await calls.find('b', 'local')).toBeUndefined()
  })
})
