import { expect, test } from 'vitest'
import type { Registry } from '../../src/operations/registry.ts'
import { ask, codex, RegistryFile } from './registry-file.ts'

const request = { input: { prompt: 'circle' }, spend_auth_token_id: 'tok-1', model: 'm' }
const canonical = '{"input":{"prompt":"circle"},"model":"m","spend_auth_token_id":"tok-1"}'

/** An operation with this result; the handle. */
async function decided(
  registry: Registry,
  callId: string,
  tool: 'hubu_authorize_spend' | 'hubu_submit_spend',
  result: object,
) {
  const turn = await registry.spend.begin(ask(codex(callId), tool, { callId }))
  if (turn.kind !== 'dispatch') throw new Error(turn.kind)
  await registry.spend.record(turn.handle, turn.leaseId, result as Record<string, unknown>)
  return turn.handle
}

const allow = (registry: Registry, callId = 'c-1', more: object = {}) =>
  decided(registry, callId, 'hubu_authorize_spend', { decision: 'allow', auth_token_id: 'tok-1', ...more })

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'bound',
    (error: { code?: string }) => error.code,
  )

test('binding stores the canonical request, the deadline and the acknowledgement in one commit', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const handle = await allow(registry)
  await file.time.pass(5000)
  const status = await registry.execution.bind('tok-1', request)
  expect(status).toMatchObject({
    state: 'accepted',
    terminal: false,
    replacement_safe: false,
    execution_id: null,
    result: null,
  })
  expect(file.row(handle)).toMatchObject({
    gongbu_request_json: canonical,
    operation_state: 'accepted',
    gongbu_create_started_at: '2026-11-29T00:00:05.000Z',
    operation_deadline_at: '2026-11-30T00:00:05.000Z',
    operation_updated_at: '2026-11-29T00:00:05.000Z',
    next_operation_attempt_at: null,
  })
  expect(file.row(handle).gongbu_request_hash).toMatch(/^sha256:[0-9a-f]{64}$/)
})

test('the same intent again changes nothing, in any key order, and another one is refused', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await allow(registry)
  await registry.execution.bind('tok-1', request)
  const before = file.row()
  await file.time.pass(5000)
  const { model, ...rest } = request
  expect(await registry.execution.bind('tok-1', { model, ...rest })).toMatchObject({ state: 'accepted' })
  expect(await codeOf(registry.execution.bind('tok-1', { ...request, model: 'other' }))).toBe(
    'continuation_intent_conflict',
  )
  expect(await codeOf(registry.execution.bind('tok-1', { ...request, extra: null }))).toBe(
    'continuation_intent_conflict',
  )
  expect(file.row()).toEqual(before)
})

test('only a live allowance of hubu_authorize_spend can be continued', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await decided(registry, 'submitted', 'hubu_submit_spend', { decision: 'allow', auth_token_id: 'tok-s' })
  await decided(registry, 'pending', 'hubu_authorize_spend', { decision: 'needs_approval', auth_token_id: 'tok-p' })
  await decided(registry, 'denied', 'hubu_authorize_spend', { decision: 'deny', auth_token_id: 'tok-d' })
  const soon = new Date(file.now().getTime() + 1000).toISOString()
  const expiring = await allow(registry, 'expiring', { auth_token_id: 'tok-e', authorization_expires_at: soon })
  const bind = (token: string) => codeOf(registry.execution.bind(token, request))
  expect(await bind('nope')).toBe('continuation_unknown')
  expect(await bind('tok-s')).toBe('continuation_not_authorization')
  expect(await bind('tok-p')).toBe('continuation_not_executable')
  expect(await bind('tok-d')).toBe('continuation_not_executable')
  await file.time.pass(1000)
  expect(await bind('tok-e')).toBe('continuation_unknown')
  expect(await registry.execution.status(expiring)).toMatchObject({
    state: 'failed',
    result: { code: 'authorization_continuation_unavailable' },
  })
  expect(file.sql('select * from harness_operations where operation_state is not null')).toEqual([])
})

test('a row that lost its private key cannot be executed', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await allow(registry)
  file.sql('update harness_operations set operation_key = null')
  expect(await codeOf(registry.execution.bind('tok-1', request))).toBe('continuation_not_executable')
})

test('a request may have 1 MiB of canonical text and not a byte more', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const handle = await allow(registry)
  const room = 1_048_576 - '{"pad":""}'.length
  expect(await codeOf(registry.execution.bind('tok-1', { pad: 'x'.repeat(room + 1) }))).toBe(
    'execution_request_too_large',
  )
  expect(await codeOf(registry.execution.bind('tok-1', { pad: `${'x'.repeat(room - 1)}é` }))).toBe(
    'execution_request_too_large',
  )
  expect(file.row(handle).gongbu_request_hash).toBeNull()
  expect(await codeOf(registry.execution.bind('tok-1', { pad: 'x'.repeat(room) }))).toBe('bound')
})

test('an acknowledged authorization outlives its expiry: the exact create finds its operation after any restart', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const soon = new Date(file.now().getTime() + 1000).toISOString()
  const handle = await allow(registry, 'c-1', { authorization_expires_at: soon })
  await registry.execution.bind('tok-1', request)
  await file.time.pass(3_600_000)
  const again = await (await file.open()).execution.bind('tok-1', request)
  expect(again).toMatchObject({ operation_handle: handle, state: 'accepted' })
})

/** An operation whose execution the worker follows. */
async function followed(file: RegistryFile, registry: Registry) {
  const handle = await allow(registry)
  await registry.execution.bind('tok-1', request)
  await registry.worker.promote()
  const claimed = await registry.worker.claim(0)
  if (claimed === null) throw new Error('nothing to claim')
  const change = { state: 'reconciling' as const, code: 'execution_in_progress', nextInMs: 1000 }
  await registry.worker.settle(claimed, change, {
    kind: 'execution',
    executionId: 'exec-1',
    status: 'executing',
    outcome: null,
  })
  return handle
}

test('a direct read moves an open operation on, but neither counters nor schedule', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const handle = await followed(file, registry)
  const before = file.row()
  await file.time.pass(500)
  await registry.execution.recordRead(handle, {
    executionId: 'exec-1',
    status: 'reconciliation_required',
    outcome: 'unsure',
  })
  expect(file.row()).toEqual({
    ...before,
    gongbu_status: 'reconciliation_required',
    gongbu_outcome: 'unsure',
    gongbu_result_recorded_at: file.now().toISOString(),
    operation_result_code: 'provider_outcome_ambiguous',
    operation_updated_at: file.now().toISOString(),
  })
})

test('a direct read that sees nothing new leaves the time of the last change alone', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const handle = await followed(file, registry)
  const before = file.row().operation_updated_at
  await file.time.pass(500)
  await registry.execution.recordRead(handle, { executionId: 'exec-1', status: 'settling', outcome: null })
  expect(file.row()).toMatchObject({ gongbu_status: 'settling', operation_updated_at: before })
})

test('a direct read that sees the end closes the operation, and a worker that holds an older answer loses', async () => {
  using file = new RegistryFile()
  const [registry, reader] = [await file.open(), await file.open()]
  const handle = await followed(file, registry)
  await file.time.pass(1000)
  const claimed = await registry.worker.claim(0)
  if (claimed === null) throw new Error('nothing to claim')
  await reader.execution.recordRead(handle, { executionId: 'exec-1', status: 'succeeded', outcome: 'made' })
  expect(file.row()).toMatchObject({
    worker_lease_id: null,
    next_operation_attempt_at: null,
    operation_state: 'succeeded',
  })
  const before = file.row()
  const late = { state: 'reconciling' as const, code: 'execution_in_progress', nextInMs: 1000 }
  await registry.worker.settle(claimed, late, {
    kind: 'execution',
    executionId: 'exec-1',
    status: 'executing',
    outcome: null,
  })
  expect(file.row()).toEqual(before)
})

test('a terminal operation stays what it is; only what Gongbu ended with is mirrored', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const handle = await followed(file, registry)
  await registry.execution.recordRead(handle, { executionId: 'exec-1', status: 'failed', outcome: null })
  const before = file.row()
  await file.time.pass(1000)
  for (const status of ['pending', 'executing', 'reconciliation_required'] as const)
    await registry.execution.recordRead(handle, { executionId: 'exec-1', status, outcome: null })
  expect(file.row()).toEqual(before)
  await registry.execution.recordRead(handle, { executionId: 'exec-1', status: 'succeeded', outcome: 'made' })
  const after = file.row()
  expect(after).toMatchObject({ operation_state: 'failed', gongbu_status: 'succeeded', gongbu_outcome: 'made' })
  expect(after.operation_updated_at).toBe(before.operation_updated_at)
})

test('a read of another execution records nothing', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const handle = await followed(file, registry)
  const before = file.row()
  await registry.execution.recordRead(handle, { executionId: 'exec-2', status: 'succeeded', outcome: null })
  await registry.execution.recordRead('hubu:public-operation:v1:none', {
    executionId: 'exec-1',
    status: 'succeeded',
    outcome: null,
  })
  expect(file.row()).toEqual(before)
  expect(await registry.execution.findByExecution('exec-2')).toBeNull()
  expect(await registry.execution.findByExecution('exec-1')).toMatchObject({ handle })
})
