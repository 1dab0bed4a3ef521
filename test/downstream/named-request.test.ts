import { expect, test } from 'vitest'
import { underName } from '../../src/downstream/named-request.ts'

const form = {
  type: 'object',
  properties: {
    size: { type: 'string', title: 'Size\u001b[2J', description: 'a\u202eb', enum: ['s'], enumNames: ['S\u200b'] },
  },
  required: ['size'],
}

test("what a server asks a person carries the server's name in one line, and no sign that hides others", () => {
  expect(
    underName('files', 'elicitation/create', { message: 'Sure?\n[bank] Pay\u001b[1A', requestedSchema: form }),
  ).toEqual({
    message: '[files] Sure?⏎[bank] Pay<U+001B>[1A',
    requestedSchema: {
      ...form,
      properties: {
        size: {
          ...form.properties.size,
          ...{ title: 'Size<U+001B>[2J', description: 'a<U+202E>b', enumNames: ['S<U+200B>'] },
        },
      },
    },
  })
})

test.each([
  ['the name of a member', { properties: { 'a\u202eb': { type: 'string' } } }],
  ['a value to choose', { properties: { a: { type: 'string', enum: ['x\u200b'] } } }],
  ['a default', { properties: { a: { type: 'string', default: '\u001b' } } }],
])('a form with such a sign in %s, which would come back, is refused', (_what, schema) => {
  expect(() => underName('files', 'elicitation/create', { message: 'm', requestedSchema: schema })).toThrow(
    'characters that a person cannot see',
  )
})

test('an address to open that hides something is refused', () => {
  const params = { mode: 'url', message: 'm', url: 'https://a.example/\u202e', elicitationId: '1' }
  expect(() => underName('files', 'elicitation/create', params)).toThrow('cannot see')
})

test("what a server asks the model carries the server's name before its instructions, lines stay lines", () => {
  const messages = [{ role: 'user', content: { type: 'text', text: 'one\ntwo\u001b' } }]
  expect(
    underName('files', 'sampling/createMessage', { messages, maxTokens: 5, systemPrompt: 'Be\u202e brief.' }),
  ).toEqual({
    messages: [{ role: 'user', content: { type: 'text', text: 'one\ntwo<U+001B>' } }],
    maxTokens: 5,
    systemPrompt: '[files] Be<U+202E> brief.',
  })
  expect(underName('files', 'sampling/createMessage', { messages: [], maxTokens: 5 })).toEqual({
    ...{ messages: [], maxTokens: 5, systemPrompt: '[files]' },
  })
})

test('a question for roots passes as it is', () => {
  expect(underName('files', 'roots/list', {})).toEqual({})
})

test('a server without a label asks in its own words, and what nobody sees is shown all the same', () => {
  expect(underName(undefined, 'elicitation/create', { message: 'Sure?\u202e' })).toEqual({ message: 'Sure?<U+202E>' })
  expect(underName(undefined, 'sampling/createMessage', { messages: [], maxTokens: 5 })).toEqual({
    messages: [],
    maxTokens: 5,
  })
})
