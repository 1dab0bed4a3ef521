import { expect, test } from 'vitest'
import type { ExecutionChange } from '../../src/operations/execution-outcome.ts'
import type { Registry } from '../../src/operations/registry.ts'
import { workerLeaseMs, type ClaimedOperation } from '../../src/operations/worker-operations.ts'
import { ask, codex, RegistryFile } from './registry-file.ts'

const requestOf = (n: number) => ({ input: { prompt: `prompt ${n}` }, spend_auth_token_id: `tok-${n}` })

/** An acknowledged operation; its handle. */
async function acknowledged(registry: Registry, n = 1): Promise<string> {
  const turn = await registry.spend.begin(ask(codex(`c-${n}`), 'hubu_authorize_spend', { n }))
  if (turn.kind !== 'dispatch') throw new Error(turn.kind)
  await registry.spend.record(turn.handle, turn.leaseId, { decision: 'allow', auth_token_id: `tok-${n}` })
  await registry.execution.bind(`tok-${n}`, requestOf(n))
  await registry.worker.promote()
  return turn.handle
}

async function claim(registry: Registry, overdueMs = 0): Promise<ClaimedOperation> {
  const claimed = await registry.worker.claim(overdueMs)
  if (claimed === null) throw new Error('nothing to claim')
  return claimed
}

const inProgress: ExecutionChange = { state: 'reconciling', code: 'execution_in_progress', nextInMs: 1000 }
const retry: ExecutionChange = { state: 'queued', code: 'dispatch_retry_pending', nextInMs: 1000, dispatchAttempts: 1 }
const executing = { kind: 'execution', executionId: 'exec-1', status: 'executing', outcome: null } as const

test("a claimed operation is nobody else's for ten seconds, also when its process is gone; then its exact request is", async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await acknowledged(registry)
  const { row } = await claim(registry)
  registry.close()
  const next = await file.open()
  await file.time.pass(9999)
  expect(await next.worker.claim(0)).toBeNull()
  await file.time.pass(1)
  const again = await claim(next)
  expect(again.row.gongbu_request_json).toBe(row.gongbu_request_json)
  expect(again.wasInterrupted).toBe(true)
})

test('of two workers that claim at once exactly one gets the operation', async () => {
  using file = new RegistryFile()
  const registries = [await file.open(), await file.open(), await file.open()]
  await acknowledged(registries[0] as Registry)
  const claims = await Promise.all(registries.map((each) => each.worker.claim(0)))
  expect(claims.filter((one) => one !== null)).toHaveLength(1)
})

test('a worker that lost its lease writes nothing, and nothing fails', async () => {
  using file = new RegistryFile()
  const [slow, fast] = [await file.open(), await file.open()]
  await acknowledged(slow)
  const stale = await claim(slow)
  await file.time.pass(10_000)
  const held = await claim(fast)
  const before = file.row()
  await slow.worker.settle(stale, retry, { kind: 'retryable' })
  await slow.worker.settle(
    stale,
    { state: 'failed', code: 'execution_failed', nextInMs: null },
    { ...executing, status: 'failed' },
  )
  expect(file.row()).toEqual(before)
  await fast.worker.settle(held, inProgress, executing)
  expect(file.row()).toMatchObject({
    operation_state: 'reconciling',
    worker_lease_id: null,
    gongbu_execution_id: 'exec-1',
  })
})

test('every write gives the lease back and sets the next attempt; the request goes when the execution is known', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await acknowledged(registry)
  await registry.worker.settle(await claim(registry), retry, { kind: 'retryable' })
  expect(file.row()).toMatchObject({
    operation_state: 'queued',
    dispatch_attempts: 1,
    worker_lease_id: null,
    worker_lease_expires_at: null,
    next_operation_attempt_at: '2026-11-29T00:00:01.000Z',
    gongbu_request_json: '{"input":{"prompt":"prompt 1"},"spend_auth_token_id":"tok-1"}',
  })
  expect(await registry.worker.claim(0)).toBeNull()
  await file.time.pass(1000)
  const claimed = await claim(registry)
  expect(claimed.wasInterrupted).toBe(false)
  await registry.worker.settle(claimed, inProgress, executing)
  expect(file.row()).toMatchObject({ gongbu_request_json: null, gongbu_status: 'executing', dispatch_attempts: 1 })
})

test('operations are taken in the order in which they were acknowledged', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const handles: string[] = []
  for (let n = 1; n <= 10; n++) {
    handles.push(await acknowledged(registry, n))
    await file.time.pass(5)
  }
  const taken: string[] = []
  for (let n = 1; n <= 10; n++) taken.push((await claim(registry)).row.operation_handle)
  expect(taken).toEqual(handles)
})

test('an earlier attempt goes before a later one, whoever was acknowledged first', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const first = await acknowledged(registry, 1)
  await registry.worker.settle(await claim(registry), { ...retry, nextInMs: 4000 }, { kind: 'retryable' })
  const second = await acknowledged(registry, 2)
  await registry.worker.settle(await claim(registry), { ...retry, nextInMs: 2000 }, { kind: 'retryable' })
  await file.time.pass(5000)
  const taken = [await claim(registry), await claim(registry)]
  expect(taken.map(({ row }) => row.operation_handle)).toEqual([second, first])
})

test('a process without Gongbu takes an operation only when it has been due and free for its whole wait', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await acknowledged(registry)
  await file.time.pass(59_999)
  expect(await registry.worker.claim(60_000)).toBeNull()
  await file.time.pass(1)
  const held = await claim(registry, 60_000)
  await registry.worker.settle(held, { ...retry, nextInMs: 30_000 }, null)
  await file.time.pass(89_999)
  expect(await registry.worker.claim(60_000)).toBeNull()
  await claim(registry)
  await file.time.pass(69_999)
  expect(await registry.worker.claim(60_000)).toBeNull()
  await file.time.pass(1)
  await claim(registry, 60_000)
})

test('a process without Gongbu leaves alone what waits behind another worker, however long', async () => {
  using file = new RegistryFile()
  const [without, busy] = [await file.open(), await file.open()]
  await acknowledged(busy, 1)
  await file.time.pass(5)
  const second = await acknowledged(busy, 2)
  await claim(busy)
  await file.time.pass(61_000)
  await claim(busy)
  expect(await without.worker.claim(60_000)).toBeNull()
  await file.time.pass(10_000)
  expect((await claim(without, 60_000)).row.operation_handle).toBe(second)
})

test('an operation whose deadline is over is due, however far its next attempt is', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await acknowledged(registry)
  await file.time.pass(86_000_000)
  await registry.worker.settle(await claim(registry), { ...retry, nextInMs: 470_000 }, { kind: 'retryable' })
  await file.time.pass(399_999)
  expect(await registry.worker.claim(0)).toBeNull()
  expect((await registry.worker.nextDue())?.toISOString()).toBe('2026-11-30T00:00:00.000Z')
  await file.time.pass(1)
  await claim(registry)
})

test('a next attempt that lies beyond the longest wait was set before the clock went back, and is due now', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await acknowledged(registry)
  await registry.worker.settle(await claim(registry), { ...retry, nextInMs: 470_000 }, { kind: 'retryable' })
  expect(await registry.worker.claim(0)).toBeNull()
  file.clockOffsetMs = -2 * 3_600_000
  await claim(registry)
})

test('the lease of a worker that is gone ends after its time, also when the wall clock was set back', async () => {
  using file = new RegistryFile()
  const [gone, other] = [await file.open(), await file.open()]
  await acknowledged(gone)
  const held = await claim(gone)
  file.clockOffsetMs = -3_600_000
  expect(await other.worker.claim(0)).toBeNull()
  await file.time.pass(workerLeaseMs - 1)
  expect(await other.worker.claim(0)).toBeNull()
  await file.time.pass(1)
  const taken = await claim(other)
  expect(taken.row.operation_handle).toBe(held.row.operation_handle)
  expect(taken.wasInterrupted).toBe(true)
  expect(await gone.worker.claim(0)).toBeNull()
})

test('a wall clock that is set back hides no operation, and a lease holds until its end', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await acknowledged(registry)
  file.clockOffsetMs = -3_600_000
  await claim(registry)
  expect(await registry.worker.claim(0)).toBeNull()
  file.clockOffsetMs = 0
  await claim(registry)
})

test('an execution that belongs to another operation ends this one and is not taken over', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const first = await acknowledged(registry, 1)
  const second = await acknowledged(registry, 2)
  await registry.worker.settle(await claim(registry), inProgress, executing)
  await registry.worker.settle(await claim(registry), inProgress, executing)
  expect(file.row(first)).toMatchObject({ gongbu_execution_id: 'exec-1', operation_state: 'reconciling' })
  expect(file.row(second)).toMatchObject({
    gongbu_execution_id: null,
    gongbu_status: null,
    operation_state: 'failed',
    operation_result_code: 'execution_dispatch_failed',
    gongbu_request_json: null,
  })
})

test('the next due moment is that of the earliest operation that may be claimed; none while none is open', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const due = async () => (await registry.worker.nextDue())?.toISOString() ?? null
  expect(await due()).toBeNull()
  await acknowledged(registry)
  await file.time.pass(500)
  expect(await due()).toBe('2026-11-29T00:00:00.500Z')
  const claimed = await claim(registry)
  expect(await due()).toBe('2026-11-29T00:00:10.500Z')
  await registry.worker.settle(claimed, inProgress, executing)
  expect(await due()).toBe('2026-11-29T00:00:01.500Z')
  await file.time.pass(1000)
  const last = await claim(registry)
  const done = { state: 'succeeded' as const, code: 'execution_succeeded', nextInMs: null }
  await registry.worker.settle(last, done, { ...executing, status: 'succeeded' })
  expect(await due()).toBeNull()
})

test('the time of the last change moves only with what a status shows', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await acknowledged(registry)
  await registry.worker.settle(await claim(registry), inProgress, executing)
  const before = file.row().operation_updated_at
  await file.time.pass(1000)
  await registry.worker.settle(await claim(registry), inProgress, { ...executing, status: 'settling' })
  expect(file.row()).toMatchObject({ gongbu_status: 'settling', operation_updated_at: before })
  await file.time.pass(1000)
  await registry.worker.settle(
    await claim(registry),
    { ...inProgress, code: 'observation_retry_pending', observationFailures: 1 },
    { kind: 'retryable' },
  )
  expect(file.row().operation_updated_at).toBe(file.now().toISOString())
})
