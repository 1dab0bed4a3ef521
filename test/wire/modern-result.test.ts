import { expect, test } from 'vitest'
import { toModernResult } from '../../src/wire/modern-result.ts'

const us = { name: 'us', version: '1' }
const ours = '"io.modelcontextprotocol/serverInfo":{"name":"us","version":"1"}'

test('what a server wrote stays as it wrote it, digit for digit, beside the type and our name', () => {
  const text =
    '{ "content" : [ ], "n":1.50e3,"_meta":{"a":[1, 2],"io.modelcontextprotocol/serverInfo":{"name":"them"}}}'
  expect(toModernResult(text, us, undefined)).toBe(
    `{"resultType":"complete","content":[ ],"n":1.50e3,"_meta":{${ours},"a":[1, 2]}}`,
  )
})

test('a type that a server gave is kept, and a question is never cached', () => {
  const text = '{"resultType":"input_required","inputRequests":{}}'
  expect(toModernResult(text, us, { ttlMs: 5 })).toBe(
    `{"resultType":"input_required","inputRequests":{},"_meta":{${ours}}}`,
  )
})

test.each([
  ['{}', 7],
  ['{"ttlMs":12,"cacheScope":"public"}', 12],
  ['{"ttlMs":1e9}', 3_600_000],
  ['{"ttlMs":"soon"}', 7],
  ['{"ttlMs":-1}', 7],
])('%s may be kept for %d ms, by this client alone', (text, ttlMs) => {
  expect(toModernResult(text, us, { ttlMs: 7 })).toContain(`"ttlMs":${ttlMs},"cacheScope":"private"`)
})

test('what answers a question may not be kept, whatever its server says', () => {
  expect(toModernResult('{"ttlMs":99}', us, { ttlMs: 0, isFixed: true })).toContain('"ttlMs":0,')
})
