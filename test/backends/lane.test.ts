import { describe, expect, test } from 'vitest'
import type { HttpOutcome } from '../../src/backends/http-client.ts'
import { Lane } from '../../src/backends/lane.ts'
import { FakeClock } from '../support/fake-clock.ts'

const limits = { first: 8, most: 64, totalTimeoutMs: 3000, maxWaitMs: 30_000 }
/** Longer than anything here takes. */
const longMs = 600_000
const answered = { kind: 'answer', status: 200, contentType: undefined, body: Buffer.alloc(0) } as const

/** A backend that takes so long for each request, all of them one after the other or side by side. */
function backend(clock: FakeClock, tookMs: number, isSerial: boolean) {
  let freeAt = 0
  const seen = { most: 0, inFlight: 0 }
  const send = () =>
    new Promise<HttpOutcome>((resolve) => {
      seen.most = Math.max(seen.most, ++seen.inFlight)
      freeAt = (isSerial ? Math.max(freeAt, clock.monotonicMs()) : clock.monotonicMs()) + tookMs
      const left = freeAt - clock.monotonicMs()
      clock.after(Math.min(left, limits.totalTimeoutMs), () => {
        seen.inFlight--
        resolve(left > limits.totalTimeoutMs ? { kind: 'no_answer' } : answered)
      })
    })
  return { send, seen }
}

async function burst(lane: Lane, send: () => Promise<HttpOutcome>, count: number, clock: FakeClock) {
  const sent = Array.from({ length: count }, () => lane.pass(send))
  await clock.pass(longMs)
  return (await Promise.all(sent)).map(({ kind }) => kind)
}

describe('a burst', () => {
  test.each([50, 200, 350])(
    'of 100 is answered whole by a backend that takes %i ms for one after the other',
    async (ms) => {
      const clock = new FakeClock()
      const { send } = backend(clock, ms, true)
      const lane = new Lane({ ...limits, maxWaitMs: longMs }, clock)
      expect(new Set(await burst(lane, send, 100, clock))).toEqual(new Set(['answer']))
    },
  )

  test('of 64 goes out at once to a backend that has shown how quick it is', async () => {
    const clock = new FakeClock()
    const { send, seen } = backend(clock, 20, false)
    const lane = new Lane(limits, clock)
    await burst(lane, send, 200, clock)
    const sent = Array.from({ length: 64 }, () => lane.pass(send))
    expect(seen.inFlight).toBe(64)
    await clock.pass(20)
    expect((await Promise.all(sent)).map(({ kind }) => kind)).toEqual(Array(64).fill('answer'))
  })

  test('to a backend that becomes slow is smaller again', async () => {
    const clock = new FakeClock()
    const lane = new Lane({ ...limits, maxWaitMs: longMs }, clock)
    await burst(lane, backend(clock, 20, false).send, 200, clock)
    await burst(lane, backend(clock, 30, true).send, 200, clock)
    const { send, seen } = backend(clock, 30, true)
    await burst(lane, send, 100, clock)
    expect(seen.most).toBeLessThan(33)
  })

  test('that loses answers is followed by smaller ones, until answers come again', async () => {
    const clock = new FakeClock()
    const lane = new Lane(limits, clock)
    expect(await burst(lane, backend(clock, 3001, false).send, 8, clock)).toEqual(Array(8).fill('no_answer'))
    const few = backend(clock, 20, false)
    const sent = Array.from({ length: 8 }, () => lane.pass(few.send))
    expect(few.seen.most).toBe(4)
    await clock.pass(longMs)
    expect(new Set((await Promise.all(sent)).map(({ kind }) => kind))).toEqual(new Set(['answer']))
    const again = backend(clock, 20, false)
    await burst(lane, again.send, 60, clock)
    expect(again.seen.most).toBeGreaterThanOrEqual(8)
  })
})

describe('who waits', () => {
  const held = () => new Promise<HttpOutcome>(() => {})

  /** A lane with nothing free. */
  function fullLane(clock = new FakeClock()) {
    const lane = new Lane(limits, clock)
    for (let i = 0; i < limits.first; i++) void lane.pass(held)
    return lane
  }

  test('is cancelled at once, and nothing is sent', async () => {
    const stop = new AbortController()
    const waiting = fullLane().pass(() => Promise.reject(new Error('sent')), stop.signal)
    stop.abort()
    expect(await waiting).toEqual({ kind: 'cancelled' })
    expect(await fullLane().pass(() => Promise.reject(new Error('sent')), stop.signal)).toEqual({ kind: 'cancelled' })
  })

  test('for too long is told that nothing was sent', async () => {
    const clock = new FakeClock()
    const waiting = fullLane(clock).pass(() => Promise.reject(new Error('sent')))
    await clock.pass(longMs)
    expect(await waiting).toEqual({ kind: 'not_connected' })
  })

  test('when the lane is closed is told that nothing was sent', async () => {
    const lane = fullLane()
    const waiting = lane.pass(() => Promise.reject(new Error('sent')))
    lane.close()
    expect(await waiting).toEqual({ kind: 'not_connected' })
    expect(await lane.pass(() => Promise.reject(new Error('sent')))).toEqual({ kind: 'not_connected' })
  })
})
