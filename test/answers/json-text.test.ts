import { expect, test, vi } from 'vitest'
import { serializeAnswer } from '../../src/answers/json-text.ts'

test('a text that another copy of the class holds, as rooms that are loaded later have one, is spliced', async () => {
  vi.resetModules()
  const { JsonText } = await import('../../src/answers/json-text.ts')
  expect(serializeAnswer({ result: new JsonText('{"a":1.0}') })).toEqual({ kind: 'result', json: '{"a":1.0}' })
  expect(serializeAnswer({ result: { json: '{"a":1.0}' } }).json).toBe('{"json":"{\\"a\\":1.0}"}')
})
