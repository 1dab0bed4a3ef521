import { expect, test, vi } from 'vitest'
import { RelayedError } from '../../src/errors/relayed-error.ts'
import { RouterError } from '../../src/errors/router-error.ts'

test('an error carries data only where the contract has it', () => {
  expect(new RouterError('tool_unknown', 'no').toWire()).toEqual({ code: -32602, message: 'no' })
  expect(new RouterError('schema_violation', 'no', { data: { violations: [] } }).toWire()).toEqual({
    code: -32602,
    message: 'no',
    data: { code: 'arguments_invalid', violations: [] },
  })
})

test('an unexpected fault keeps its cause for the log and shows nothing of it', () => {
  const cause = new Error('secret-canary')
  const error = RouterError.from(cause)
  expect(error.cause).toBe(cause)
  expect(JSON.stringify(error.toWire())).not.toContain('canary')
  expect(error.toWire().code).toBe(-32603)
})

test("a mounted server's own error goes out as it is, and is told from ours", () => {
  const relayed = new RelayedError({ code: 7, message: 'theirs', dataJson: '[1]' })
  expect(RouterError.from(relayed).toWire()).toEqual({ code: 7, message: 'theirs', data: [1] })
  expect(new RelayedError({ code: 7, message: 'theirs' }).toWire()).toEqual({ code: 7, message: 'theirs' })
  expect([relayed instanceof RouterError, relayed instanceof RelayedError]).toEqual([true, true])
  expect(new RouterError('tool_unknown', 'no') instanceof RelayedError).toBe(false)
})

test('an error of another bundle is known by its mark, and nothing else is', async () => {
  vi.resetModules()
  const other = await import('../../src/errors/router-error.ts')
  expect(other.RouterError).not.toBe(RouterError)
  const error = new other.RouterError('tool_unknown', 'no')
  expect(RouterError.from(error)).toBe(error)
  for (const value of [new Error('x'), null, 'text', {}]) expect(value instanceof RouterError).toBe(false)
})
