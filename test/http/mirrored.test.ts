import { expect, test } from 'vitest'
import { mismatchOf } from '../../src/http/front/mirrored.ts'

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
