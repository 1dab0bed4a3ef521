// One execution at a time is made to fail, by its own prompt or by a rule.
import { expect, test } from 'vitest'
import type { GongbuSettings } from '../../../../src/sandbox/gongbu/server.ts'
import { collectWarnings } from '../../../support/warnings.ts'
import { startHarness, type Harness } from '../support/harness.ts'

const admin = 'admin-token'
const startMocked = (settings: GongbuSettings = {}) =>
  startHarness({ mockHubu: {}, promptMarkers: true, ...settings }, { hubu: { url: '', token: '' }, adminToken: admin })

const prompted = (prompt: string) => ({ input: { prompt, image_count: 1 } })

async function firstRecovery(gongbu: Harness, id: string) {
  gongbu.timers.pass(30_000)
  for (let n = 0; n < 3; n += 1) await gongbu.get('/livez')
  return (await gongbu.read(id)).body
}

const held = 'reconciliation_required'
test.each<[string, string, string, string, number]>([
  ['[[sandbox: rejected]]', 'released', 'mock_provider_rejected', 'released', 0],
  ['[[sandbox: reconciliation]]', held, 'mock_provider_delivery_ambiguous', held, 0],
  ['[[sandbox: malformed]]', held, 'mock_provider_malformed_response', held, 0],
  ['[[sandbox: artifact failed]]', held, 'mock_artifact_persistence_failed', held, 0],
  ['[[sandbox: artifact lost]]', held, 'mock_artifact_persistence_disconnect', held, 1],
  ['[[sandbox: claim rejected]]', 'failed', 'mock_hubu_claim_rejected', 'failed', 0],
  ['[[sandbox: claim lost]]', held, 'mock_hubu_claim_disconnect', 'released', 0],
  ['[[sandbox: settle rejected]]', held, 'mock_hubu_settlement_rejected', 'succeeded', 1],
  ['[[sandbox: settle lost]]', held, 'mock_hubu_settlement_disconnect', 'succeeded', 1],
  ['[[sandbox: rejected]] [[sandbox: release rejected]]', held, 'mock_hubu_release_rejected', 'released', 0],
  ['[[sandbox: rejected]] [[sandbox: release lost]]', held, 'mock_hubu_release_disconnect', 'released', 0],
  ['[[sandbox: sink]] the boat', 'succeeded', 'succeeded', 'succeeded', 1],
])('the prompt "%s" gives %s, %s, and %s after a recovery', async (prompt, status, code, later, listed) => {
  await using gongbu = await startMocked()
  const first = await gongbu.runToEnd('tok-a', prompted(prompt))
  expect([first.status, first.outcome]).toEqual([status, code])
  expect((await gongbu.artifacts(first.execution_id)).body.artifacts).toHaveLength(listed)
  expect((await firstRecovery(gongbu, first.execution_id)).status).toBe(later)
  expect(await gongbu.runToEnd('tok-b')).toMatchObject({ status: 'succeeded' })
})

test('a slow provider is seen at work for exactly as long as the prompt says', async () => {
  await using gongbu = await startMocked()
  const { execution_id: id } = (await gongbu.create('tok-a', prompted('[[sandbox: slow 3s]]'))).body
  await gongbu.until(id, 'executing')
  await gongbu.eventually(() => gongbu.timers.delays().includes(3000))
  gongbu.timers.pass(2999)
  expect((await gongbu.read(id)).body.status).toBe('executing')
  gongbu.timers.pass(1)
  await gongbu.until(id, 'succeeded')
})

test('a provider that hangs is given up at the deadline', async () => {
  await using gongbu = await startMocked()
  const { execution_id: id } = (await gongbu.create('tok-a', prompted('[[sandbox: hang]]'))).body
  await gongbu.eventually(() => gongbu.timers.delays().includes(270_000))
  gongbu.timers.pass(270_000)
  expect(await gongbu.until(id, held)).toMatchObject({ outcome: 'timeout_unknown_outcome' })
})

test('a dozen executions at their providers at once are nothing that Node warns of', async () => {
  using warnings = collectWarnings()
  await using gongbu = await startMocked()
  for (let n = 0; n < 12; n++) await gongbu.create(`tok-${n}`, prompted('[[sandbox: hang]]'))
  await gongbu.eventually(() => gongbu.timers.delays().filter((ms) => ms === 270_000).length === 12)
  expect(await warnings.seen()).toEqual([])
})

test('the marker is in the stored input, so it holds after a restart', async () => {
  let reach = () => {}
  const reached = new Promise<void>((resolve) => (reach = resolve))
  await using gongbu = await startMocked({
    hooks: {
      beforeStep: (step) => {
        if (step !== 'claim') return
        reach()
        return new Promise<void>(() => undefined)
      },
    },
  })
  const { execution_id: id } = (await gongbu.create('tok-a', prompted('[[sandbox: rejected]]'))).body
  await reached
  await gongbu.restart({ hooks: { beforeStep: () => undefined } })
  expect(await gongbu.ended(id)).toMatchObject({ status: 'released', outcome: 'mock_provider_rejected' })
})

test('without the setting a marker is text like any other', async () => {
  await using gongbu = await startMocked({ promptMarkers: undefined })
  expect(await gongbu.runToEnd('tok-a', prompted('[[sandbox: rejected]]'))).toMatchObject({ status: 'succeeded' })
})

test('a rule meets as many executions as it says, but none that speaks for itself', async () => {
  await using gongbu = await startMocked()
  const faults = [{ name: 'once', kind: 'execution', behaviour: 'artifact lost', times: 1 }]
  const set = await gongbu.send('POST', '/sandbox/faults', { body: { faults }, authorization: `Bearer ${admin}` })
  expect(set.body).toEqual({ faults })
  expect((await gongbu.runToEnd('tok-a', prompted('[[sandbox: rejected]]'))).status).toBe('released')
  expect((await gongbu.runToEnd('tok-b')).outcome).toBe('mock_artifact_persistence_disconnect')
  expect((await gongbu.runToEnd('tok-c')).status).toBe('succeeded')
})
