import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { member, readJson } from '../../src/json/read.ts'

const read = (body: string | Buffer) => readJson(Buffer.from(body))

test('JSON in UTF-8 is read with its text; null and scalars are JSON', () => {
  expect(read('{"a":"grüße"}')).toEqual({ kind: 'json', value: { a: 'grüße' }, text: '{"a":"grüße"}' })
  expect(read('null')).toEqual({ kind: 'json', value: null, text: 'null' })
  expect(read('\ufeff{"a":1}')).toMatchObject({ value: { a: 1 } })
})

test.each<[string, string | Buffer]>([
  ['nothing', ''],
  ['white space', ' \n'],
  ['text', 'not-json'],
  ['HTML', '<html></html>'],
  ['half a value', '{"a":'],
  ['two values', '{}{}'],
  ['invalid UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22])],
  ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['UTF-16 with a byte order mark', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{"a":1}', 'utf16le')])],
  ['compressed bytes', gzipSync('{"a":1}')],
  ['truncated compressed bytes', gzipSync('{"a":1}').subarray(0, 12)],
])('%s is not JSON', (_name, body) => {
  expect(read(body)).toEqual({ kind: 'not_json' })
})

test('nesting over 512 levels is refused, brackets inside strings are not nesting', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`
  expect(read(nested(512)).kind).toBe('json')
  expect(read(nested(513)).kind).toBe('not_json')
  expect(read(nested(1_000_000)).kind).toBe('not_json')
  expect(
    read(JSON.stringify({ text: `"${'['.repeat(2000)}\\`, flat: Array.from({ length: 600 }, () => [{}]) })).kind,
  ).toBe('json')
})

test('duplicate members: the last counts; a member named __proto__ changes nothing else', () => {
  expect(read('{"a":1,"a":2}')).toMatchObject({ value: { a: 2 } })
  const body = read('{"__proto__":{"status":"ok"}}')
  expect(body.kind === 'json' && member(body.value, 'status')).toBe(undefined)
})

test('members are read from objects only, own ones only', () => {
  expect(member({ a: 1 }, 'a')).toBe(1)
  for (const value of [null, 'text', 7, ['a'], undefined]) expect(member(value, 'length')).toBe(undefined)
  expect(member({}, 'toString')).toBe(undefined)
})
