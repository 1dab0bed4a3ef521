// The faults of the mock Hubu and the provider: first result, and what becomes of it after every kind of recovery.
import { expect, test } from 'vitest'
import type { GongbuSettings } from '../../../../src/sandbox/gongbu/server.ts'
import { startHarness, type Harness } from '../support/harness.ts'

type Faults = NonNullable<GongbuSettings['faults']>

const startMocked = (faults: Faults = {}, settings: GongbuSettings = {}) =>
  startHarness({ mockHubu: {}, faults, ...settings }, { hubu: { url: '', token: '' } })

/** Lets all three automatic recoveries come and gives what the execution shows then. */
async function recovered(gongbu: Harness, id: string) {
  for (const delay of [30_000, 120_000, 600_000]) {
    gongbu.timers.pass(delay)
    for (let n = 0; n < 3; n += 1) await gongbu.get('/livez')
  }
  return (await gongbu.read(id)).body
}

const held = 'reconciliation_required'
const knobs: [Faults, string, string, string, string, number][] = [
  [{}, 'succeeded', 'succeeded', 'succeeded', 'succeeded', 1],
  [{ claim: 'proven_before_mutation' }, 'failed', 'mock_hubu_claim_rejected', 'failed', 'mock_hubu_claim_rejected', 0],
  [{ claim: 'commit_then_disconnect' }, held, 'mock_hubu_claim_disconnect', 'released', 'recovered_release', 0],
  [
    { settle: 'proven_before_mutation' },
    held,
    'mock_hubu_settlement_rejected',
    held,
    'mock_hubu_settlement_rejected',
    1,
  ],
  [{ settle: 'commit_then_disconnect' }, held, 'mock_hubu_settlement_disconnect', 'succeeded', 'succeeded', 1],
  [
    { scenario: 'proven_rejection', release: 'proven_before_mutation' },
    held,
    'mock_hubu_release_rejected',
    held,
    'mock_hubu_release_rejected',
    0,
  ],
  [
    { scenario: 'proven_rejection', release: 'commit_then_disconnect' },
    held,
    'mock_hubu_release_disconnect',
    'released',
    'recovered_release',
    0,
  ],
  [{ scenario: 'proven_rejection' }, 'released', 'mock_provider_rejected', 'released', 'mock_provider_rejected', 0],
  [
    { execution: 'proven_before_mutation' },
    'released',
    'mock_provider_rejected',
    'released',
    'mock_provider_rejected',
    0,
  ],
  [
    { scenario: 'timeout_ambiguous' },
    held,
    'mock_provider_delivery_ambiguous',
    held,
    'mock_provider_delivery_ambiguous',
    0,
  ],
  [
    { execution: 'commit_then_disconnect' },
    held,
    'mock_provider_delivery_ambiguous',
    held,
    'mock_provider_delivery_ambiguous',
    0,
  ],
  [
    { scenario: 'malformed_response' },
    held,
    'mock_provider_malformed_response',
    held,
    'mock_provider_malformed_response',
    0,
  ],
  [
    { artifact: 'proven_before_mutation' },
    held,
    'mock_artifact_persistence_failed',
    held,
    'mock_artifact_persistence_failed',
    0,
  ],
  [
    { artifact: 'commit_then_disconnect' },
    held,
    'mock_artifact_persistence_disconnect',
    held,
    'mock_artifact_persistence_disconnect',
    1,
  ],
]
test.each(knobs)('%o gives %s, %s, and after recovery %s, %s', async (faults, status, code, later, outcome, listed) => {
  await using gongbu = await startMocked(faults)
  const first = await gongbu.runToEnd('tok-a')
  expect([first.status, first.outcome]).toEqual([status, code])
  expect(first.failure?.code ?? null).toBe(status === 'failed' || status === held ? code : null)
  expect((await gongbu.artifacts(first.execution_id)).body.artifacts).toHaveLength(listed)
  const last = await recovered(gongbu, first.execution_id)
  expect([last.status, last.outcome]).toEqual([later, outcome])
})

test('the mock authorizes one cent and nothing else', async () => {
  await using gongbu = await startMocked()
  expect((await gongbu.create('tok-a', { input: { prompt: 'p', image_count: 2 } })).status).toBe(400)
  expect((await gongbu.create('tok-a', { input: { prompt: 'p', image_count: 1, image_size: '1k' } })).status).toBe(400)
  expect((await gongbu.create('tok-a')).body.operation_key).toBe('tok-a')
})

test('an authorization that expires before the preflight fails, one that expires after the claim is released', async () => {
  const expiring = { mockHubu: { expiresAt: '2031-03-04T05:10:00.000Z' } }
  const passing = (wanted: string): GongbuSettings => ({
    ...expiring,
    hooks: {
      beforeStep: (step) => {
        if (step === wanted) clock.time = Date.parse('2031-03-04T05:10:00.000Z')
      },
    },
  })
  let clock = { time: 0 }
  await using early = await startMocked({}, passing('preflight'))
  clock = early.clock
  expect(await early.runToEnd('tok-a')).toMatchObject({ status: 'failed', outcome: 'mock_hubu_authorization_expired' })
  await using late = await startMocked({}, passing('check-claim'))
  clock = late.clock
  const first = await late.runToEnd('tok-a')
  expect(first).toMatchObject({ status: held, outcome: 'mock_hubu_authorization_expired' })
  expect(await recovered(late, first.execution_id)).toMatchObject({ status: 'released', outcome: 'recovered_release' })
})

test('the claims of the mock survive a restart', async () => {
  await using gongbu = await startMocked({ settle: 'commit_then_disconnect' })
  const first = await gongbu.runToEnd('tok-a')
  await gongbu.restart()
  expect(await recovered(gongbu, first.execution_id)).toMatchObject({ status: 'succeeded' })
})

test('faults of Hubu need the mock, and scenario and execution fault exclude each other', async () => {
  await expect(startHarness({ faults: { claim: 'commit_then_disconnect' } })).rejects.toThrow(/mock/)
  await expect(startMocked({ scenario: 'proven_rejection', execution: 'commit_then_disconnect' })).rejects.toThrow(
    /exclude/,
  )
})
