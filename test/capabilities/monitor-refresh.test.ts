import { expect, test } from 'vitest'
import { createWorld, gongbuNotReady, hubuDown, hubuWell, watchedWorld, type World } from './world.ts'
import { settle } from '../support/fake-clock.ts'

const both = ['hubu', 'gongbu'] as const
const request = (id: unknown) => ({ kind: 'request', id }) as const
const counts = ({ hubu, gongbu }: World) => [hubu.probes, gongbu.probes]
const hubuState = ({ monitor }: World) => monitor.snapshot().backends.hubu.state

/** Whether a promise has settled once everything that needs no time has happened. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  let done = false
  void work.then(() => (done = true))
  await settle()
  return done
}

test('the initial snapshot waits for both reports and no longer', async () => {
  const world = createWorld()
  world.gongbu.held = true
  const first = world.monitor.initialSnapshot()
  expect(await isDone(first)).toBe(false)
  world.gongbu.release()
  const { backends } = await first
  expect([backends.hubu.state, backends.gongbu.state]).toEqual(['available', 'available'])
  expect(counts(world)).toEqual([1, 1])
  expect(world.clock.pending).toBe(0)
})

test('start-up waits 3 s in all, counted from its first probe; what is out is unavailable', async () => {
  const world = createWorld()
  world.hubu.held = true
  world.monitor.begin()
  await world.clock.pass(1000)
  const first = world.monitor.initialSnapshot()
  await world.clock.pass(1999)
  expect(await isDone(first)).toBe(false)
  await world.clock.pass(1)
  const { hubu, gongbu } = (await first).backends
  expect([hubu.state, hubu.reason_code, hubu.product_version]).toEqual(['unavailable', 'health_unavailable', null])
  expect(gongbu.state).toBe('available')
  expect(await isDone(world.monitor.initialSnapshot())).toBe(true)
  expect(counts(world)).toEqual([1, 1])
})

test('a Gongbu that is still out is unavailable with its own reason; nothing configured waits for nothing', async () => {
  const world = createWorld({ configured: ['gongbu'] })
  world.gongbu.held = true
  const first = world.monitor.initialSnapshot(0)
  const { hubu, gongbu } = (await first).backends
  expect([hubu.state, gongbu.state, gongbu.reason_code]).toEqual([
    'unconfigured',
    'unavailable',
    'liveness_unavailable',
  ])
  const bare = createWorld({ configured: [] })
  expect((await bare.monitor.initialSnapshot()).backends.hubu.reason_code).toBe('configuration_missing')
  await bare.monitor.refresh(both)
  bare.monitor.markHubuUnavailable()
  expect(counts(bare)).toEqual([0, 0])
  expect(hubuState(bare)).toBe('unconfigured')
})

test('a call that comes before the first report waits for it instead of being refused', async () => {
  const world = createWorld()
  world.hubu.held = true
  world.monitor.begin()
  const calls = [world.monitor.refreshIfDue(['hubu']), world.monitor.refreshIfDue(['hubu'])]
  expect(await isDone(Promise.race(calls))).toBe(false)
  world.hubu.release()
  await Promise.all(calls)
  expect(hubuState(world)).toBe('available')
  expect(world.hubu.probes).toBe(1)
})

test('right after start-up nothing is due', async () => {
  const world = createWorld()
  await world.monitor.initialSnapshot()
  await world.monitor.refreshIfDue(both)
  await world.clock.pass(999)
  await world.monitor.refreshIfDue(both)
  expect(counts(world)).toEqual([1, 1])
  await world.clock.pass(1)
  await world.monitor.refreshIfDue(['gongbu'])
  expect(counts(world)).toEqual([1, 2])
})

test('a due backend is taken once: the second trigger does not probe the same deadline', async () => {
  const world = createWorld()
  await world.monitor.initialSnapshot()
  await world.clock.pass(1000)
  world.hubu.held = true
  const first = world.monitor.refreshIfDue(['hubu'])
  expect(await isDone(first)).toBe(false)
  // Hubu was available: whoever comes now is served on what is known.
  expect(await isDone(world.monitor.refreshIfDue(['hubu']))).toBe(true)
  world.hubu.release()
  await first
  expect(world.hubu.probes).toBe(2)
})

test('a call that would be refused waits for the probe in flight, and is served by it', async () => {
  const world = createWorld()
  world.hubu.answer = hubuDown
  await world.monitor.initialSnapshot()
  world.hubu.answer = hubuWell
  world.hubu.held = true
  const probing = world.monitor.refresh(['hubu'])
  const call = world.monitor.refreshIfDue(['hubu'])
  expect(await isDone(call)).toBe(false)
  world.hubu.release()
  await Promise.all([probing, call])
  expect([hubuState(world), world.hubu.probes]).toEqual(['available', 2])
})

test('a gated refresh waits for a hanging backend 3 s and no longer', async () => {
  const world = createWorld()
  await world.monitor.initialSnapshot()
  await world.clock.pass(1000)
  world.hubu.held = true
  const list = world.monitor.refreshIfDue(both)
  await world.clock.pass(2999)
  expect(await isDone(list)).toBe(false)
  await world.clock.pass(1)
  expect(await isDone(list)).toBe(true)
})

test('a slow Hubu probe does not delay what needs Gongbu', async () => {
  const world = await watchedWorld()
  world.hubu.held = true
  await world.clock.pass(1000)
  expect(await isDone(world.monitor.refreshIfDue(['gongbu']))).toBe(true)
  expect(await isDone(world.monitor.refresh(['gongbu']))).toBe(true)
})

test('a forced refresh probes at once, whatever the deadline, and sees the change', async () => {
  const world = createWorld()
  await world.monitor.initialSnapshot()
  world.hubu.answer = hubuDown
  await world.monitor.refresh(both)
  const { state, reason_code } = world.monitor.snapshot().backends.hubu
  expect([state, reason_code, ...counts(world)]).toEqual(['unavailable', 'health_unavailable', 2, 2])
})

test('per backend one probe is in flight; forced callers share it and its report', async () => {
  const world = await watchedWorld()
  world.hubu.held = true
  await world.clock.pass(1000)
  const callers = [world.monitor.refresh(both), world.monitor.refresh(['hubu']), world.monitor.refresh(['hubu'])]
  await settle()
  expect(world.hubu.probes).toBe(3)
  world.hubu.answer = hubuDown
  world.hubu.release()
  await Promise.all(callers)
  expect([hubuState(world), world.hubu.probes]).toEqual(['unavailable', 3])
})

test('a probe that throws counts as no answer and is not the last one', async () => {
  const world = createWorld()
  const answer = world.hubu.answer
  Object.defineProperty(world.hubu, 'answer', {
    get: () => {
      throw new Error('probe canary')
    },
    configurable: true,
  })
  await world.monitor.initialSnapshot()
  expect(world.monitor.snapshot().backends.hubu.reason_code).toBe('health_unavailable')
  Object.defineProperty(world.hubu, 'answer', { value: answer })
  await world.monitor.refresh(['hubu'])
  expect(hubuState(world)).toBe('available')
})

test('a call that finds Hubu gone marks it, keeps its versions and counts as a failure', async () => {
  const world = await watchedWorld()
  world.monitor.markHubuUnavailable(request(7))
  expect(world.monitor.snapshot().backends.hubu).toEqual({
    state: 'unavailable',
    product_version: '9.9.9',
    source_commit: 'a'.repeat(40),
    contract_versions: { executor: 'hubu-spend-executor-v4.3' },
    reason_code: 'health_unavailable',
  })
  expect(world.announced).toEqual([request(7)])
  const before = world.hubu.probes
  world.hubu.answer = hubuDown
  await world.clock.pass(1000)
  expect(world.hubu.probes).toBe(before + 1)
  await world.clock.pass(1999)
  expect(world.hubu.probes).toBe(before + 1)
  await world.clock.pass(1)
  expect(world.hubu.probes).toBe(before + 2)
})

test('a mark that brings the next deadline forward wakes the monitor', async () => {
  let jitter = 0.9999
  const world = await watchedWorld({ configured: ['hubu'], random: () => jitter })
  jitter = 0
  world.monitor.markHubuUnavailable()
  const before = world.hubu.probes
  await world.clock.pass(799)
  expect(world.hubu.probes).toBe(before)
  await world.clock.pass(1)
  expect(world.hubu.probes).toBe(before + 1)
})

test('calls that fail together are one failure, not a longer back-off each', async () => {
  const world = await watchedWorld()
  for (let i = 0; i < 64; i++) world.monitor.markHubuUnavailable(request(i))
  expect(world.announced).toEqual([request(0)])
  const before = world.hubu.probes
  await world.clock.pass(1000)
  expect([world.hubu.probes, hubuState(world)]).toEqual([before + 1, 'available'])
})

test('a report that is older than the last applied one is dropped', async () => {
  const world = await watchedWorld()
  world.hubu.held = true
  const probing = world.monitor.refresh(['hubu'])
  await settle()
  world.monitor.markHubuUnavailable()
  world.hubu.release()
  await probing
  // The probe began before the call failed: its good news is stale.
  expect(hubuState(world)).toBe('unavailable')
  expect(world.announced).toHaveLength(1)
  await world.clock.pass(1000)
  expect(hubuState(world)).toBe('available')
  expect(world.announced).toHaveLength(2)
})

test('a call that was sent before a probe began cannot overrule that probe', async () => {
  const world = await watchedWorld()
  const ticket = world.monitor.ticket()
  await world.monitor.refresh(['hubu'])
  world.monitor.markHubuUnavailable(request(1), ticket)
  expect(hubuState(world)).toBe('available')
  world.monitor.markHubuUnavailable(request(2), world.monitor.ticket())
  expect(hubuState(world)).toBe('unavailable')
})

test('a dropped report leaves the watch alive: the next deadline still comes', async () => {
  const world = await watchedWorld({ configured: ['hubu'] })
  world.hubu.held = true
  await world.clock.pass(1000)
  world.monitor.markHubuUnavailable()
  await world.clock.pass(5000)
  world.hubu.release()
  await settle()
  const before = world.hubu.probes
  await world.clock.pass(3000)
  expect(world.hubu.probes).toBeGreaterThan(before)
  expect(hubuState(world)).toBe('available')
})

test('the newest report dates the snapshot; reading it probes nothing', async () => {
  const world = await watchedWorld()
  world.gongbu.answer = gongbuNotReady
  const before = counts(world)
  expect(world.monitor.states().gongbu.state).toBe('available')
  expect(world.monitor.snapshot()).toBe(world.monitor.snapshot())
  expect(counts(world)).toEqual(before)
})
