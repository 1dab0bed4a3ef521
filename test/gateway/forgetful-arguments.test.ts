// Arguments of meta-tools as weaker models write them.
import { expect, test } from 'vitest'
import { readForgetful } from '../../src/gateway/forgetful-arguments.ts'
import { noFindings } from '../../src/json/findings.ts'

const meant = (name: Parameters<typeof readForgetful>[0], args: Record<string, unknown>) =>
  readForgetful(name, { name, args, meta: undefined, findings: noFindings })

test('null for what is optional is nothing, and stays what it is elsewhere', () => {
  expect(meant('search_tools', { query: 'x', max_hits: null }).envelope.args).toEqual({ query: 'x' })
  expect(meant('search_tools', { query: null, other: null }).envelope.args).toEqual({ query: null, other: null })
  const call = { tool: 'a__b', server: null, detach: null, timeout_ms: null, arguments: null }
  expect(meant('call_tool', call)).toMatchObject({ envelope: { args: { tool: 'a__b' } }, isText: false })
  expect(meant('call_tool', call).envelope.args).not.toHaveProperty('arguments')
})

test('arguments that are the text of an object are that object, and what its text loses is found', () => {
  const { envelope, isText } = meant('call_tool', { tool: 't', arguments: ' {"a":{"n":12345678901234567890},"a":1}' })
  expect([envelope.args, isText]).toEqual([{ tool: 't', arguments: { a: 1 } }, true])
  expect(envelope.findings).toEqual({ duplicateKey: true, protoKey: false, depth: 3, inexactNumber: true })
})

test.each(['', 'x', '[1]', '"{}"', 'null'])('arguments that are the text %j are no object', (text) => {
  expect(meant('call_tool', { tool: 't', arguments: text })).toMatchObject({
    envelope: { args: { arguments: text } },
    isText: false,
  })
})
