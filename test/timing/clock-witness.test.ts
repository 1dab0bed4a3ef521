import { expect, test } from 'vitest'
import { createClockWitness, provenAt } from '../../src/timing/clock-witness.ts'

const hourMs = 3_600_000

/** A witness with a wall clock and a monotonic one that the test moves. */
function witness() {
  const clock = { wallMs: 1000 * hourMs, sinceStartMs: 0 }
  const warnings: string[] = []
  const made = createClockWitness(
    { nowMs: () => clock.wallMs, monotonicMs: () => clock.sinceStartMs },
    (text) => warnings.push(text),
    ['hubu', 'gongbu'],
  )
  const pass = (ms: number) => {
    clock.wallMs += ms
    clock.sinceStartMs += ms
  }
  return { clock, warnings, pass, ...made }
}

test('what the wall clock and the backends agree on is over, and what ends later is not', () => {
  const { heard, isOver, clock, warnings } = witness()
  heard('hubu', clock.wallMs - 1000)
  expect(isOver('a', clock.wallMs)).toBe(true)
  expect(isOver('b', clock.wallMs + 1)).toBe(false)
  expect(warnings).toEqual([])
})

test('a clock that is hours ahead ends nothing, which is told once', () => {
  const { heard, isOver, clock, warnings, pass } = witness()
  heard('hubu', clock.wallMs - 30 * hourMs)
  expect(isOver('a', clock.wallMs - hourMs)).toBe(false)
  expect(isOver('b', clock.wallMs - 2 * hourMs)).toBe(false)
  expect(warnings).toEqual([expect.stringContaining('is ahead of what Hubu or Gongbu says')])
  expect(isOver('c', clock.wallMs - 30 * hourMs)).toBe(true)
  pass(29 * hourMs)
  expect(isOver('a', 999 * hourMs)).toBe(true)
})

test('every backend has to agree, and what it said lately counts', () => {
  const { heard, isOver, clock } = witness()
  heard('hubu', clock.wallMs)
  heard('gongbu', clock.wallMs - hourMs)
  expect(isOver('a', clock.wallMs - 1000)).toBe(false)
  heard('gongbu', clock.wallMs)
  expect(isOver('a', clock.wallMs - 1000)).toBe(true)
})

test('while no backend was heard a thing is over when it was followed for as long as anything lasts', () => {
  const { isOver, clock, pass, warnings, provenMs } = witness()
  const ends = clock.wallMs - hourMs
  expect(isOver('a', ends)).toBe(false)
  pass(24 * hourMs - 1)
  expect(isOver('a', ends)).toBe(false)
  expect(isOver('b', ends)).toBe(false)
  pass(1)
  expect(isOver('a', ends)).toBe(true)
  expect(isOver('b', ends)).toBe(false)
  expect(provenMs()).toBe(0)
  expect(warnings).toEqual([])
})

test('who waits for the first backend is told once', () => {
  const { heard, onFirstHeard, clock } = witness()
  let told = 0
  onFirstHeard(() => told++)
  heard('hubu', clock.wallMs)
  heard('gongbu', clock.wallMs)
  expect(told).toBe(1)
})

test('a small difference is none', () => {
  expect(provenAt({ wallMs: 100_000, backendsMs: [70_000] })).toBe(100_000)
  expect(provenAt({ wallMs: 100_000, backendsMs: [69_999] })).toBe(69_999)
  expect(provenAt({ wallMs: 100_000, backendsMs: [500_000] })).toBe(100_000)
})

test('where every backend has answered and none tells its time, the wall clock is all there is', () => {
  const { heard, isOver, clock, provenMs, onFirstHeard } = witness()
  let told = 0
  onFirstHeard(() => told++)
  heard('hubu', null)
  expect(isOver('a', clock.wallMs)).toBe(false)
  expect([provenMs(), told]).toEqual([0, 0])
  heard('gongbu', null)
  expect(isOver('a', clock.wallMs)).toBe(true)
  expect(isOver('b', clock.wallMs + 1)).toBe(false)
  expect([provenMs(), told]).toEqual([clock.wallMs, 1])
})

test('one backend that tells its time is believed beside another that tells none', () => {
  const { heard, isOver, clock } = witness()
  heard('hubu', null)
  heard('gongbu', null)
  heard('hubu', clock.wallMs - 30 * hourMs)
  expect(isOver('a', clock.wallMs)).toBe(false)
  expect(isOver('b', clock.wallMs - 30 * hourMs)).toBe(true)
})
