import { believed } from '../support/believed-clock.ts'
import { expect, test } from 'vitest'
import { createCleanup } from '../../src/operations/cleanup.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { ask, codex, RegistryFile } from './registry-file.ts'

test('a sweep leaves an id alone that was renewed since it looked', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const turn = await registry.spend.begin(ask(codex('c-1'), 'hubu_authorize_spend', {}))
  if (turn.kind !== 'dispatch') throw new Error(turn.kind)
  const over = '2026-11-28T00:00:00.000Z'
  const [pending, allow] = [{ decision: 'needs_approval' }, { decision: 'allow' }]
  await registry.spend.record(turn.handle, turn.leaseId, {
    ...pending,
    auth_token_id: 'tok-1',
    authorization_expires_at: over,
  })
  const database = openDatabase(file.path)
  const transact = async <T>(work: () => T) => {
    const renewed = { ...allow, auth_token_id: 'tok-2', authorization_expires_at: '2099-01-01T00:00:00.000Z' }
    await registry.spend.record(turn.handle, turn.leaseId, renewed)
    return work()
  }
  const read = <T>(work: () => T) => Promise.resolve(work())
  const clock = { nowMs: () => file.now().getTime(), monotonicMs: () => 0 }
  await createCleanup(database, { transact, read }, clock, believed(clock)).sweep()
  database.close()
  expect(file.row().auth_token_id).toBe('tok-2')
  expect(file.row().result_json).toContain('tok-2')
})
