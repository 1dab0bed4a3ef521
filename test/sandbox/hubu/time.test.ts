import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seriesPeriods } from '../../../src/sandbox/hubu/budgets/series.ts'
import * as time from '../../../src/sandbox/hubu/time/instant.ts'
import { contains, overlap, type Period } from '../../../src/sandbox/hubu/time/period.ts'

const at = (text: string) => time.parseInstant(text, 'at')

test.each([
  ['2030-01-02T03:04:05Z', '2030-01-02T03:04:05+00:00'],
  ['2030-01-02t03:04:05.1z', '2030-01-02T03:04:05.100+00:00'],
  ['2030-01-02 03:04:05.123456+00:00', '2030-01-02T03:04:05.123456+00:00'],
  ['2030-01-02T03:04:05.1234567899Z', '2030-01-02T03:04:05.123456789+00:00'],
  ['2030-01-01T23:04:05-04:00', '2030-01-02T03:04:05+00:00'],
  ['2016-12-31T23:59:60Z', '2016-12-31T23:59:60+00:00'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00+00:00'],
  ['0099-12-31T23:59:59.5Z', '0099-12-31T23:59:59.500+00:00'],
])('%s is written as %s', (text, written) => {
  expect(time.writeInstant(at(text))).toBe(written)
  expect(time.writeInstantZulu(at(text))).toBe(written.replace('+00:00', 'Z'))
})

test.each([
  '2030-01-02T03:04:05',
  '2030-01-02T03:04Z',
  '2030-02-29T00:00:00Z',
  '2030-13-01T00:00:00Z',
  '2030-01-01T24:00:00Z',
  '2030-01-01T00:00:61Z',
  '2030-01-01T00:00:00+24:00',
  '0000-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '10000-01-01T00:00:00Z',
  ' 2030-01-02T03:04:05Z',
])('%j is no instant', (text) => {
  expect(() => at(text)).toThrow('invalid RFC 3339 timestamp for `at`')
})

test('instants sort as texts the way they follow in time, and survive writing', () => {
  const date = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(date, date, (one, other) => {
      const [left, right] = [time.instantOf(one), time.instantOf(other)]
      expect(Math.sign(one.getTime() - other.getTime())).toBe(left < right ? -1 : left > right ? 1 : 0)
      expect(at(time.writeInstant(left))).toBe(left)
    }),
  )
})

test('seconds and months are added on the calendar, and never beyond the year 9999', () => {
  expect(time.addSeconds(at('1999-12-31T23:59:59.5Z'), 300)).toBe(at('2000-01-01T00:04:59.5Z'))
  expect(time.addSeconds(at('0000-02-28T00:00:00Z'), 86_400)).toBe(at('0000-02-29T00:00:00Z'))
  expect(time.addMonths(at('2035-12-31T01:02:03.000000004Z'), 2)).toBe(at('2036-02-29T01:02:03.000000004Z'))
  expect(() => time.addSeconds(at('9999-12-31T23:59:59Z'), 1)).toThrow('9999')
  expect(() => time.addMonths(at('9999-12-01T00:00:00Z'), 1)).toThrow('9999')
})

test('the system clock never says the same twice', () => {
  const now = time.systemClock()
  const reads = Array.from({ length: 500 }, now)
  expect(new Set(reads).size).toBe(reads.length)
  expect([...reads].sort()).toEqual(reads)
})

test('periods are half-open', () => {
  const period = (start: string, end: string | null): Period => ({
    starting_at: at(start),
    ending_before: end === null ? null : at(end),
  })
  const january = period('2031-01-01T00:00:00Z', '2031-02-01T00:00:00Z')
  expect(overlap(january, period('2031-02-01T00:00:00Z', null))).toBe(false)
  expect(overlap(january, period('2031-01-31T23:59:59.999999999Z', null))).toBe(true)
  expect(contains(january, at('2031-01-01T00:00:00Z'))).toBe(true)
  expect(contains(january, at('2031-02-01T00:00:00Z'))).toBe(false)
})

test('a series has as many periods as asked for, within bounds', () => {
  const start = at('2031-01-31T00:00:00Z')
  expect(seriesPeriods(start, 'daily', 10_000n)).toHaveLength(10_000)
  for (const count of [0n, -1n, 10_001n, 10n ** 18n])
    expect(() => seriesPeriods(start, 'daily', count)).toThrow('period_count')
  expect(() => seriesPeriods(at('9998-06-01T00:00:00Z'), 'yearly', 3n)).toThrow('9999')
})
