import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withExactIntegers } from '../../src/json/exact-integers.ts'
import { printValue } from '../../src/json/print-value.ts'

const again = (text: string) => printValue(withExactIntegers({ value: JSON.parse(text), text }))

test.each([
  '{"amount_cents":12345678901234567890}',
  '[9007199254740993,-9007199254740993,9007199254740992,{"a":[[18446744073709551615]]}]',
  '{"in a text":"12345678901234567890","\\"12345678901234567890":"\\\\","then":12345678901234567890}',
  '{"__proto__":{"a":12345678901234567890},"b":"\\ud800"}',
  '12345678901234567890',
])('integers of any length are printed as they were written: %s', (text) => {
  expect(again(text)).toBe(text)
})

test('a value without such integers is the very same value, also beside long texts of digits and fractions', () => {
  for (const text of ['{"a":1}', '["12345678901234567890"]', '[0.12345678901234567,1e30,9007199254740991]']) {
    const value: unknown = JSON.parse(text)
    expect(withExactIntegers({ value, text })).toBe(value)
  }
})

test('plain data is printed as JSON.stringify prints it', () => {
  const plain = fc.property(fc.jsonValue(), (value) => {
    const text = JSON.stringify(value)
    expect(again(text)).toBe(text)
  })
  fc.assert(plain, { numRuns: 300 })
  expect(printValue({ a: undefined, b: [undefined, null] })).toBe('{"b":[null,null]}')
})
