import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFields } from '../../../src/sandbox/hubu/json/fields.ts'
import { parseJson } from '../../../src/sandbox/hubu/json/parse.ts'
import { integerOf, type JsonObject } from '../../../src/sandbox/hubu/json/value.ts'
import { canonicalJson, RawJson, rewriteJson, writeJson } from '../../../src/sandbox/hubu/json/write.ts'

/** Whether JSON.parse takes a text. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('what is read is written back to the letter', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value)
      fc.pre(!/\\ud[89a-f]/i.test(text))
      expect(rewriteJson(parseJson(text))).toBe(text)
    }),
  )
})

test('a text is taken exactly if it is JSON', () => {
  const pieces = fc.array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '\\u0041',
      '1',
      '-',
      '0',
      '.',
      'e',
      '+',
      ' ',
      'true',
      'null',
      '\n',
    ),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('')
      if (isJson(text)) expect(() => parseJson(text)).not.toThrow()
      else expect(() => parseJson(text)).toThrow()
    }),
    { numRuns: 2000 },
  )
})

test.each([
  '',
  ' ',
  '\ufeff1',
  '1 2',
  '{"a":1,}',
  '[1,]',
  "{'a':1}",
  '01',
  '+1',
  '.5',
  '1.',
  '"\\ud800"',
  '"\\x41"',
  '"\n"',
])('the text %j is no JSON', (text) => {
  expect(() => parseJson(text)).toThrow()
})

test('nesting costs no stack, and height counts containers', () => {
  const deep = parseJson(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)
  expect(deep).toMatchObject({ kind: 'array', height: 20_000 })
  expect(parseJson('{"a":[1,{}],"b":2}')).toMatchObject({ height: 3 })
})

test('integers are plain digits', () => {
  const integers = ['0', '-1', '9223372036854775808'].map((digits) => integerOf(parseJson(digits)))
  expect(integers).toEqual([0n, -1n, 9223372036854775808n])
  expect(['1.0', '1e2', '-0', '"1"', 'true'].map((text) => integerOf(parseJson(text)))).toEqual(
    Array(5).fill(undefined),
  )
})

test('canonical JSON sorts keys by their bytes at every level and keeps the last of a repeated key', () => {
  expect(canonicalJson(parseJson(' {"b": [ {"z":1,"a":2} ], "\\ud83e\\udd8a":1, "\\uffff":2, "a":1, "a":3}'))).toBe(
    '{"a":3,"b":[{"a":2,"z":1}],"\uffff":2,"\u{1f98a}":1}',
  )
})

test('answers keep 64-bit digits and raw JSON', () => {
  expect(writeJson({ big: 2n ** 63n - 1n, list: [1, null, true], raw: new RawJson('{"x": 1.0}') })).toBe(
    '{"big":9223372036854775807,"list":[1,null,true],"raw":{"x": 1.0}}',
  )
})

test('fields are read by type, null is absent, and known keys are neither repeated nor too deep', () => {
  const fields = (text: string, strict = false) =>
    readFields(parseJson(text) as JsonObject, { keys: ['a', 'b'], strict })
  expect(fields('{"a":null,"x":1,"x":2}').optionalText('a')).toBeUndefined()
  expect(fields('{"a":9223372036854775807}').integer('a')).toBe(2n ** 63n - 1n)
  expect(() => fields('{"a":9223372036854775808}').integer('a')).toThrow('64-bit')
  expect(() => fields('{}').text('a')).toThrow('missing field `a`')
  expect(() => fields('{"a":1,"a":2}')).toThrow('duplicate field `a`')
  expect(() => fields('{"x":1}', true)).toThrow('unknown field `x`')
  const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
  expect(fields(nested(126)).has('a')).toBe(true)
  expect(() => fields(nested(127))).toThrow('recursion limit')
  expect(fields(nested(200).replace('"a"', '"x"')).has('x')).toBe(false)
})
