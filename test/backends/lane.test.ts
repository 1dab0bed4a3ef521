import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { HttpOutcome } from '../../src/backends/http-client.ts'
import { Lane } from '../../src/backends/lane.ts'

const limits = { first: 8, most: 64, totalTimeoutMs: 3000, maxWaitMs: 30_000 }
const answered = { kind: 'answer', status: 200, contentType: undefined, body: Buffer.alloc(0) } as const

/** Time that moves from one timer to the next, as soon as nothing else is to be done. */
function virtualTime() {
  let now = 0
  const timers = new Set<{ at: number; work: () => void }>()
  return {
    monotonicMs: () => now,
    after(ms: number, work: () => void) {
      const timer = { at: now + ms, work }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    async run() {
      for (;;) {
        await turn()
        const [next] = [...timers].sort((a, b) => a.at - b.at)
        if (next === undefined) return
        timers.delete(next)
        now = next.at
        next.work()
      }
    },
  }
}

/** A backend that takes so long for each request, all of them one after the other or side by side. */
function backend(clock: ReturnType<typeof virtualTime>, tookMs: number, isSerial: boolean) {
  let freeAt = 0
  let inFlight = 0
  const seen = { most: 0 }
  const send = () =>
    new Promise<HttpOutcome>((resolve) => {
      seen.most = Math.max(seen.most, ++inFlight)
      freeAt = (isSerial ? Math.max(freeAt, clock.monotonicMs()) : clock.monotonicMs()) + tookMs
      const left = freeAt - clock.monotonicMs()
      clock.after(Math.min(left, limits.totalTimeoutMs), () => {
        inFlight--
        resolve(left > limits.totalTimeoutMs ? { kind: 'no_answer' } : answered)
      })
    })
  return { send, seen }
}

async function burst(lane: Lane, send: () => Promise<HttpOutcome>, count: number, clock: { run(): Promise<void> }) {
  const sent = Array.from({ length: count }, () => lane.pass(send))
  await clock.run()
  return (await Promise.all(sent)).map(({ kind }) => kind)
}

describe('a burst', () => {
  test.each([50, 200, 350])(
    'of 100 is answered whole by a backend that takes %i ms for one after the other',
    async (ms) => {
      const clock = virtualTime()
      const { send } = backend(clock, ms, true)
      const lane = new Lane({ ...limits, maxWaitMs: 600_000 }, clock)
      expect(new Set(await burst(lane, send, 100, clock))).toEqual(new Set(['answer']))
    },
  )

  test('of 64 goes out at once to a backend that has shown how quick it is', async () => {
    const clock = virtualTime()
    const { send, seen } = backend(clock, 20, false)
    const lane = new Lane(limits, clock)
    await burst(lane, send, 200, clock)
    const begunMs = clock.monotonicMs()
    await burst(lane, send, 64, clock)
    expect(clock.monotonicMs() - begunMs).toBe(20)
    expect(seen.most).toBe(64)
  })

  test('to a backend that becomes slow is smaller again', async () => {
    const clock = virtualTime()
    const lane = new Lane({ ...limits, maxWaitMs: 600_000 }, clock)
    await burst(lane, backend(clock, 20, false).send, 200, clock)
    await burst(lane, backend(clock, 30, true).send, 200, clock)
    const { send, seen } = backend(clock, 30, true)
    await burst(lane, send, 100, clock)
    expect(seen.most).toBeLessThan(33)
  })

  test('that loses answers is followed by smaller ones, until answers come again', async () => {
    const clock = virtualTime()
    const lane = new Lane(limits, clock)
    expect(await burst(lane, backend(clock, 3001, false).send, 8, clock)).toEqual(Array(8).fill('no_answer'))
    const few = backend(clock, 20, false)
    const sent = Array.from({ length: 8 }, () => lane.pass(few.send))
    expect(few.seen.most).toBe(4)
    await clock.run()
    expect(new Set((await Promise.all(sent)).map(({ kind }) => kind))).toEqual(new Set(['answer']))
    const again = backend(clock, 20, false)
    await burst(lane, again.send, 60, clock)
    expect(again.seen.most).toBeGreaterThanOrEqual(8)
  })
})

describe('who waits', () => {
  const held = () => new Promise<HttpOutcome>(() => {})

  /** A lane with nothing free. */
  function fullLane(clock = virtualTime()) {
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
    const clock = virtualTime()
    const waiting = fullLane(clock).pass(() => Promise.reject(new Error('sent')))
    await clock.run()
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
