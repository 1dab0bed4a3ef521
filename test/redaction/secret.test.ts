import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Secret } from '../../src/redaction/secret.ts'

test('a secret prints as redacted in every form and is given up only by reveal', () => {
  const config = { token: new Secret('token-canary') }
  for (const text of [
    inspect(config, { depth: 9, showHidden: true }),
    JSON.stringify(config),
    `${config.token}`,
    String(config.token),
  ]) {
    expect(text).toContain('<redacted>')
    expect(text).not.toContain('canary')
  }
  expect(config.token.reveal()).toBe('token-canary')
})
