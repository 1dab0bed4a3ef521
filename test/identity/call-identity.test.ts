import { expect, test } from 'vitest'
import { RouterError } from '../../src/errors/router-error.ts'
import { readCallIdentity } from '../../src/identity/call-identity.ts'

const envelope = (members: object) => ({ 'hubu.dev/platform-invocation': members })

function codeOf(meta: unknown): string {
  try {
    readCallIdentity(meta)
    return 'accepted'
  } catch (error) {
    return RouterError.from(error).code
  }
}

test('a Codex call is known by its callId and has no task', () => {
  expect(readCallIdentity({ callId: 'c-1' })).toEqual({
    platform: 'codex',
    harnessCallId: 'c-1',
    codexCallId: 'c-1',
    claudeToolUseId: null,
    hubuInvocationId: null,
    controlledInstallationId: null,
    taskId: null,
  })
})

test('a Claude Code call is known by its tool use id', () => {
  const identity = readCallIdentity({ 'claudecode/toolUseId': 'toolu_1' })
  expect(identity).toMatchObject({ platform: 'claude-code', harnessCallId: 'toolu_1', claudeToolUseId: 'toolu_1' })
  expect(identity?.codexCallId).toBeNull()
})

test('a controlled envelope brings platform, invocation, task and installation', () => {
  const members = { platform: 'hubu-platform', invocation_id: 'i-1', task_id: 'linear:T-1', installation_id: 'host-1' }
  expect(readCallIdentity(envelope(members))).toMatchObject({
    platform: 'hubu-platform',
    harnessCallId: 'i-1',
    hubuInvocationId: 'i-1',
    taskId: 'linear:T-1',
    controlledInstallationId: 'host-1',
  })
})

test.each([undefined, null, 'x', {}, { unknown: 'c' }, [], ['callId'], 7, true])(
  'metadata %j brings no identity',
  (meta) => expect(codeOf(meta)).toBe('identity_missing'),
)

test.each([
  { callId: 'c', 'claudecode/toolUseId': 't' },
  { callId: 'c', ...envelope({ platform: 'p', invocation_id: 'i' }) },
  { callId: null, 'claudecode/toolUseId': 't' },
  { callId: undefined, 'claudecode/toolUseId': 't' },
  { callId: 'c', 'claudecode/toolUseId': 't', ...envelope({}) },
])('more than one source is ambiguous, even when one holds nothing: %j', (meta) => {
  expect(codeOf(meta)).toBe('identity_ambiguous')
})

const control = ['\u0000', '\u0007', '\n', '\u007f', '\u0085', '\u009f']
const space = [' ', '\u00a0', '\u2003', '\u2028', '\u3000']
const malformed = [
  ...[7, null, '', true, {}, ['c'], 'x'.repeat(513), 'é'.repeat(257), '\ud800'],
  ...control.map((one) => `a${one}b`),
  ...space.flatMap((one) => [`${one}c`, `c${one}`]),
]

test.each(malformed)('an id of %j is invalid under every source', (id) => {
  expect(codeOf({ callId: id })).toBe('identity_invalid')
  expect(codeOf({ 'claudecode/toolUseId': id })).toBe('identity_invalid')
  expect(codeOf(envelope({ platform: 'p', invocation_id: id }))).toBe('identity_invalid')
})

test.each(['x'.repeat(512), 'é'.repeat(256), 'a b', 'a\u00a0b', '🜁', '{"a":1}', '/../'])(
  'an id of %j is accepted and taken as it is',
  (id) => expect(readCallIdentity({ callId: id })?.harnessCallId).toBe(id),
)

test.each([
  { platform: 'p', invocation_id: 'i', operation_key: 'hubu:operation:v1:p:stolen' },
  { platform: 'p', invocation_id: 'i', extra: 1 },
  { platform: 'p' },
  { invocation_id: 'i' },
  { platform: 'a b', invocation_id: 'i' },
  { platform: 'a/b', invocation_id: 'i' },
  { platform: 'é', invocation_id: 'i' },
  { platform: 'p'.repeat(65), invocation_id: 'i' },
  { platform: '', invocation_id: 'i' },
  { platform: 7, invocation_id: 'i' },
  { platform: 'p', invocation_id: 'i', task_id: 'x'.repeat(513) },
  { platform: 'p', invocation_id: 'i', task_id: '' },
  { platform: 'p', invocation_id: 'i', task_id: 7 },
  { platform: 'p', invocation_id: 'i', installation_id: 'host ' },
  { platform: 'p', invocation_id: 'i', installation_id: 7 },
])('the envelope %j is invalid', (members) => {
  expect(codeOf(envelope(members))).toBe('identity_invalid')
})

test.each([null, 'x', [], 7])('an envelope that is %j is invalid', (value) => {
  expect(codeOf({ 'hubu.dev/platform-invocation': value })).toBe('identity_invalid')
})

test('null task and installation are the same as none', () => {
  const members = { platform: 'A-Z.a_9', invocation_id: 'i', task_id: null, installation_id: null }
  expect(readCallIdentity(envelope(members))).toMatchObject({ taskId: null, controlledInstallationId: null })
})

test('members that are not ours are ignored, and inherited ones do not count', () => {
  expect(readCallIdentity({ callId: 'c-2', other: { deep: 1 } })?.harnessCallId).toBe('c-2')
  expect(codeOf(Object.create({ callId: 'c' }))).toBe('identity_missing')
})

test('no message repeats a value', () => {
  for (const meta of [
    { callId: ' canary' },
    { callId: 'canary', 'claudecode/toolUseId': 'canary' },
    envelope({ platform: 'p', invocation_id: 'i', operation_key: 'canary' }),
    envelope({ platform: 'canary canary', invocation_id: 'canary' }),
  ]) {
    expect(() => readCallIdentity(meta)).toThrow(RouterError)
    expect(() => readCallIdentity(meta)).not.toThrow(/canary/)
  }
})

test('no harness can claim the platform of operations that the router named itself', () => {
  expect(codeOf(envelope({ platform: 'guarded', invocation_id: 'guarded:v1:0' }))).toBe('identity_invalid')
})
