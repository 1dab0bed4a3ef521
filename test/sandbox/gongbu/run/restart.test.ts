// A process that dies at every step, and what the next one makes of it. `restart` closes without waiting for anything, so
// what was under way is lost like in a crash.
import path from 'node:path'
import { expect, test } from 'vitest'
import type { StepKind } from '../../../../src/sandbox/gongbu/run/next-step.ts'
import { openDatabase } from '../../../../src/storage/database.ts'
import { startHarness, type Harness } from '../support/harness.ts'
import type { HubuCall } from '../support/hubu-stub.ts'

const never = new Promise<void>(() => undefined)

/** Starts a run that stops for ever before the given step, and waits until it is there. */
async function stopBefore(step: StepKind, more: Record<string, unknown> = {}, settings = {}) {
  let reached = () => undefined as void
  const there = new Promise<void>((resolve) => (reached = resolve))
  const gongbu = await startHarness({
    ...settings,
    hooks: {
      beforeStep: (kind) => {
        if (kind !== step) return
        reached()
        return never
      },
    },
  })
  const created = await gongbu.create('tok-a', more)
  await there
  return { gongbu, id: created.body.execution_id as string }
}

/** Starts a run whose given Hubu call never gets an answer, and waits until the call is there. */
async function stopIn(call: HubuCall, settings = {}) {
  const gongbu = await startHarness(settings)
  gongbu.hubu.fail(call, { hold: never })
  const created = await gongbu.create('tok-a')
  await gongbu.eventually(() => gongbu.hubu.of(call).length > 0)
  return { gongbu, id: created.body.execution_id as string }
}

const unstopped = { hooks: { beforeStep: () => undefined } }

async function restartAndEnd(gongbu: Harness, id: string): Promise<Record<string, unknown>> {
  await gongbu.restart(unstopped)
  return gongbu.ended(id)
}

test.each<[StepKind, string]>([
  ['preflight', 'pending'],
  ['claim', 'preflighting'],
  ['check-claim', 'claimed'],
  ['call-provider', 'executing'],
  ['store-artifacts', 'executing'],
  ['settle', 'settling'],
])('a process that dies before %s goes on after the restart, each call made once', async (step, status) => {
  const { gongbu, id } = await stopBefore(step)
  await using _ = gongbu
  expect((await gongbu.read(id)).body.status).toBe(status)
  expect(await restartAndEnd(gongbu, id)).toMatchObject({ status: 'succeeded', outcome: 'succeeded', failure: null })
  expect(gongbu.hubu.names()).toEqual(['resolve', 'validate', 'claim', 'inspect', 'settle'])
  expect((await gongbu.artifacts(id)).body.artifacts).toHaveLength(1)
})

test('a process that dies before the release of a refused work releases after the restart', async () => {
  const { gongbu, id } = await stopBefore('release', {}, { faults: { scenario: 'proven_rejection' } })
  await using _ = gongbu
  expect(await restartAndEnd(gongbu, id)).toMatchObject({ status: 'released', outcome: 'mock_provider_rejected' })
  expect(gongbu.hubu.of('release')).toHaveLength(1)
})

test.each<[HubuCall, string[]]>([
  ['validate', ['resolve', 'validate', 'validate', 'claim', 'inspect', 'settle']],
  ['claim', ['resolve', 'validate', 'claim', 'claim', 'inspect', 'settle']],
  ['inspect', ['resolve', 'validate', 'claim', 'inspect', 'inspect', 'settle']],
])('a process that dies while Hubu holds its %s succeeds after the restart', async (call, names) => {
  const { gongbu, id } = await stopIn(call)
  await using _ = gongbu
  expect(await restartAndEnd(gongbu, id)).toMatchObject({ status: 'succeeded' })
  expect(gongbu.hubu.names()).toEqual(names)
})

test('a repeated claim that is refused holds the money, because the first one may have been made', async () => {
  const { gongbu, id } = await stopIn('claim')
  await using _ = gongbu
  gongbu.hubu.fail('claim', { status: 400 })
  expect(await restartAndEnd(gongbu, id)).toMatchObject({
    status: 'reconciliation_required',
    outcome: 'hubu_request_rejected',
  })
  gongbu.timers.pass(30_000)
  expect(await gongbu.until(id, 'released')).toMatchObject({ outcome: 'recovered_release' })
})

test('a process that dies while Hubu settles finds out by repeating the same settlement', async () => {
  const { gongbu, id } = await stopIn('settle')
  await using _ = gongbu
  expect(await restartAndEnd(gongbu, id)).toMatchObject({
    status: 'reconciliation_required',
    outcome: 'settlement_delivery_interrupted',
  })
  gongbu.timers.pass(30_000)
  expect(await gongbu.until(id, 'succeeded')).toMatchObject({ outcome: 'succeeded', failure: null })
  const bodies = gongbu.hubu.of('settle').map((call) => JSON.stringify(call.body))
  expect([bodies.length, new Set(bodies).size]).toEqual([2, 1])
})

test('a process that dies between writing the receipt and sending it settles that receipt', async () => {
  const { gongbu, id } = await stopBefore('settle')
  await using _ = gongbu
  const database = openDatabase(path.join(gongbu.folder, 'gongbu.sqlite3'))
  database
    .prepare(
      'INSERT INTO receipts (receipt_id, execution_id, amount_minor, currency, created_at) VALUES (?, ?, ?, ?, ?)',
    )
    .run(`receipt-${id}`, id, 0, 'USD', '2031-03-04T05:06:07.000Z')
  database.close()
  expect(await restartAndEnd(gongbu, id)).toMatchObject({ status: 'succeeded' })
  expect(gongbu.hubu.of('settle')[0]?.body.receipt).toMatchObject({ actual_vendor_cost_cents: 0 })
})

test('a process that dies between settling and saying so says so', async () => {
  const { gongbu, id } = await stopBefore('settle')
  await using _ = gongbu
  const database = openDatabase(path.join(gongbu.folder, 'gongbu.sqlite3'))
  const at = '2031-03-04T05:06:07.000Z'
  database.prepare(`INSERT INTO receipts VALUES (?, ?, 1, 'USD', ?, ?, ?, 's-1')`).run(`receipt-${id}`, id, at, at, at)
  database.close()
  expect(await restartAndEnd(gongbu, id)).toMatchObject({ status: 'succeeded' })
  expect(gongbu.hubu.of('settle')).toEqual([])
})

test('a process that dies while Hubu releases finds out by repeating the release', async () => {
  const { gongbu, id } = await stopIn('release', { faults: { scenario: 'proven_rejection' } })
  await using _ = gongbu
  expect(await restartAndEnd(gongbu, id)).toMatchObject({
    status: 'reconciliation_required',
    outcome: 'release_delivery_interrupted',
  })
  gongbu.timers.pass(30_000)
  expect(await gongbu.until(id, 'released')).toMatchObject({ outcome: 'recovered_release' })
})

test('a process that dies while the provider works never calls it again', async () => {
  const base = { workloadType: 'image_generation', provider: 'sandbox', adapter: 'fixture' }
  const model = 'deterministic-image-v1'
  await using gongbu = await startHarness({ targets: [{ ...base, model, version: 'v1', behaviour: 'hanging' }] })
  const created = await gongbu.create('tok-a')
  const id = created.body.execution_id
  await gongbu.until(id, 'executing')
  await gongbu.restart()
  const ended = await gongbu.ended(id)
  expect([ended.status, ended.outcome]).toEqual(['reconciliation_required', 'provider_delivery_interrupted'])
  for (const delay of [30_000, 120_000, 600_000]) gongbu.timers.pass(delay)
  expect((await gongbu.read(id)).body).toEqual(ended)
  expect(gongbu.hubu.names()).toEqual(['resolve', 'validate', 'claim', 'inspect'])
})

test('a target whose revision changed is not executed', async () => {
  const { gongbu, id } = await stopBefore('call-provider')
  await using _ = gongbu
  const base = { workloadType: 'image_generation', provider: 'sandbox', adapter: 'fixture' }
  const model = 'deterministic-image-v1'
  await gongbu.restart({ ...unstopped, targets: [{ ...base, model, version: 'v1', behaviour: 'scripted' }] })
  expect(await gongbu.ended(id)).toMatchObject({ status: 'released', outcome: 'provider_target_mismatch' })
})

test('an execution runs on the revision that it was admitted with, though another is active now', async () => {
  const { gongbu, id } = await stopBefore('preflight')
  await using _ = gongbu
  const base = { workloadType: 'image_generation', provider: 'sandbox', adapter: 'fixture' }
  const model = 'deterministic-image-v1'
  await gongbu.restart({
    ...unstopped,
    targets: [
      { ...base, model, version: 'v1', behaviour: 'fixture', active: false },
      { ...base, model, version: 'v2', behaviour: 'hanging' },
    ],
  })
  expect(await gongbu.ended(id)).toMatchObject({ status: 'succeeded' })
  await gongbu.restart({ ...unstopped, targets: [{ ...base, model, version: 'v2', behaviour: 'fixture' }] })
  expect((await gongbu.runToEnd('tok-b')).status).toBe('succeeded')
})

test('a target that is gone fails before the claim', async () => {
  const { gongbu, id } = await stopBefore('preflight')
  await using _ = gongbu
  await gongbu.restart({ ...unstopped, targets: [] })
  expect(await gongbu.ended(id)).toMatchObject({ status: 'failed', outcome: 'provider_target_unavailable' })
})

test('a process that is asked to stop lets a running step finish', async () => {
  const gongbu = await startHarness({ drainMs: 60_000 })
  await using _ = gongbu
  let open = () => undefined as void
  const hold = new Promise<void>((resolve) => (open = resolve))
  gongbu.hubu.fail('inspect', { hold })
  const created = await gongbu.create('tok-a')
  await gongbu.eventually(() => gongbu.hubu.of('inspect').length > 0)
  const stopped = gongbu.restart()
  open()
  await stopped
  expect(await gongbu.ended(created.body.execution_id)).toMatchObject({ status: 'succeeded' })
  expect(gongbu.hubu.names()).toEqual(['resolve', 'validate', 'claim', 'inspect', 'settle'])
})

test('a step that fails inside Gongbu is delivered again a second later, from the stored state', async () => {
  let failures = 2
  await using gongbu = await startHarness({
    hooks: {
      beforeStep: (step) => {
        if (step === 'store-artifacts' && failures-- > 0) throw new Error('the step broke')
      },
    },
  })
  const created = await gongbu.create('tok-a')
  for (const delay of [1000, 2000]) {
    await gongbu.eventually(() => gongbu.timers.delays().includes(delay))
    gongbu.timers.pass(delay)
  }
  expect(await gongbu.ended(created.body.execution_id)).toMatchObject({ status: 'succeeded' })
})
