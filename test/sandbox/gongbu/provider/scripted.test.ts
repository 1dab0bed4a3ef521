import { expect, test } from 'vitest'
import { startHarness, type Harness } from '../support/harness.ts'

const targets = [
  {
    workloadType: 'image_generation',
    provider: 'sandbox',
    adapter: 'fixture',
    model: 'deterministic-image-v1',
    version: 'v1',
    behaviour: 'scripted' as const,
  },
]

/** Runs one script to its first end and gives status, outcome, listed artifacts and settled cents. */
async function run(gongbu: Harness, token: string, options: Record<string, unknown>, image_count = 1) {
  gongbu.hubu.amount(token, image_count)
  const settled = gongbu.hubu.of('settle').length
  const ended = await gongbu.runToEnd(token, { input: { prompt: 'p', image_count, options } })
  const { artifacts } = (await gongbu.artifacts(ended.execution_id)).body
  const receipt = gongbu.hubu.of('settle')[settled]?.body.receipt as Record<string, unknown> | undefined
  return [ended.status, ended.outcome, artifacts.length, receipt?.actual_vendor_cost_cents ?? null]
}

const held = (code: string, listed = 0) => ['reconciliation_required', code, listed, null]
const paid = (images: number, cents = images) => ['succeeded', 'succeeded', images, cents]

const scripts: [string, Record<string, unknown>, number, unknown[]][] = [
  ['a PNG', { images: ['png'] }, 1, paid(1)],
  ['a JPEG', { images: ['jpeg'] }, 1, paid(1)],
  ['bytes after the end', { images: ['trailing'] }, 1, paid(1)],
  ['one of each', { images: ['png', 'jpeg'] }, 2, paid(2)],
  ['the same bytes twice', { images: ['png', 'png'] }, 2, paid(2)],
  ['fewer than authorized', { images: ['png'] }, 3, paid(1)],
  ['a second that is bad', { images: ['png', 'gif-as-png'] }, 2, held('artifact_policy_failure', 1)],
  ['five for four', { images: ['png', 'png', 'png', 'png', 'png'] }, 4, held('artifact_policy_failure', 4)],
  ['two for one', { images: ['png', 'png'] }, 1, held('invalid_provider_usage', 2)],
  ['nothing', { images: [] }, 1, held('invalid_provider_success')],
  ['usage -1', { usage: -1 }, 1, held('invalid_provider_usage', 1)],
  ['usage null', { usage: null }, 1, held('invalid_provider_usage', 1)],
  ['no usage', { usage: 'none' }, 1, held('invalid_provider_success')],
  ['usage 0', { usage: 0 }, 1, held('artifact_count_mismatch', 1)],
  ['usage 2 for one image', { usage: 2 }, 1, held('artifact_count_mismatch', 1)],
  ['a fraction as usage', { usage: 0.5 }, 1, held('artifact_count_mismatch', 1)],
  ['no id', { request: 'none' }, 1, held('invalid_provider_success')],
  ['a blank id', { request: ' \t ' }, 1, held('invalid_provider_success')],
  ['only an operation id', { request: 'none', operation: 'op-1' }, 1, paid(1)],
  ['a price', { amount: 999 }, 1, paid(1)],
  ['a price without currency', { amount: 999, currency: 'none' }, 1, held('invalid_provider_success')],
  ['a negative price', { amount: -1 }, 1, held('invalid_provider_success')],
  [
    'a refusal',
    { outcome: 'release:provider_rejected_http_422' },
    1,
    ['released', 'provider_rejected_http_422', 0, null],
  ],
  ['an unknown outcome', { outcome: 'reconcile:timeout_unknown_outcome' }, 1, held('timeout_unknown_outcome')],
]
test.each(scripts)('a provider that gives %s', async (_, options, count, expected) => {
  await using gongbu = await startHarness({ targets })
  expect(await run(gongbu, 'tok-a', options, count)).toEqual(expected)
})

const refusedKinds = [
  'jpeg-as-png',
  'png-as-jpeg',
  'gif',
  'gif-as-png',
  'upper-type',
  'type-with-parameter',
  'truncated',
  'bad-crc',
  'empty',
  'wide',
  'decoded-too-big',
]
test('bytes that are not what they are declared to be are held', async () => {
  await using gongbu = await startHarness({ targets })
  for (const kind of refusedKinds)
    expect(await run(gongbu, `tok-${kind}`, { images: [kind] }), kind).toEqual(held('artifact_policy_failure'))
})

test('a provider request id is stored once per database', async () => {
  await using gongbu = await startHarness({ targets })
  expect(await run(gongbu, 'tok-a', { request: 'request-1', operation: 'op-1' })).toEqual(paid(1))
  gongbu.hubu.amount('tok-b', 1)
  const input = { prompt: 'p', image_count: 1, options: { request: 'request-1', operation: 'op-1' } }
  const created = await gongbu.create('tok-b', { input })
  await gongbu.eventually(() => gongbu.timers.delays().includes(1000))
  gongbu.timers.pass(1000)
  const ended = await gongbu.ended(created.body.execution_id)
  expect([ended.status, ended.outcome]).toEqual(['reconciliation_required', 'provider_delivery_interrupted'])
  expect(await run(gongbu, 'tok-c', { operation: 'op-1' })).toEqual(paid(1))
})

test('a provider that panics leaves an interrupted delivery, never a second call', async () => {
  await using gongbu = await startHarness({ targets })
  const input = { prompt: 'p', image_count: 1, options: { outcome: 'panic' } }
  const created = await gongbu.create('tok-a', { input })
  await gongbu.eventually(() => gongbu.timers.delays().includes(1000))
  gongbu.timers.pass(1000)
  const ended = await gongbu.ended(created.body.execution_id)
  expect([ended.status, ended.outcome]).toEqual(['reconciliation_required', 'provider_delivery_interrupted'])
})

test('a provider that does not answer in time has an unknown outcome', async () => {
  await using gongbu = await startHarness({ targets })
  const created = await gongbu.create('tok-a', { input: { prompt: 'p', image_count: 1, options: { outcome: 'hang' } } })
  await gongbu.eventually(() => gongbu.timers.delays().includes(270_000))
  gongbu.timers.pass(270_000)
  const ended = await gongbu.ended(created.body.execution_id)
  expect([ended.status, ended.outcome]).toEqual(['reconciliation_required', 'timeout_unknown_outcome'])
})

test('the fixture takes as long as it is told to', async () => {
  await using gongbu = await startHarness({ providerDelayMs: 7000 })
  const created = await gongbu.create('tok-a')
  await gongbu.eventually(() => gongbu.timers.delays().includes(7000))
  expect((await gongbu.read(created.body.execution_id)).body.status).toBe('executing')
  gongbu.timers.pass(7000)
  expect((await gongbu.ended(created.body.execution_id)).status).toBe('succeeded')
})
