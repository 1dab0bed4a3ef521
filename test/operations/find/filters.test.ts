import { expect, test } from 'vitest'
import { parseAmount, parseCents, parseInstant } from '../../../src/operations/find/filters.ts'

test.each([
  ['12.50', 1250, 1250],
  ['12.5', 1250, 1250],
  ['12', 1200, 1200],
  ['0.07', 7, 7],
  ['12..13', 1200, 1300],
  ['1.25..1.5', 125, 150],
])('%s dollars are cents, both ends included', (text, from, to) => expect(parseAmount(text)).toEqual({ from, to }))

test.each(['1.005', '', '-1', '13..12', '1..2..3', '1,50', '1e3', '.5', '12.', '$12'])('%j is no amount', (text) =>
  expect(parseAmount(text)).toBeUndefined(),
)

test('cents are whole', () => {
  expect(parseCents('1250')).toEqual({ from: 1250, to: 1250 })
  expect(parseCents('1..20')).toEqual({ from: 1, to: 20 })
  expect(parseCents('12.5')).toBeUndefined()
})

const now = new Date('2026-11-30T12:00:00.000Z')

test('a time is an instant, a date of this place, or so long ago', () => {
  expect(parseInstant('90m', now)?.toISOString()).toBe('2026-11-30T10:30:00.000Z')
  expect(parseInstant('2h', now)?.toISOString()).toBe('2026-11-30T10:00:00.000Z')
  expect(parseInstant('30d', now)?.toISOString()).toBe('2026-10-31T12:00:00.000Z')
  expect(parseInstant('2026-11-29', now)).toEqual(new Date(2026, 10, 29))
  expect(parseInstant('2026-11-29T10:00:00+02:00', now)?.toISOString()).toBe('2026-11-29T08:00:00.000Z')
})

test.each(['yesterday', '2026-02-30', '2026-11-29T10:00:00', '2', '2w', ''])('%j is no time', (text) =>
  expect(parseInstant(text, now)).toBeUndefined(),
)
