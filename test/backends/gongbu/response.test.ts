import { describe, expect, test } from 'vitest'
import type { HttpOutcome } from '../../../src/backends/http-client.ts'
import { printValue } from '../../../src/json/print-value.ts'
import { gongbuErrors, toToolError } from '../../../src/backends/gongbu/errors.ts'
import { toPublicArtifacts, toPublicExecution } from '../../../src/backends/gongbu/projection.ts'
import {
  readArtifact,
  readArtifacts,
  readExecution,
  type ExpectedExecution,
} from '../../../src/backends/gongbu/response.ts'
import { artifact, execution } from './bodies.ts'

const answer = (status: number, body: unknown, contentType: string | undefined = 'application/json'): HttpOutcome => ({
  kind: 'answer',
  status,
  contentType,
  body: Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})
const asked: ExpectedExecution = { schemaVersion: 1, executionIds: ['exec-1'] }
const created: ExpectedExecution = { schemaVersion: 2, operationKey: 'key-1', executionIds: [null] }
const codeOf = (reply: { kind: string; code?: string; class?: string }) => reply.code ?? reply.kind

describe('refusals', () => {
  const error = (code: string, more = {}) => ({ schema_version: 1, error: { code, message: 'private words', ...more } })

  test.each<[number, unknown, string, string]>([
    [400, error('invalid_request'), 'invalid_request', 'permanent'],
    [400, error('other'), 'gongbu_api_error', 'permanent'],
    [400, 'not json', 'gongbu_api_error', 'permanent'],
    [401, {}, 'unauthorized', 'permanent'],
    [401, 'no json at all', 'unauthorized', 'permanent'],
    [403, {}, 'forbidden', 'permanent'],
    [404, {}, 'not_found', 'permanent'],
    [408, {}, 'gongbu_unavailable', 'transient'],
    [409, error('immutable_scope_conflict'), 'immutable_scope_conflict', 'permanent'],
    [409, error('other'), 'gongbu_api_error', 'permanent'],
    [418, error('invalid_request'), 'gongbu_api_error', 'permanent'],
    [425, {}, 'gongbu_unavailable', 'transient'],
    [429, {}, 'rate_limited', 'transient'],
    [302, {}, 'gongbu_api_error', 'permanent'],
    [500, error('invalid_request'), 'gongbu_internal_error', 'transient'],
    [503, '', 'gongbu_internal_error', 'transient'],
    [599, '', 'gongbu_internal_error', 'transient'],
  ])('%i %j is %s, %s, on every route', (status, body, code, kind) => {
    const outcome = answer(status, body)
    for (const reply of [
      readExecution(outcome, asked),
      readExecution(outcome, created),
      readArtifacts(outcome, 'exec-1'),
      readArtifact(outcome),
    ]) {
      expect(reply).toEqual({ kind: 'error', code, class: kind, httpStatus: status })
    }
  })

  test('the status decides when the error body is cut or oversized', () => {
    for (const kind of ['cut', 'too_large'] as const) {
      const outcome = (status: number): HttpOutcome => ({ kind, status, contentType: undefined })
      expect(codeOf(readExecution(outcome(403), asked))).toBe('forbidden')
      expect(codeOf(readExecution(outcome(500), asked))).toBe('gongbu_internal_error')
      expect(codeOf(readExecution(outcome(400), asked))).toBe('gongbu_api_error')
      expect(codeOf(readArtifact(outcome(404)))).toBe('not_found')
    }
    const padded = answer(400, { ...error('invalid_request'), pad: 'x'.repeat(1_048_576) })
    expect(codeOf(readExecution(padded, asked))).toBe('gongbu_api_error')
  })

  test('no connection, no answer: unavailable and transient on every route', () => {
    for (const kind of ['not_connected', 'no_answer'] as const) {
      const unavailable = { kind: 'error', code: 'gongbu_unavailable', class: 'transient' }
      expect(readExecution({ kind }, asked)).toEqual(unavailable)
      expect(readArtifacts({ kind }, 'exec-1')).toEqual(unavailable)
      expect(readArtifact({ kind })).toEqual(unavailable)
    }
    expect(readExecution({ kind: 'cancelled' }, asked)).toEqual({ kind: 'cancelled' })
  })

  const target = { reason_code: 'target_not_selectable', fields: ['workload_type', 'provider', 'adapter', 'model'] }
  const pricing = { reason_code: 'pricing_selector_not_matched', fields: ['input.image_size'] }
  const refused = (more: object, schema_version: unknown = 2) => ({ ...error('invalid_request', more), schema_version })
  const diagnosticOf = (outcome: HttpOutcome, expected = created) => {
    const reply = readExecution(outcome, expected)
    return reply.kind === 'error' ? (reply.diagnostic ?? null) : 'no error'
  }

  test('a create that is not admitted tells one of two diagnostics', () => {
    for (const pair of [target, pricing]) {
      expect(diagnosticOf(answer(400, refused(pair)))).toEqual(pair)
      expect(toToolError({ code: 'invalid_request', diagnostic: pair as never })).toEqual({
        schema_version: 2,
        error: { code: 'invalid_request', message: gongbuErrors.invalid_request.text, ...pair },
      })
    }
  })

  test.each<[string, HttpOutcome, ExpectedExecution]>([
    ['a read', answer(400, refused(target)), asked],
    ['another status', answer(409, refused(target)), created],
    ['another schema version', answer(400, refused(target, 1)), created],
    ['a schema version as text', answer(400, refused(target, '2')), created],
    ['another reason', answer(400, refused({ ...target, reason_code: 'other' })), created],
    ['fields in another order', answer(400, refused({ ...target, fields: [...target.fields].reverse() })), created],
    ['more fields', answer(400, refused({ ...target, fields: [...target.fields, 'x'] })), created],
    ['fields of the other reason', answer(400, refused({ ...target, fields: pricing.fields })), created],
    ['no fields', answer(400, refused({ reason_code: 'target_not_selectable' })), created],
    ['another code', answer(400, { ...refused(target), error: { ...target, code: 'other' } }), created],
  ])('%s tells no diagnostic', (_name, outcome, expected) => {
    expect(diagnosticOf(outcome, expected)).toBe(null)
  })
})

describe('executions', () => {
  test('a body that fits is given whole', () => {
    const body = execution({ schema_version: 1 })
    expect(readExecution(answer(200, body), asked)).toEqual({ kind: 'execution', execution: body })
    const more = execution({ schema_version: 2, timing: { total: 1 } })
    expect(readExecution(answer(201, more), created)).toMatchObject({ kind: 'execution' })
  })

  test.each<[string, unknown]>([
    ['no JSON', 'not-json-gongbu-canary'],
    ['an empty body', ''],
    ['an array', []],
    ['a missing member', { ...execution(), status: undefined }],
    ['an outcome of another type', execution({ outcome: 7 })],
    ['a half failure', execution({ failure: { code: 'x' } })],
    [
      'a further member of the authorization',
      execution({ authorization: { amount_minor: 25, currency: 'USD', more: 1 } }),
    ],
    ['an amount as text', execution({ authorization: { amount_minor: '25', currency: 'USD' } })],
    ['a fraction of an amount', execution({ authorization: { amount_minor: 2.5, currency: 'USD' } })],
    ['another schema version', execution({ schema_version: 2 })],
    ['an unknown status', execution({ status: 'future' })],
    ['over 1 MiB', execution({ outcome: 'x'.repeat(1_048_576) })],
  ])('a 200 with %s is an invalid response', (_name, body) => {
    const reply = readExecution(answer(200, body), asked)
    expect(reply).toEqual({ kind: 'error', code: 'invalid_response', class: 'invalid_response', httpStatus: 200 })
    expect(JSON.stringify(toToolError({ code: 'invalid_response' }))).not.toContain('canary')
  })

  test('a cut, oversized or empty success is an invalid response', () => {
    for (const kind of ['cut', 'too_large'] as const) {
      expect(codeOf(readExecution({ kind, status: 200, contentType: undefined }, asked))).toBe('invalid_response')
    }
    expect(codeOf(readExecution(answer(204, ''), asked))).toBe('invalid_response')
  })

  test('another execution than the one asked for, or bound, is an identity conflict', () => {
    expect(codeOf(readExecution(answer(200, execution({ execution_id: 'exec-2' })), asked))).toBe('identity_conflict')
    const bound = { schemaVersion: 1, operationKey: 'key-1', executionIds: ['exec-1', 'exec-9'] } as const
    expect(codeOf(readExecution(answer(200, execution()), bound))).toBe('identity_conflict')
    const foreign = answer(201, execution({ schema_version: 2, operation_key: 'key-2' }))
    expect(codeOf(readExecution(foreign, created))).toBe('identity_conflict')
  })

  test('the order is shape, key, id, then version, alphabet and status', () => {
    const bound: ExpectedExecution = { schemaVersion: 1, operationKey: 'key-1', executionIds: ['exec-1'] }
    const read = (more: Record<string, unknown>) => codeOf(readExecution(answer(200, execution(more)), bound))
    expect(read({ operation_key: 'key-2', status: 'future' })).toBe('identity_conflict')
    expect(read({ execution_id: 'exec-2', schema_version: 7 })).toBe('identity_conflict')
    expect(read({ operation_key: 'key-2', outcome: 7 })).toBe('invalid_response')
    const unbound = { schemaVersion: 2, executionIds: [] } as const
    expect(codeOf(readExecution(answer(201, execution({ schema_version: 2, execution_id: 'bad/id' })), unbound))).toBe(
      'invalid_response',
    )
  })
})

describe('artifacts', () => {
  const list = { schema_version: 1, execution_id: 'exec-1', artifacts: [artifact()] }

  test('a list of the execution asked for is given', () => {
    expect(readArtifacts(answer(200, list), 'exec-1')).toEqual({ kind: 'artifacts', list })
  })

  test.each<[string, unknown, string]>([
    ['of another execution', { ...list, execution_id: 'exec-2' }, 'identity_conflict'],
    ['with a foreign artifact', { ...list, artifacts: [artifact({ execution_id: 'exec-2' })] }, 'identity_conflict'],
    ['of another version', { ...list, schema_version: 2 }, 'invalid_response'],
    ['without artifacts', { schema_version: 1, execution_id: 'exec-1' }, 'invalid_response'],
    ['with a negative size', { ...list, artifacts: [artifact({ size_bytes: -1 })] }, 'invalid_response'],
    ['that is no object', [], 'invalid_response'],
  ])('a list %s is refused', (_name, body, code) => {
    expect(codeOf(readArtifacts(answer(200, body), 'exec-1'))).toBe(code)
  })

  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

  test('an image is given with its bytes; parameters of the type do not matter', () => {
    for (const type of ['image/png', 'image/png; x=y', 'image/jpeg']) {
      const mediaType = type.split(';')[0]
      expect(readArtifact(answer(200, png, type))).toEqual({ kind: 'artifact', bytes: png, mediaType })
    }
  })

  test('another type, none, a cut or an oversized body is an invalid artifact', () => {
    for (const type of [
      'text/html',
      'image/PNG',
      'image/gif',
      'application/json',
      'image/png ; x',
      '',
      'image/png,image/png',
    ]) {
      expect(codeOf(readArtifact(answer(200, png, type)))).toBe('invalid_artifact')
    }
    const untyped: HttpOutcome = { kind: 'answer', status: 200, contentType: undefined, body: png }
    expect(codeOf(readArtifact(untyped))).toBe('invalid_artifact')
    for (const kind of ['cut', 'too_large'] as const) {
      expect(codeOf(readArtifact({ kind, status: 200, contentType: 'image/png' }))).toBe('invalid_artifact')
    }
  })
})

test('numbers in an execution and in an artifact reach the agent digit for digit', () => {
  const long = (body: object) =>
    JSON.stringify(body).replaceAll('"LONG"', '9223372036854775807').replaceAll('"ODD"', '1.250e+1')
  const read = readExecution(
    answer(200, long(execution({ authorization: { amount_minor: 'LONG', currency: 'USD' } }))),
    asked,
  )
  if (read.kind !== 'execution') throw new Error(read.kind)
  expect(printValue(toPublicExecution(read.execution))).toContain('"amount_minor":9223372036854775807,')
  const artifacts = [artifact({ size_bytes: 'LONG', metadata: { seed: 'LONG', scale: ['ODD', { a: 'ODD' }] } })]
  const listed = readArtifacts(answer(200, long({ schema_version: 1, execution_id: 'exec-1', artifacts })), 'exec-1')
  if (listed.kind !== 'artifacts') throw new Error(listed.kind)
  const shown = printValue(toPublicArtifacts(listed.list))
  expect(shown.match(/9223372036854775807/g)).toHaveLength(2)
  expect(shown).toContain('"scale":[1.250e+1,{"a":1.250e+1}]')
})
