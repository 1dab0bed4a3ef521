// A held execution is tried again whatever else fails inside Gongbu meanwhile.
import path from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../../src/storage/database.ts'
import { startHarness, type Harness } from '../support/harness.ts'

const recoveryDelaysMs = [30_000, 120_000]

/** Held because a settlement got no answer. */
async function heldExecution(gongbu: Harness): Promise<string> {
  gongbu.hubu.fail('settle', { status: 503 })
  const { execution_id: id, status } = await gongbu.runToEnd('tok-a')
  expect(status).toBe('reconciliation_required')
  await gongbu.eventually(() => gongbu.timers.delays().includes(recoveryDelaysMs[0] ?? 0))
  return id
}

function execute(gongbu: Harness, sql: string): void {
  const database = openDatabase(path.join(gongbu.folder, 'gongbu.sqlite3'))
  database.exec(sql)
  database.close()
}

const failsOn = (columns: string, table: string) =>
  `CREATE TRIGGER broken BEFORE UPDATE OF ${columns} ON ${table} BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`

test('an attempt whose count cannot be written is made all the same', async () => {
  await using gongbu = await startHarness({ recoveryDelaysMs })
  const id = await heldExecution(gongbu)
  execute(gongbu, failsOn('attempts', 'reconciliations'))
  gongbu.timers.pass(30_000)
  expect((await gongbu.until(id, 'succeeded')).outcome).toBe('succeeded')
})

test('attempts go on while neither their count nor their outcome can be written', async () => {
  await using gongbu = await startHarness({ recoveryDelaysMs })
  const id = await heldExecution(gongbu)
  execute(
    gongbu,
    `${failsOn('attempts', 'reconciliations')}; ${failsOn('status', 'executions').replace('broken', 'b2')}`,
  )
  gongbu.timers.pass(30_000)
  await gongbu.eventually(() => gongbu.timers.delays().includes(120_000))
  execute(gongbu, 'DROP TRIGGER b2')
  gongbu.timers.pass(120_000)
  expect((await gongbu.until(id, 'succeeded')).outcome).toBe('succeeded')
})

test('recovery that cannot note its end starts over instead of ending', async () => {
  await using gongbu = await startHarness({ recoveryDelaysMs: [30_000] })
  gongbu.hubu.fail('settle', { status: 503 }, { status: 503 })
  const { execution_id: id } = await gongbu.runToEnd('tok-a')
  await gongbu.eventually(() => gongbu.timers.delays().includes(30_000))
  execute(gongbu, failsOn('exhausted', 'reconciliations'))
  gongbu.timers.pass(30_000)
  await gongbu.eventually(() => gongbu.timers.delays().includes(1000))
  gongbu.timers.pass(1000)
  await gongbu.eventually(() => gongbu.timers.delays().includes(30_000))
  gongbu.timers.pass(30_000)
  expect((await gongbu.until(id, 'succeeded')).outcome).toBe('succeeded')
})

test('a signal that cannot be marked as served keeps no other signal waiting', async () => {
  await using gongbu = await startHarness({ recoveryDelaysMs })
  const id = await heldExecution(gongbu)
  execute(gongbu, failsOn('served_at', 'operator_actions'))
  gongbu.hubu.fail('settle', { status: 503 }, { status: 503 })
  const signal = (actionId: string, action: string) => ({
    schema_version: 1,
    action_id: actionId,
    action,
    evidence: {},
  })
  expect((await gongbu.reconcile(id, signal('a-1', 'reinspect'))).status).toBe(202)
  expect((await gongbu.reconcile(id, signal('a-2', 'settle'))).status).toBe(202)
  expect((await gongbu.until(id, 'succeeded')).outcome).toBe('succeeded')
})
