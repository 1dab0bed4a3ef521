import { expect, test } from 'vitest'
import { hidePrivateKeys } from '../../src/redaction/private-operation.ts'

const key = `hubu:operation:v1:claude-code:${'0123456789abcdef'.repeat(2)}`

test("a claim's private operation key is hidden and every other byte stays", () => {
  const claim = (shown: string) => `{ "operation_key":"${shown}", "n": 12345678901234567890, "note":"see ${shown}." }`
  expect(hidePrivateKeys(claim(key))).toBe(claim('<private operation redacted>'))
})

test("a public handle and another executor's key are not private", () => {
  const text = `hubu:public-operation:v1:${'a'.repeat(32)} demo:op-1 hubu:operation:v1:short`
  expect(hidePrivateKeys(text)).toBe(text)
})

test('a key whose characters are escaped is hidden too, a text that only looks like one is not touched', () => {
  const escaped = Array.from(key, (char) => `\\u00${char.charCodeAt(0).toString(16).toUpperCase()}`).join('')
  expect(hidePrivateKeys(`{"a":"${escaped}","\\u0068${key.slice(1)}":"\\\\u0068"}`)).toBe(
    '{"a":"<private operation redacted>","<private operation redacted>":"\\\\u0068"}',
  )
  const harmless = `{"a":"\\u0041","b":"\\\\u0068${key.slice(1)}"}`
  expect(hidePrivateKeys(harmless)).toBe(harmless)
})
