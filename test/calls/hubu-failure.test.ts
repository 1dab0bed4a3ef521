import { expect, test } from 'vitest'
import { applicationError } from '../../src/calls/hubu-call.ts'
import { Secret } from '../../src/redaction/secret.ts'

const refusal = (errorText: string | undefined) => ({ kind: 'application_error', status: 400, errorText }) as const

test('a reason of 30 MB is told by its beginning and its length', () => {
  const { message } = applicationError(refusal('no '.repeat(10_000_000)), [])
  expect(message).toMatch(
    /^Hubu refused the request with status 400: no no no .*… \(the first 2000 of 30000000 characters\)$/,
  )
  expect(message.length).toBeLessThan(2200)
})

test('where a reason is cut, no part of a secret or of a private key is left', () => {
  const token = 'q7Z-a-long-token-of-the-router'
  const key = `hubu:operation:v1:codex:${'0a'.repeat(16)}`
  for (let before = 1900; before < 2000; before++) {
    const { message } = applicationError(refusal(`${'.'.repeat(before)}${token}${key}${'.'.repeat(2000)}`), [
      new Secret(token),
    ])
    expect(message).not.toMatch(/q7Z|hubu:operation/)
  }
})

test('a reason that is missing is told as missing', () => {
  expect(applicationError(refusal(undefined), []).message).toBe(
    'Hubu refused the request with status 400: It gave no reason.',
  )
})
