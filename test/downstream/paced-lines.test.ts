// What a server sends without having been asked takes its share of the process and no more.
import { describe, expect, test } from 'vitest'
import { Allowance } from '../../src/downstream/allowance.ts'
import { PacedLines } from '../../src/downstream/paced-lines.ts'
import { FakeClock } from '../support/fake-clock.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

function world() {
  const clock = new FakeClock()
  const [handled, source] = [[] as string[], { isPaused: false, isBlocked: false }]
  const lines = new PacedLines({
    handle(line) {
      handled.push(line)
      return line.startsWith('answer') ? 0 : 1
    },
    isBlocked: () => source.isBlocked,
    pause: () => (source.isPaused = true),
    resume: () => (source.isPaused = false),
    clock,
  })
  return { clock, handled, source, lines }
}

test('a thousand messages pass at once, and more at a rate; large ones count for more', () => {
  const clock = new FakeClock()
  const allowance = new Allowance(clock)
  expect(allowance.spend(1000, 0)).toBe(0)
  expect(allowance.spend(100, 0)).toBe(200)
  clock.advance(10_000)
  expect(allowance.spend(0, 5000 * 1000)).toBe(0)
  expect(allowance.spend(0, 5000 * 1000)).toBe(2000)
})

describe('lines', () => {
  test('that are answers are handled at once, however many', () => {
    const { lines, handled, source } = world()
    lines.push(Array<string>(5000).fill('answer'))
    expect([handled.length, source.isPaused]).toEqual([5000, false])
  })

  test('that nobody asked for hold up their source, and come in order', async () => {
    const { lines, handled, source, clock } = world()
    const flood = Array.from({ length: 2000 }, (_, n) => String(n))
    lines.push([...flood, 'answer'])
    while (handled.length < 1000) await settled()
    // News that something else blocks no more is no reason to go on.
    lines.unblock()
    await settled()
    expect([source.isPaused, handled.length < 1100]).toEqual([true, true])
    while (handled.length < 2001) {
      clock.advance(10)
      await settled()
    }
    expect(handled).toEqual([...flood, 'answer'])
    await settled()
    expect(source.isPaused).toBe(false)
  })

  test('of a source that has to wait for something else wait with it', async () => {
    const { lines, handled, source } = world()
    source.isBlocked = true
    lines.push(['a', 'b'])
    await settled()
    expect([handled, source.isPaused]).toEqual([['a'], true])
    source.isBlocked = false
    lines.unblock()
    await settled()
    expect([handled, source.isPaused]).toEqual([['a', 'b'], false])
  })

  test('of a source that has ended are handled without waiting', async () => {
    const { lines, handled } = world()
    lines.push(Array<string>(3000).fill('x'))
    lines.hurry()
    while (handled.length < 3000) await settled()
    expect(handled).toHaveLength(3000)
  })
})
