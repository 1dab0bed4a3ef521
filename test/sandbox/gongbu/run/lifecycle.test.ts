import path from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../../src/storage/database.ts'
import { startHarness, type Harness } from '../support/harness.ts'
import type { Fault, HubuCall } from '../support/hubu-stub.ts'

const recoveryDelaysMs = [30_000, 120_000, 600_000]

/** What an ended execution shows, without ids and times. */
function shown(body: Record<string, unknown>) {
  const failure = body.failure as { code: string } | null
  return [body.status, body.outcome, failure?.code ?? null, body.completed_at !== null]
}

const failed = (code: string) => ['failed', code, code, true]
const held = (code: string) => ['reconciliation_required', code, code, false]
const released = ['released', 'recovered_release', null, true]
const succeeded = ['succeeded', 'succeeded', null, true]

/** Lets the automatic recoveries come, one after the other, and waits for the status. */
async function recover(gongbu: Harness, id: string, status: string): Promise<Record<string, unknown>> {
  gongbu.timers.pass(30_000)
  return gongbu.until(id, status)
}

test('a pending execution passes through its statuses in order and its times never move', async () => {
  const steps: string[] = []
  const seen: Record<string, unknown>[] = []
  await using gongbu = await startHarness({
    hooks: {
      async beforeStep(step, id) {
        steps.push(step)
        gongbu.clock.time += 1000
        seen.push((await gongbu.read(id)).body)
      },
    },
  })
  const done = await gongbu.runToEnd('tok-a')
  expect(steps).toEqual(['preflight', 'claim', 'check-claim', 'call-provider', 'store-artifacts', 'settle'])
  expect(seen.map((one) => one.status)).toEqual([
    'pending',
    'preflighting',
    'claimed',
    'executing',
    'executing',
    'settling',
  ])
  for (const one of seen) expect([one.outcome, one.failure, one.completed_at]).toEqual([null, null, null])
  const [pending, ...later] = seen
  expect(pending?.started_at).toBeNull()
  expect(new Set(later.map((one) => one.started_at))).toEqual(new Set(['2031-03-04T05:06:08.000Z']))
  expect(done).toMatchObject({
    created_at: '2031-03-04T05:06:07.000Z',
    started_at: '2031-03-04T05:06:08.000Z',
    completed_at: '2031-03-04T05:06:13.000Z',
    updated_at: '2031-03-04T05:06:13.000Z',
  })
})

test.each<[string, Fault, string]>([
  ['refused with 401', { status: 401 }, 'hubu_request_rejected'],
  ['refused with 499', { status: 499 }, 'hubu_request_rejected'],
  ['answered with 500', { status: 500 }, 'hubu_transport_ambiguous'],
  ['cut', { drop: 'before' }, 'hubu_transport_ambiguous'],
  ['answered without status', { omit: ['status'] }, 'hubu_transport_ambiguous'],
])('a validate that is %s fails the execution before any claim', async (_, fault, code) => {
  await using gongbu = await startHarness()
  gongbu.hubu.fail('validate', fault)
  expect(shown(await gongbu.runToEnd('tok-a'))).toEqual(failed(code))
  expect(gongbu.hubu.names()).toEqual(['resolve', 'validate'])
})

test('what validate says about amount and status is ignored', async () => {
  await using gongbu = await startHarness()
  gongbu.hubu.fail('validate', { patch: { amount_cents: 99, status: 'used' } })
  expect(shown(await gongbu.runToEnd('tok-a'))).toEqual(succeeded)
})

test('a refused claim fails the execution and nothing is made', async () => {
  await using gongbu = await startHarness()
  gongbu.hubu.fail('claim', { status: 409 })
  expect(shown(await gongbu.runToEnd('tok-a'))).toEqual(failed('hubu_request_rejected'))
  expect(gongbu.hubu.names()).toEqual(['resolve', 'validate', 'claim'])
})

test.each<[string, Fault]>([
  ['made and its answer lost', { drop: 'after' }],
  ['never arrived', { drop: 'before' }],
  ['answered without a claim id', { omit: ['claim_id'] }],
])('a claim that was %s is held, claimed again and released, without a provider call', async (_, fault) => {
  await using gongbu = await startHarness({ recoveryDelaysMs })
  gongbu.hubu.fail('claim', fault)
  const first = await gongbu.runToEnd('tok-a')
  expect(shown(first)).toEqual(held('hubu_transport_ambiguous'))
  expect(shown(await recover(gongbu, first.execution_id, 'released'))).toEqual(released)
  expect(gongbu.hubu.names()).toEqual(['resolve', 'validate', 'claim', 'claim', 'release'])
})

test.each<[string, Fault, string]>([
  ['is settled', { patch: { status: 'settled' } }, 'hubu_claim_not_active'],
  ['is of another operation', { patch: { operation_key: 'demo:other' } }, 'hubu_claim_not_active'],
  ['is of another account', { patch: { spend: { account_id: 'aga_other' } } }, 'hubu_claim_not_active'],
  ['is unknown', { status: 404 }, 'hubu_request_rejected'],
  ['cannot be read', { drop: 'before' }, 'hubu_transport_ambiguous'],
])('a claim that %s holds the execution before any attempt, and is released', async (_, fault, code) => {
  await using gongbu = await startHarness({ recoveryDelaysMs })
  gongbu.hubu.fail('inspect', fault)
  const first = await gongbu.runToEnd('tok-a')
  expect(shown(first)).toEqual(held(code))
  expect(shown(await recover(gongbu, first.execution_id, 'released'))).toEqual(released)
  expect((await gongbu.artifacts(first.execution_id)).body.artifacts).toEqual([])
})

test.each<[string, Record<string, unknown>]>([
  ['active', { status: 'active' }],
  ['of another agent', { spend: { agent_id: 'agt_other' } }],
  ['under another id', { claim_id: 'claim-other' }],
  ['in need of reconciliation', { reconciliation_required: true }],
])('a claim that is %s is good enough', async (_, patch) => {
  await using gongbu = await startHarness()
  gongbu.hubu.fail('inspect', { patch })
  expect(shown(await gongbu.runToEnd('tok-a'))).toEqual(succeeded)
})

test.each<[string, Fault]>([
  ['made and its answer lost', { drop: 'after' }],
  ['never arrived', { drop: 'before' }],
  ['answered with 500', { status: 500 }],
])('a settlement that was %s is repeated unchanged', async (_, fault) => {
  await using gongbu = await startHarness({ recoveryDelaysMs })
  gongbu.hubu.fail('settle', fault)
  const first = await gongbu.runToEnd('tok-a')
  expect(shown(first)).toEqual(held('hubu_transport_ambiguous'))
  expect((await gongbu.artifacts(first.execution_id)).body.artifacts).toHaveLength(1)
  expect(shown(await recover(gongbu, first.execution_id, 'succeeded'))).toEqual(succeeded)
  const [one, two] = gongbu.hubu.of('settle')
  expect(gongbu.hubu.of('settle')).toHaveLength(2)
  expect(one?.body).toEqual(two?.body)
})

test('of a settlement only its id is required', async () => {
  await using gongbu = await startHarness()
  gongbu.hubu.fail('settle', { omit: ['spend', 'receipt'], patch: { status: 'odd', claim_id: 'other' } })
  expect(shown(await gongbu.runToEnd('tok-a'))).toEqual(succeeded)
})

test('a settlement that is always refused is repeated by every recovery and never released', async () => {
  await using gongbu = await startHarness({ recoveryDelaysMs })
  gongbu.hubu.fail('settle', ...Array.from({ length: 9 }, () => ({ status: 400 })))
  const first = await gongbu.runToEnd('tok-a')
  expect(shown(first)).toEqual(held('hubu_request_rejected'))
  const delays: number[] = []
  for (let tries = 2; tries <= 4; tries += 1) {
    const delay = gongbu.timers.delays().find((one) => recoveryDelaysMs.includes(one)) ?? 0
    delays.push(delay)
    gongbu.timers.pass(delay)
    await gongbu.eventually(() => gongbu.hubu.of('settle').length >= tries)
    await gongbu.eventually(() => tries === 4 || gongbu.timers.delays().includes(recoveryDelaysMs[tries - 1] ?? 0))
  }
  expect(delays).toEqual(recoveryDelaysMs)
  for (let n = 0; n < 5; n += 1) await gongbu.get('/livez')
  expect(gongbu.timers.delays().filter((one) => recoveryDelaysMs.includes(one))).toEqual([])
  expect(shown((await gongbu.read(first.execution_id)).body)).toEqual(held('hubu_request_rejected'))
  expect(new Set(gongbu.hubu.of('settle').map((call) => JSON.stringify(call.body))).size).toBe(1)
  expect(gongbu.hubu.of('release')).toEqual([])
})

test.each<[string, Record<string, unknown>]>([
  ['a blank prompt', { prompt: ' \n ', image_count: 1 }],
  ['no prompt', { image_count: 1 }],
  ['a prompt of 32001 bytes', { prompt: 'x'.repeat(32_001), image_count: 1 }],
  ['a prompt of 16001 two-byte letters', { prompt: 'é'.repeat(16_001), image_count: 1 }],
  ['an unknown member', { prompt: 'p', image_count: 1, style: 'ink' }],
  ['a list as options', { prompt: 'p', image_count: 1, options: [] }],
  ['a number as size', { prompt: 'p', image_count: 1, image_size: 7 }],
])('an input with %s fails before the claim', async (_, input) => {
  await using gongbu = await startHarness()
  expect(shown(await gongbu.runToEnd('tok-a', { input }))).toEqual(failed('provider_contract_failure'))
  expect(gongbu.hubu.of('claim')).toEqual([])
})

test('how each side ended is kept and not shown', async () => {
  await using gongbu = await startHarness()
  const done = await gongbu.runToEnd('tok-a')
  const database = openDatabase(path.join(gongbu.folder, 'gongbu.sqlite3'))
  const sides = database.prepare('SELECT provider_outcome, artifact_outcome, settlement_outcome FROM executions').get()
  database.close()
  expect(Object.values(sides as object)).toEqual(['succeeded', 'succeeded', 'succeeded'])
  expect(Object.keys(done).sort()).toEqual([
    'authorization',
    'completed_at',
    'created_at',
    'execution_id',
    'failure',
    'operation_key',
    'outcome',
    'schema_version',
    'started_at',
    'status',
    'updated_at',
  ])
})

test('only input schema 1 survives the preflight', async () => {
  await using gongbu = await startHarness()
  const done = await gongbu.runToEnd('tok-a', { input_schema_version: 2 })
  expect(shown(done)).toEqual(failed('provider_contract_failure'))
})

test('a prompt of exactly 32000 bytes and any options are fine', async () => {
  await using gongbu = await startHarness()
  const input = { prompt: 'é'.repeat(16_000), image_count: 1, options: { any: ['thing', 1] } }
  expect(shown(await gongbu.runToEnd('tok-a', { input }))).toEqual(succeeded)
})

test('fifty failures do not stop the next success', async () => {
  await using gongbu = await startHarness()
  const refuse = (call: HubuCall) => gongbu.hubu.fail(call, ...Array.from({ length: 50 }, () => ({ status: 400 })))
  refuse('validate')
  const ends = await Promise.all(Array.from({ length: 50 }, (_, n) => gongbu.runToEnd(`tok-${n}`)))
  expect(new Set(ends.map((one) => one.status))).toEqual(new Set(['failed']))
  expect((await gongbu.get('/readyz')).status).toBe(200)
  expect(shown(await gongbu.runToEnd('tok-good'))).toEqual(succeeded)
})
