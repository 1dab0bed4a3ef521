import { expect, test } from 'vitest'
import { aroundDifference, definitionDifference } from '../../src/activity/definition-difference.ts'

test('a difference names the members that were changed, added and left out', () => {
  const accepted = JSON.stringify({ name: 'a', description: 'x', inputSchema: { required: ['p'], title: 't' } })
  const present = JSON.stringify({ name: 'a', description: 'y', inputSchema: { required: ['p', 'q'] } })
  expect(definitionDifference({ accepted, present })).toEqual([
    { member: 'description', accepted: '"x"', present: '"y"' },
    { member: 'inputSchema.required.1', accepted: undefined, present: '"q"' },
    { member: 'inputSchema.title', accepted: '"t"', present: undefined },
  ])
})

test('of a definition that was too long to be kept whole the texts are compared', () => {
  expect(definitionDifference({ accepted: '{"a":"x', present: '{"a":"y' })).toEqual([
    { member: '', accepted: '{"a":"x', present: '{"a":"y' },
  ])
})

test('long texts are shown from where they begin to differ', () => {
  const [accepted, present] = aroundDifference(`${'s'.repeat(5000)}old`, `${'s'.repeat(5000)}new${'t'.repeat(5000)}`)
  expect(accepted).toBe(`…${'s'.repeat(40)}old`)
  expect(present).toMatch(/^…s{40}newt+…$/)
})
