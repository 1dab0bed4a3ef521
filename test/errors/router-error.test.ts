import { expect, test } from 'vitest'
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
