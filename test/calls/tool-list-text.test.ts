import { expect, test } from 'vitest'
import { createToolListText } from '../../src/calls/tool-list-text.ts'

test('the same definitions are one text for all who ask, and others are another one', () => {
  const textOf = createToolListText()
  const [a, b] = [{ name: 'a' }, { name: 'b' }]
  const first = textOf([a, b])
  expect(first.json).toBe('{"tools":[{"name":"a"},{"name":"b"}]}')
  expect(textOf([a, b])).toBe(first)
  expect(textOf([b, a]).json).toBe('{"tools":[{"name":"b"},{"name":"a"}]}')
  expect(textOf([{ name: 'a' }, b])).not.toBe(first)
  expect(textOf([]).json).toBe('{"tools":[]}')
})
