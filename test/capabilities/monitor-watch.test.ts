import { expect, test } from 'vitest'
import {
  createWorld,
  gongbuDown,
  gongbuNotReady,
  gongbuVersion,
  gongbuWell,
  hubuDown,
  hubuWell,
  json,
  registryDown,
  registryUp,
  watchedWorld,
  type World,
} from './world.ts'
import { FakeClock, settle } from '../support/fake-clock.ts'

const byMonitor = { kind: 'monitor' }
const request = (id: unknown) => ({ kind: 'request', id }) as const

/** Lets Hubu fail until the monitor has seen `n` failures. */
async function failHubu({ hubu, clock }: World, n: number): Promise<void> {
  hubu.answer = hubuDown
  const until = hubu.probes + n
  while (hubu.probes < until) await clock.pass(100)
}

test('nothing is watched and nothing announced before initialized', async () => {
  const world = createWorld()
  await world.monitor.initialSnapshot()
  world.hubu.answer = hubuDown
  await world.clock.pass(10_000)
  await world.monitor.refresh(['hubu', 'gongbu'], request(1))
  world.monitor.markHubuUnavailable()
  expect([world.announced, world.hubu.probes]).toEqual([[], 2])
  world.monitor.start()
  await settle()
  expect(world.announced).toEqual([])
  world.hubu.answer = hubuWell
  await world.clock.pass(300_000)
  expect(world.announced).toEqual([byMonitor])
})

test('a registry that opens late brings its tools in one announcement, and the same state again none', async () => {
  const world = await watchedWorld({ registry: registryDown })
  expect(world.monitor.snapshot().operation_registry).toEqual(registryDown)
  world.monitor.setRegistry({ ...registryDown, reason_code: 'state_unavailable' })
  world.monitor.setRegistry(registryUp)
  world.monitor.setRegistry(registryUp)
  expect(world.announced).toEqual([byMonitor])
  expect(world.monitor.snapshot().operation_registry).toEqual(registryUp)
})

test('initialized probes both at once and takes what they report as the baseline', async () => {
  const world = createWorld()
  await world.monitor.initialSnapshot()
  world.hubu.answer = hubuDown
  world.monitor.start()
  world.monitor.start()
  expect([world.hubu.probes, world.gongbu.probes]).toEqual([2, 2])
  await settle()
  expect([world.monitor.snapshot().backends.hubu.state, world.announced]).toEqual(['unavailable', []])
})

test('who waits for the baseline waits for both reports, at most 250 ms, and not at all before or after', async () => {
  const world = createWorld()
  let settled = 0
  const wait = (maxWaitMs?: number) => void world.monitor.baselineSettled(maxWaitMs).then(() => settled++)
  wait()
  await settle()
  expect(settled).toBe(1)
  await world.monitor.initialSnapshot()
  world.hubu.held = true
  world.monitor.start()
  wait()
  wait(100)
  await world.clock.pass(99)
  expect(settled).toBe(1)
  await world.clock.pass(1)
  expect(settled).toBe(2)
  await world.clock.pass(149)
  expect(settled).toBe(2)
  await world.clock.pass(1)
  expect(settled).toBe(3)
  wait()
  await settle()
  expect(settled).toBe(4)
  expect(world.announced).toEqual([])
})

test('the baseline is there as soon as both have reported', async () => {
  const world = createWorld()
  await world.monitor.initialSnapshot()
  world.hubu.held = true
  world.monitor.start()
  let settled = false
  void world.monitor.baselineSettled().then(() => (settled = true))
  await settle()
  expect(settled).toBe(false)
  world.hubu.release()
  await settle()
  expect(settled).toBe(true)
})

test('a backend that reports after start-up gave up on it is announced when it arrives', async () => {
  const world = createWorld()
  world.hubu.held = true
  const first = world.monitor.initialSnapshot()
  await world.clock.pass(3000)
  expect((await first).backends.hubu.state).toBe('unavailable')
  world.monitor.start()
  await world.clock.pass(2000)
  expect(world.announced).toEqual([])
  world.hubu.release()
  await settle()
  expect([world.announced, world.monitor.snapshot().backends.hubu.state]).toEqual([[byMonitor], 'available'])
})

test('one transition, one announcement: readiness goes and comes', async () => {
  const world = await watchedWorld()
  for (const [i, answer] of [gongbuNotReady, gongbuWell, gongbuNotReady].entries()) {
    world.gongbu.answer = answer
    await world.clock.pass(5000)
    expect(world.announced).toHaveLength(i + 1)
  }
})

test('a change that leaves the catalog alone is not announced', async () => {
  const world = createWorld()
  world.gongbu.answer = { ...gongbuWell, version: json({ ...gongbuVersion, product_version: '9.9.8' }) }
  await world.monitor.initialSnapshot()
  world.monitor.start()
  world.gongbu.answer = gongbuDown
  await world.clock.pass(5000)
  expect([world.monitor.snapshot().backends.gongbu.state, world.announced]).toEqual(['unavailable', []])
})

test('with Hubu down, create is hidden anyway: readiness of Gongbu changes nothing', async () => {
  const world = await watchedWorld()
  await failHubu(world, 1)
  const announced = world.announced.length
  world.gongbu.answer = gongbuNotReady
  await world.clock.pass(3000)
  expect([world.monitor.snapshot().backends.gongbu.state, world.announced.length]).toEqual(['degraded', announced])
})

test('a tool that a missing registry hides anyway is not announced', async () => {
  const world = await watchedWorld({ registry: registryDown })
  world.gongbu.answer = gongbuNotReady
  await world.clock.pass(3000)
  expect([world.monitor.snapshot().backends.gongbu.state, world.announced]).toEqual(['degraded', []])
})

test('lists and calls cause no announcement of their own', async () => {
  const world = await watchedWorld()
  for (let i = 0; i < 50; i++) {
    await world.monitor.refreshIfDue(['hubu', 'gongbu'], request(i))
    await world.clock.pass(300)
  }
  expect(world.announced).toEqual([])
})

test('the request whose probe saw the change is named as its cause; joining one does not change that', async () => {
  const world = await watchedWorld()
  world.hubu.answer = hubuDown
  world.hubu.held = true
  const probing = [world.monitor.refresh(['hubu'], request('a')), world.monitor.refresh(['hubu'], request('b'))]
  await settle()
  world.hubu.release()
  await Promise.all(probing)
  expect(world.announced).toEqual([request('a')])
})

test('a backed-off Hubu is left alone by lists and calls', async () => {
  const world = await watchedWorld()
  await failHubu(world, 4)
  const before = world.hubu.probes
  await world.monitor.refreshIfDue(['hubu', 'gongbu'])
  await world.monitor.refreshIfDue(['hubu'])
  expect([world.hubu.probes, world.monitor.snapshot().backends.hubu.state]).toEqual([before, 'unavailable'])
})

test('the monitor waits twice as long after each failure, and its cap is five minutes', async () => {
  const world = await watchedWorld()
  const from = world.hubu.startedMs.length
  world.hubu.answer = hubuDown
  await world.clock.pass(3_600_000)
  const started = world.hubu.startedMs.slice(from)
  const waits = started.slice(1).map((at, i) => at - (started[i] ?? 0))
  expect(waits.slice(0, 10)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000])
  expect(new Set(waits.slice(9))).toEqual(new Set([300_000]))
})

test('a forced probe that sees recovery ends the back-off, and the monitor follows at once', async () => {
  const world = await watchedWorld()
  await failHubu(world, 8)
  expect(world.announced).toHaveLength(1)
  world.hubu.answer = hubuWell
  await world.monitor.refresh(['hubu', 'gongbu'], request(1))
  expect([world.monitor.snapshot().backends.hubu.state, world.announced.length]).toEqual(['available', 2])
  const before = world.hubu.probes
  await world.clock.pass(1000)
  expect(world.hubu.probes).toBe(before + 1)
})

test('one backend backed off, the other is watched as before', async () => {
  const world = await watchedWorld()
  await failHubu(world, 8)
  const before = world.gongbu.probes
  await world.clock.pass(10_000)
  expect(world.gongbu.probes).toBe(before + 10)
})

test('the state that only a failure is: degraded and incompatible do not back off', async () => {
  const world = await watchedWorld()
  world.gongbu.answer = gongbuNotReady
  await world.clock.pass(10_000)
  const before = world.gongbu.probes
  world.gongbu.answer = { ...gongbuWell, version: json({}) }
  await world.clock.pass(10_000)
  expect(world.gongbu.probes).toBe(before + 10)
})

test('a probe that outlasts the base interval is neither doubled nor polled for', async () => {
  const world = await watchedWorld({ baseIntervalMs: 10 })
  world.hubu.held = true
  world.gongbu.held = true
  await world.clock.pass(10)
  const before = [world.hubu.probes, world.gongbu.probes]
  await world.clock.pass(9000)
  expect([world.hubu.probes, world.gongbu.probes]).toEqual(before)
  expect(world.clock.pending).toBe(0)
  world.hubu.release()
  await settle()
  expect(world.clock.pending).toBe(1)
})

test('three routers on one failing Gongbu probe little and out of step', async () => {
  const clock = new FakeClock()
  const routers = await Promise.all(
    [1, 2, 3].map((seed) => watchedWorld({ clock, configured: ['gongbu'], baseIntervalMs: 30_000, random: lcg(seed) })),
  )
  for (const { gongbu } of routers)
    gongbu.answer = { live: json({}, 404), ready: json({}, 404), version: json({}, 404) }
  await clock.pass(600_000)
  const starts = routers.map(({ gongbu }) => gongbu.startedMs.slice(2))
  for (const times of starts) {
    expect(times.length).toBeGreaterThanOrEqual(4)
    expect(times.length).toBeLessThanOrEqual(6)
  }
  const all = starts.flat()
  expect(new Set(all).size).toBe(all.length)
})

test('stopping ends probes, timers and announcements', async () => {
  const world = await watchedWorld()
  world.hubu.held = true
  await world.clock.pass(1000)
  world.monitor.stop()
  world.hubu.answer = hubuDown
  world.hubu.release()
  await settle()
  const before = [world.hubu.probes, world.gongbu.probes]
  world.monitor.start()
  await world.clock.pass(600_000)
  expect([world.hubu.probes, world.gongbu.probes]).toEqual(before)
  expect([world.announced, world.clock.pending]).toEqual([[], 0])
})

test('stopping a calm monitor leaves no timer', async () => {
  const world = await watchedWorld()
  expect(world.clock.pending).toBe(1)
  world.monitor.stop()
  expect(world.clock.pending).toBe(0)
})

test('a listener that has left hears nothing more', async () => {
  const world = await watchedWorld()
  let heard = 0
  const leave = world.monitor.onChange(() => heard++)
  world.monitor.markHubuUnavailable()
  leave()
  await world.clock.pass(1000)
  expect([heard, world.announced.length]).toEqual([1, 2])
})

/** A small generator of its own for each router. */
function lcg(seed: number): () => number {
  let state = seed * 7919
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
}
