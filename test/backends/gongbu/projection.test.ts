import { expect, test } from 'vitest'
import { scrubMetadata, toPublicArtifacts, toPublicExecution } from '../../../src/backends/gongbu/projection.ts'
import { artifact, execution } from './bodies.ts'

const marker = '<private operation redacted>'
const publicly = (more: Record<string, unknown>, handle?: string) => toPublicExecution(execution(more) as never, handle)

test('the public execution is the known members without the key, and the handle only when known', () => {
  const { operation_key: _, ...known } = execution({ failure: { code: 'c', message: 'm' } })
  expect(publicly({ failure: { code: 'c', message: 'm', detail: 'd' }, timing: {}, more: 1 })).toEqual(known)
  expect(publicly({}, 'hubu:public-operation:v1:a')).toMatchObject({ operation_handle: 'hubu:public-operation:v1:a' })
  expect(publicly({})).not.toHaveProperty('operation_handle')
})

test("the execution's own key is cut out of a text, a text with another key goes whole", () => {
  const message = (text: string, operation_key = 'foreign-key') =>
    publicly({ operation_key, failure: { code: 'c', message: text } }).failure?.message
  expect(message('about foreign-key twice foreign-key')).toBe(`about ${marker} twice ${marker}`)
  expect(message('see hubu:operation:v1:codex:zzz for more')).toBe(marker)
  const own = 'hubu:operation:v1:codex:00112233445566778899aabbccddeeff'
  expect(message(`about ${own}.`, own)).toBe(`about ${marker}.`)
  expect(message(`${own} and hubu:operation:v1:`, own)).toBe(marker)
  expect(message('no key', '')).toBe('no key')
})

test('a key is found in every string of the execution, the code and the outcome too', () => {
  const shown = publicly({
    operation_key: 'hubu:operation:v1:a:1',
    outcome: 'hubu:operation:v1:b:2',
    failure: { code: 'hubu:operation:v1:a:1', message: 'x' },
    started_at: 'hubu:operation:v1:c',
  })
  expect(JSON.stringify(shown)).not.toContain('hubu:operation:v1:')
  expect([shown.outcome, shown.failure?.code, shown.started_at]).toEqual([marker, marker, marker])
})

test.each<[string, unknown, unknown]>([
  [
    'T28',
    { storage_path: '/x', provider_token: 't', nested: { path: '/y', width: 1 } },
    { provider_token: '[REDACTED]', nested: { width: 1 } },
  ],
  [
    'X05',
    { note: 'prefix hubu:operation:v1:codex:abc', list: ['hubu:operation:v1:', 'fine'] },
    { note: marker, list: [marker, 'fine'] },
  ],
  ['X06', { operation_key: 'x', Storage_Key_2: 'y', AuthHeader: { a: 1 } }, { AuthHeader: '[REDACTED]' }],
  [
    'X06 deep',
    { a: [{ Operation_Key: 'x', client_SECRET: 1, file_PATH: 'p', pathway: 'kept', Authorization: null }] },
    { a: [{ client_SECRET: '[REDACTED]', pathway: 'kept', Authorization: '[REDACTED]' }] },
  ],
  ['a credential inside a dropped member', { storage_path: { token: 't' } }, {}],
  ['a place that is named like a credential', { token_path: '/x', secret_storage_key: 'k' }, {}],
  ['an operation key as a name', { 'of hubu:operation:v1:x': [1] }, { [marker]: [1] }],
  ['scalars', 7, 7],
  ['null', null, null],
  ['a string of its own', 'hubu:operation:v1:x', marker],
])('metadata is scrubbed: %s', (_name, metadata, scrubbed) => {
  expect(scrubMetadata(metadata)).toEqual(scrubbed)
})

test('a member named __proto__ stays a member', () => {
  const scrubbed = scrubMetadata(JSON.parse('{"__proto__":{"admin":true},"a":1}'))
  expect(JSON.stringify(scrubbed)).toBe('{"__proto__":{"admin":true},"a":1}')
  expect((scrubbed as { admin?: boolean }).admin).toBe(undefined)
})

test('listed artifacts keep their known members, metadata scrubbed', () => {
  const list = {
    schema_version: 1,
    execution_id: 'exec-1',
    artifacts: [artifact({ metadata: { path: '/y', width: 1 }, storage_hint: 'x', kind: 'hubu:operation:v1:k' })],
    more: 1,
  }
  expect(toPublicArtifacts(list as never)).toEqual({
    schema_version: 1,
    execution_id: 'exec-1',
    artifacts: [artifact({ metadata: { width: 1 }, kind: marker })],
  })
})
