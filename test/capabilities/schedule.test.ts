import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scheduleNext, toJitterPercent } from '../../src/capabilities/schedule.ts'

/** The delays after each of these results. */
function delays(baseIntervalMs: number, failures: readonly boolean[], jitterPercent: number): number[] {
  let streak = 0
  return failures.map((isFailure) => {
    const next = scheduleNext(streak, { isFailure, baseIntervalMs, jitterPercent, nowMs: 5000 })
    streak = next.streak
    return next.deadlineMs - 5000
  })
}

test('failures double the wait, a success resets it', () => {
  const results = [true, true, true, false, true]
  expect(delays(30_000, results, 100)).toEqual([30_000, 60_000, 120_000, 30_000, 30_000])
  expect(delays(30_000, results, 80)).toEqual([24_000, 48_000, 96_000, 24_000, 24_000])
  expect(delays(30_000, results, 120)).toEqual([36_000, 72_000, 144_000, 36_000, 36_000])
})

test('no wait is longer than five minutes, jitter included', () => {
  const failures = Array.from({ length: 10 }, () => true)
  expect(delays(1000, failures, 100).at(-1)).toBe(300_000)
  expect(delays(1000, failures, 80).at(-1)).toBe(240_000)
  expect(delays(1000, failures, 120).at(-1)).toBe(300_000)
})

test('every wait is 1 ms to 5 min and within 20 % of its interval, however long the streak', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10, max: 60_000 }),
      fc.integer({ min: 0, max: 10_000 }),
      fc.boolean(),
      fc.integer({ min: 80, max: 120 }),
      (baseIntervalMs, streak, isFailure, jitterPercent) => {
        const { deadlineMs } = scheduleNext(streak, { isFailure, baseIntervalMs, jitterPercent, nowMs: 0 })
        const ideal = Math.min(isFailure ? baseIntervalMs * 2 ** streak : baseIntervalMs, 300_000)
        expect(Number.isInteger(deadlineMs)).toBe(true)
        expect(deadlineMs).toBeGreaterThanOrEqual(Math.floor(ideal * 0.8))
        expect(deadlineMs).toBeLessThanOrEqual(Math.min(ideal * 1.2, 300_000))
      },
    ),
  )
})

test('jitter is one of the 41 integers 80 to 120', () => {
  expect([0, 0.5, 0.999999].map(toJitterPercent)).toEqual([80, 100, 120])
  const all = Array.from({ length: 41 * 4 }, (_, i) => toJitterPercent(i / (41 * 4)))
  expect(new Set(all).size).toBe(41)
})
