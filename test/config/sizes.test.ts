import { expect, test } from 'vitest'
import { parseDuration, parseTimeout } from '../../src/config/durations.ts'
import { nearest } from '../../src/names/nearest.ts'
import { parseBudget, parseSize } from '../../src/config/sizes.ts'

test.each([
  ['32KB', 32_768],
  ['32kb', 32_768],
  ['32 KB', 32_768],
  ['2 MB', 2_097_152],
  [' 1GB ', 1_073_741_824],
  ['512B', 512],
  ['512', 512],
  ['+512', 512],
  ['0', 0],
  ['0KB', 0],
])('the size %j is %i bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes)
  expect(parseBudget(text)).toBe(bytes)
})

test.each([
  '1.5KB',
  '12XB',
  'bogus',
  'KB',
  '4K',
  '-1',
  '-2KB',
  '9223372036854775807GB',
  '1_000',
  '1e3',
  '',
  ' ',
  '32KB32KB',
])('%j is no size', (text) => {
  expect(parseSize(text)).toBeUndefined()
  expect(parseBudget(text)).toBeUndefined()
})

test.each(['1', '1B', '511B'])('%j is a size and no budget', (text) => {
  expect(parseSize(text)).toBeGreaterThan(0)
  expect(parseBudget(text)).toBeUndefined()
})

test.each([
  ['30s', 30_000],
  ['1h30m', 5_400_000],
  ['250ms', 250],
  ['1.5s', 1500],
  ['2m', 120_000],
  ['1.1h', 3_960_000],
])('the duration %j is %i ms', (text, ms) => expect(parseDuration(text)).toBe(ms))

test.each(['30.5ms', '1.0001s', '1ns', 'soon', '0s', '0', '30', '-1s', '1d', '', '1 s'])('%j is no duration', (text) =>
  expect(parseDuration(text)).toBeUndefined(),
)

test('a time-out is no longer than a timer can hold', () => {
  expect([parseTimeout('596h'), parseTimeout('597h'), parseTimeout('1200h')]).toEqual([
    2_145_600_000,
    undefined,
    undefined,
  ])
})

test.each([
  ['respons_budget', 'response_budget'],
  ['resposne_budget', 'response_budget'],
  ['Verbatim', 'verbatim'],
  ['pins', 'pin'],
  ['something_else', undefined],
  ['x', undefined],
])('for %j the nearest key is %j', (name, wanted) => {
  expect(nearest(name, ['response_budget', 'verbatim', 'pin', 'servers'])).toBe(wanted)
})

test('the nearest name is found however much the names begin alike, and the fewest edits win', () => {
  const known = Array.from({ length: 500 }, (_, n) => `server__list_invoices_of_${n}`)
  expect(nearest('server__list_invoices_of_9x9', known)).toBe('server__list_invoices_of_99')
  expect(nearest('server__lsit_invoices_of_421', known)).toBe('server__list_invoices_of_421')
  expect(nearest('server__lits_incoives_of_7', ['server__list_invoices_of_7'])).toBe('server__list_invoices_of_7')
  expect(nearest('server__something_else_entirely', known)).toBeUndefined()
})

test('the nearest of names with capitals is found, whatever the capitals', () => {
  expect(nearest('s__getuser', ['s__putUsers', 's__getUser'])).toBe('s__getUser')
})
