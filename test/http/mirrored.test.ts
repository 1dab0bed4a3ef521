import { expect, test } from 'vitest'
import { argumentMismatchOf, mismatchOf } from '../../src/http/front/mirrored.ts'

const call = { method: 'tools/call', params: { name: 'käse' } }
const encoded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`
const right = { 'mcp-method': ['tools/call'], 'mcp-name': [encoded('käse')] }

test('headers that say what the body says are right, in base64 where they have to be', () => {
  expect(mismatchOf(right, call)).toBeUndefined()
  expect(mismatchOf({ 'mcp-method': [' tools/list\t'] }, { method: 'tools/list', params: {} })).toBeUndefined()
})

test.each([
  ['Mcp-Method', { ...right, 'mcp-method': undefined }],
  ['Mcp-Method', { ...right, 'mcp-method': ['Tools/Call'] }],
  ['Mcp-Method', { ...right, 'mcp-method': ['tools/call', 'tools/call'] }],
  ['Mcp-Name', { ...right, 'mcp-name': undefined }],
  ['Mcp-Name', { ...right, 'mcp-name': ['käse'] }],
  ['Mcp-Name', { ...right, 'mcp-name': ['=?base64?%%%?='] }],
  ['Mcp-Name', { ...right, 'mcp-name': [`=?base64?${Buffer.from([255]).toString('base64')}?=`] }],
])('%s does not say it in %j', (name, fields) => expect(mismatchOf(fields, call)).toBe(name))

test('a marked argument is repeated exactly when it is there', () => {
  const marks = new Map([['Region', 'region']])
  const says = (value: unknown, line?: string) =>
    argumentMismatchOf(line === undefined ? {} : { 'mcp-param-region': [line] }, { region: value }, marks)
  expect([says('eu', 'eu'), says(null), says(undefined), says(12, '12'), says(true, 'true')]).toEqual(
    Array(5).fill(undefined),
  )
  expect([says('eu'), says('eu', 'us'), says(null, 'eu'), says(12, '13')]).toEqual(Array(4).fill('Mcp-Param-Region'))
})
