import { describe, expect, test } from 'vitest'
import { mirroredArguments, mirroredValue } from '../../src/names/mirrored-arguments.ts'

const region = { type: 'string', 'x-mcp-header': 'Region' }
const within = (properties: object) => ({ type: 'object', properties })

describe('arguments that a schema marks', () => {
  test('are found at any depth of its properties', () => {
    expect(
      mirroredArguments(within({ region, where: within({ floor: { type: 'integer', 'x-mcp-header': 'Floor' } }) })),
    ).toEqual([
      { path: ['region'], header: 'Region' },
      { path: ['where', 'floor'], header: 'Floor' },
    ])
    expect(mirroredArguments(undefined)).toEqual([])
  })

  test('may be called like a word of the schema, and examples are no schemas', () => {
    expect(mirroredArguments(within({ items: region, plain: { type: 'string', examples: [region] } }))).toEqual([
      { path: ['items'], header: 'Region' },
    ])
  })

  test.each<[string, object]>([
    ['no type', within({ a: { 'x-mcp-header': 'A' } })],
    ['a number', within({ a: { type: 'number', 'x-mcp-header': 'A' } })],
    ['no name of a header', within({ a: { type: 'string', 'x-mcp-header': 'A B' } })],
    ['the whole', { type: 'object', 'x-mcp-header': 'A' }],
    ['two of one name', within({ a: region, b: { type: 'string', 'x-mcp-header': 'REGION' } })],
    ['an item of a list', within({ a: { type: 'array', items: region } })],
    ['one of several schemas', { ...within({}), anyOf: [within({ region })] }],
  ])('break the rules: %s', (_what, schema) => {
    expect(mirroredArguments(schema)).toBeUndefined()
  })
})

test('a value is repeated as text; what is null, missing, inherited or of another type is not', () => {
  const value = (args: unknown) => mirroredValue({ path: ['a'], header: 'A' }, args)
  expect([value({ a: 'x' }), value({ a: 7 }), value({ a: false })]).toEqual(['x', '7', 'false'])
  expect([{ a: null }, {}, { a: 1.5 }, { a: 2 ** 60 }, { a: {} }, undefined].map(value)).toEqual(
    Array(6).fill(undefined),
  )
  expect(mirroredValue({ path: ['toString'], header: 'A' }, {})).toBeUndefined()
})
