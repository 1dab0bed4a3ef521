import { expect, test } from 'vitest'
import { compareAnswers, compareTools } from '../../scripts/clients/servers/differences.ts'

const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { a: { type: 'number' } },
}
const direct = {
  name: 'notes_add',
  description: 'Add a note',
  inputSchema: { type: 'object' },
  outputSchema: schema,
  execution: { taskSupport: 'forbidden' },
}
const { $schema, ...promised } = schema
const through = {
  name: 'notes__add',
  description: '[notes] Add a note',
  inputSchema: { type: 'object' },
  outputSchema: { $schema, type: 'object', anyOf: [promised, { type: 'object' }] },
}

test('what is changed on purpose is no difference', () => {
  expect(compareTools('notes', [direct], [through])).toEqual({ equal: 1, all: 1, differences: [] })
})

test.each([
  [
    'another schema',
    [{ ...through, inputSchema: { type: 'object', required: ['a'] } }],
    'notes_add differs in inputSchema',
  ],
  ['another description', [{ ...through, description: '[notes] Add' }], 'notes_add differs in description'],
  ['a lost member', [{ ...through, outputSchema: undefined }], 'notes_add differs in outputSchema'],
  ['a lost tool', [], 'notes_add is missing'],
])('%s is told', (_what, given, told) => {
  expect(compareTools('notes', [direct], given)).toEqual({ equal: 0, all: 1, differences: [told] })
})

test('a tool too many is told', () => {
  const { equal, differences } = compareTools('notes', [direct], [through, { ...through, name: 'notes__drop' }])
  expect({ equal, differences }).toEqual({ equal: 1, differences: ["notes__drop is not the server's"] })
})

test('answers are compared member by member, and a failed one is a difference', () => {
  expect(compareAnswers({ content: [1] }, { content: [1] })).toEqual([])
  expect(compareAnswers({ content: [1] }, { content: [2], more: 1 })).toEqual(['content', 'more'])
  expect(compareAnswers({ isError: true }, { isError: true })).toEqual(['isError'])
})
