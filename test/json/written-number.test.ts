import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printValue } from '../../src/json/print-value.ts'
import { withWrittenNumbers } from '../../src/json/written-number.ts'

const again = (text: string) => printValue(withWrittenNumbers({ value: JSON.parse(text), text }))

test.each([
  '{"amount_cents":12345678901234567890}',
  '[9007199254740993,-9007199254740993,9007199254740992,{"a":[[18446744073709551615]]}]',
  '{"in a text":"12345678901234567890","\\"12345678901234567890":"\\\\","then":12345678901234567890}',
  '{"__proto__":{"a":12345678901234567890},"b":"\\ud800"}',
  '12345678901234567890',
  '[12345678901234567.89,0.1000000000000000000001,1.0,-0,-0.0,0.10]',
  '[1e2,1E2,1e+2,1e-7,1e400,-1e400,5e-400,1e21,1E+2]',
  `{"c":${'9'.repeat(400)}}`,
])('numbers are printed as they were written: %s', (text) => {
  expect(again(text)).toBe(text)
})

test('a value whose numbers all print as they were written is the very same value', () => {
  for (const text of [
    '{"a":1}',
    '["12345678901234567890","1.0"]',
    '[0.12345678901234568,1e+30,9007199254740991,-1.5]',
  ]) {
    const value: unknown = JSON.parse(text)
    expect(withWrittenNumbers({ value, text })).toBe(value)
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

test('who prints without knowing of them gets the nearest number', () => {
  const text = '{"a":1.50,"b":1e400}'
  expect(JSON.stringify(withWrittenNumbers({ value: JSON.parse(text), text }))).toBe('{"a":1.5,"b":null}')
})
