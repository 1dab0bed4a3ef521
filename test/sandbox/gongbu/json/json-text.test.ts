import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalText } from '../../../../src/sandbox/gongbu/json/canonical.ts'
import { JsonNumber, readJson, type Json } from '../../../../src/sandbox/gongbu/json/json-text.ts'

const read = (text: string) => readJson(Buffer.from(text))
const canonical = (text: string) => {
  const json = read(text)
  return json.kind === 'json' ? canonicalText(json.value) : undefined
}

/** The value as JSON.parse would give it. */
function plain(value: Json): unknown {
  if (value instanceof JsonNumber) return Number(value.literal)
  if (value instanceof Map)
    return Object.fromEntries([...(value as Map<string, Json>)].map(([name, one]) => [name, plain(one)]))
  return Array.isArray(value) ? (value as Json[]).map(plain) : value
}

test('what JSON.stringify writes is read back as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      fc.pre(!/\\ud[89a-f]/i.test(text))
      const json = read(text)
      expect(json.kind === 'json' && plain(json.value)).toEqual(JSON.parse(text))
    }),
  )
})

test('what JSON.parse refuses is refused, and nothing crashes', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0019-+.eE tfn\n'), maxLength: 12 }), (text) => {
      let parsed = true
      try {
        JSON.parse(text)
      } catch {
        parsed = false
      }
      if (!parsed) expect(read(text)).toEqual({ kind: 'malformed' })
    }),
  )
})

test('canonical text is JSON, does not depend on member order, and is its own canonical text', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse())
      const text = canonical(JSON.stringify(value))
      fc.pre(text !== undefined)
      expect(canonical(JSON.stringify(reversed))).toBe(text)
      expect(canonical(text ?? '')).toBe(text)
      expect(JSON.parse(text ?? '')).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test.each([
  '\ufeff{}',
  '{"a":1,}',
  '[1,]',
  '{a:1}',
  "{'a':1}",
  '01',
  '1.',
  '.5',
  '+1',
  '1e999',
  '-',
  'nul',
  'NaN',
  '"\n"',
  '"\\x"',
  '"\\u12"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"',
  '{}{}',
  '{} x',
  '/**/{}',
  '',
  ' ',
])('%j is not JSON', (text) => {
  expect(read(text)).toEqual({ kind: 'malformed' })
})

test('bytes that are not UTF-8 are not JSON', () => {
  expect(readJson(Buffer.from([0x22, 0xff, 0x22]))).toEqual({ kind: 'malformed' })
})

test('127 levels are read, 128 and many more are refused without a crash', () => {
  const nested = (levels: number) => read('['.repeat(levels) + ']'.repeat(levels)).kind
  expect([nested(127), nested(128), nested(500_000)]).toEqual(['json', 'malformed', 'malformed'])
})

test('a repeated top-level member is told, a deeper one follows the last', () => {
  expect(read('{"a":1,"a":2,"b":{"c":1,"c":2}}')).toMatchObject({ repeated: ['a'] })
  expect(canonical('{"b":{"c":1,"c":2}}')).toBe('{"b":{"c":2}}')
})

test('__proto__ is a member like any other', () => {
  expect(canonical('{"__proto__":{"x":1}}')).toBe('{"__proto__":{"x":1}}')
})

test('an integer is one only when it is written as one of at most 64 signed bits', () => {
  const integer = (literal: string) => new JsonNumber(literal).integer
  expect(integer('9223372036854775807')).toBe(9223372036854775807n)
  expect(integer('-9223372036854775808')).toBe(-9223372036854775808n)
  expect(integer('0')).toBe(0n)
  for (const literal of ['9223372036854775808', '-9223372036854775809', '1.0', '1e0', '1E2', '-0'])
    expect(integer(literal), literal).toBeUndefined()
})

test('1 and 1.0 differ, 1.0 and 1e0 do not', () => {
  expect(canonical('1')).toBe('1')
  for (const text of ['1.0', '1.00', '1e0', '10e-1']) expect(canonical(text)).toBe('1.0')
  expect(canonical('-0')).toBe('-0.0')
  expect(canonical('18446744073709551615')).toBe('18446744073709551615')
  expect(canonical('123456789012345678901234567890')).toBe('1.2345678901234568e+29')
})
