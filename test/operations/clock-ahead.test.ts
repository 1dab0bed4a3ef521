// One router's wall clock is hours ahead of everybody else's.
import { expect, test } from 'vitest'
import { createClockWitness, type ClockWitness } from '../../src/timing/clock-witness.ts'
import type { Registry } from '../../src/operations/registry.ts'
import { ask, codex, RegistryFile } from './registry-file.ts'

const hourMs = 3_600_000

/** A registry with a live authorization and a running execution, in the hands of a router that lives 30 hours ahead. */
async function ahead(file: RegistryFile): Promise<{ registry: Registry; witness: ClockWitness; warnings: string[] }> {
  const right = await file.open()
  await authorize(right, 1, new Date(file.now().getTime() + hourMs))
  await authorize(right, 2, new Date(file.now().getTime() + hourMs))
  await right.execution.bind('tok-2', { n: 2 })
  await right.worker.promote()
  right.close()
  const warnings: string[] = []
  file.clockOffsetMs = 30 * hourMs
  const witness = createClockWitness(file.settings.clock, (text) => warnings.push(text), ['hubu'])
  file.witness = witness
  return { registry: await file.open(), witness, warnings }
}

async function authorize(registry: Registry, n: number, ends: Date): Promise<string> {
  const turn = await registry.spend.begin(ask(codex(`c-${n}`), 'hubu_authorize_spend', { n }))
  if (turn.kind !== 'dispatch') throw new Error(turn.kind)
  await registry.spend.record(turn.handle, turn.leaseId, {
    decision: 'allow',
    auth_token_id: `tok-${n}`,
    authorization_expires_at: ends.toISOString(),
  })
  return turn.handle
}

const live = (file: RegistryFile) =>
  file.sql<{ n: number }>('select count(*) as n from harness_operations where auth_token_id is not null')[0]?.n

test.each(['before', 'after'])('it erases and ends nothing that lasts, %s a backend was heard', async (when) => {
  using file = new RegistryFile()
  const { registry, witness, warnings } = await ahead(file)
  if (when === 'after') witness.heard('hubu', file.now().getTime() - 30 * hourMs)
  await registry.spend.begin(ask(codex('c-3'), 'hubu_authorize_spend', {}))
  expect(live(file)).toBe(2)
  expect(await registry.worker.claim(60_000)).toBeNull()
  expect(await registry.worker.claim(0)).toMatchObject({ isOverdue: false })
  const bound = await registry.execution.bind('tok-1', { n: 1 })
  expect(bound.state).toBe('accepted')
  expect(warnings.length).toBe(when === 'after' ? 1 : 0)
})

test('an authorization is not told to be over by a router that cannot know it', async () => {
  using file = new RegistryFile()
  const { registry, witness } = await ahead(file)
  witness.heard('hubu', file.now().getTime() - 30 * hourMs)
  const handle = file.sql<{ operation_handle: string }>(
    "select operation_handle from harness_operations where auth_token_id = 'tok-1'",
  )[0]?.operation_handle
  expect(await registry.execution.status(handle ?? '')).toMatchObject({ state: 'authorized', terminal: false })
})

test('when the first backend is heard, what is over is erased', async () => {
  using file = new RegistryFile()
  const { witness } = await ahead(file)
  witness.heard('hubu', file.now().getTime())
  await file.time.pass(0)
  expect(live(file)).toBe(1)
})
