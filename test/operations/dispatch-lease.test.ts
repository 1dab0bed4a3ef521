import { expect, test } from 'vitest'
import type { Registry } from '../../src/operations/registry.ts'
import { ask, codex, RegistryFile } from './registry-file.ts'

const args = { account_id: 'account-1', amount_cents: 25, reason: 'test' }
const begin = (registry: Registry, seen?: { recordedAt: string | null }) =>
  registry.spend.begin(ask(codex('c-1'), 'hubu_submit_spend', args), seen)

async function dispatch(registry: Registry) {
  const turn = await begin(registry)
  if (turn.kind !== 'dispatch') throw new Error(turn.kind)
  return turn
}

test('a dispatch belongs to whoever renews it, and to the next when its owner is silent for three seconds', async () => {
  using file = new RegistryFile()
  const [owner, other] = [await file.open(), await file.open()]
  const { handle, leaseId, operationKey } = await dispatch(owner)
  for (let i = 0; i < 5; i++) {
    await file.time.pass(2000)
    expect((await begin(other)).kind).toBe('busy')
    await owner.spend.renew(handle, leaseId)
  }
  await file.time.pass(2999)
  expect((await begin(other)).kind).toBe('busy')
  await file.time.pass(1)
  expect(await begin(other)).toMatchObject({ kind: 'dispatch', handle, operationKey, isRepeated: true })
})

test('an owner that lost its dispatch can neither renew nor release it', async () => {
  using file = new RegistryFile()
  const [owner, other, third] = [await file.open(), await file.open(), await file.open()]
  const lost = await dispatch(owner)
  await file.time.pass(3000)
  const held = await dispatch(other)
  await owner.spend.renew(lost.handle, lost.leaseId)
  await owner.spend.release(lost.handle, lost.leaseId)
  expect(file.row().worker_lease_id).toBe(held.leaseId)
  expect((await begin(third)).kind).toBe('busy')
})

test('a late result of a lost owner is stored all the same, and the present owner keeps its dispatch', async () => {
  using file = new RegistryFile()
  const [owner, other] = [await file.open(), await file.open()]
  const lost = await dispatch(owner)
  await file.time.pass(3000)
  const held = await dispatch(other)
  await owner.spend.record(lost.handle, lost.leaseId, { decision: 'allow', auth_token_id: 'tok-1' })
  expect(file.row()).toMatchObject({ decision: 'allow', worker_lease_id: held.leaseId })
  const answer = await other.spend.record(held.handle, held.leaseId, { decision: 'needs_approval' })
  expect(JSON.parse(answer)).toMatchObject({ decision: 'allow' })
  expect(file.row().worker_lease_id).toBeNull()
})

test('a pending result answers only a delivery that waited for it; a new one asks Hubu again', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const first = await dispatch(registry)
  const waiting = await begin(registry)
  if (waiting.kind !== 'busy') throw new Error(waiting.kind)
  const seen = { recordedAt: waiting.recordedAt }
  expect(await registry.spend.look(first.handle, seen)).toEqual({ isBusy: true, news: null })
  await file.time.pass(100)
  const result = await registry.spend.record(first.handle, first.leaseId, { decision: 'needs_approval' })
  expect(await registry.spend.look(first.handle, seen)).toEqual({ isBusy: false, news: result })
  expect(await begin(registry, seen)).toMatchObject({ kind: 'stored', result, earlierAt: null, joinedAt: null })
  const second = await dispatch(registry)
  expect(second.recordedAt).toBe(file.now().toISOString())
  expect(await registry.spend.look(first.handle, { recordedAt: second.recordedAt })).toEqual({
    isBusy: true,
    news: null,
  })
})

test('a lease from a time that the wall clock has not reached binds nobody', async () => {
  using file = new RegistryFile()
  const [owner, other] = [await file.open(), await file.open()]
  await dispatch(owner)
  file.clockOffsetMs = -3_600_000
  expect((await begin(other)).kind).toBe('dispatch')
})

test('an acknowledgement ends a dispatch that is still under way, so that the worker need not wait for it', async () => {
  using file = new RegistryFile()
  const [owner, other] = [await file.open(), await file.open()]
  const start = async (registry: Registry) => {
    const turn = await registry.spend.begin(ask(codex('c-1'), 'hubu_authorize_spend', args))
    if (turn.kind !== 'dispatch') throw new Error(turn.kind)
    return turn
  }
  const lost = await start(owner)
  await file.time.pass(3000)
  const held = await start(other)
  await owner.spend.record(lost.handle, lost.leaseId, { decision: 'allow', auth_token_id: 'tok-1' })
  expect(file.row().worker_lease_id).toBe(held.leaseId)
  await owner.execution.bind('tok-1', { model: 'm' })
  expect(file.row().worker_lease_id).toBeNull()
  await other.spend.renew(held.handle, held.leaseId)
  expect(file.row().worker_lease_expires_at).toBeNull()
  await owner.worker.promote()
  expect(await owner.worker.claim(0)).not.toBeNull()
})

test('no worker claims a row that has no adapter state, whatever its lease says', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await dispatch(registry)
  await file.time.pass(86_400_000)
  await registry.worker.promote()
  expect(await registry.worker.claim(0)).toBeNull()
  expect(await registry.worker.nextDue()).toBeNull()
})
