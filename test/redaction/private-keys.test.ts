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
