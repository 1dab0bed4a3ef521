import type { RegistryCapability } from '#generated/types/router.js'
import type { GongbuProbe, HubuProbe } from '../../src/backends/probe.ts'
import { createMonitor, type Cause, type Monitor } from '../../src/capabilities/monitor.ts'
import { FakeClock, settle } from '../support/fake-clock.ts'

export const commit = 'a'.repeat(40)
export const stamp = { productVersion: '9.9.9', sourceCommit: commit }
const executor = 'hubu-spend-executor-v4.3'

const json = (body: unknown, status = 200) => ({ kind: 'json', status, body }) as const
export const none = { kind: 'none' } as const

export const hubuVersion = { product_version: '9.9.9', source_commit: commit, executor_contract: executor }
export const gongbuVersion = {
  product_version: '9.9.9',
  source_commit: commit,
  hubu_executor_contract: executor,
  api_schema_version: 2,
  mcp_schema_version: 2,
  mcp_protocol_version: '2024-11-05',
}

export const hubuWell: HubuProbe = { health: json({ status: 'ok' }), version: json(hubuVersion) }
export const hubuDown: HubuProbe = { health: none, version: none }
export const gongbuWell: GongbuProbe = {
  live: json({ status: 'live' }),
  ready: json({ status: 'ready' }),
  version: json(gongbuVersion),
}
export const gongbuDown: GongbuProbe = { live: none, ready: none, version: none }
export const gongbuNotReady: GongbuProbe = { ...gongbuWell, ready: json({ status: 'not_ready' }, 503) }
export { json }

export const registryUp: RegistryCapability = {
  state: 'available',
  reason_code: null,
  billable_operations_available: true,
}
export const registryDown: RegistryCapability = {
  state: 'unavailable',
  reason_code: 'configuration_missing',
  billable_operations_available: false,
}

/** A backend whose next answer is `answer`; while `held`, its probes wait for `release`. */
export class FakeBackend<P> {
  probes = 0
  held = false
  answer: P
  /** When each probe began, on the fake clock. */
  readonly startedMs: number[] = []
  readonly #waiting: (() => void)[] = []
  readonly #now: () => number

  constructor(answer: P, now: () => number) {
    this.answer = answer
    this.#now = now
  }

  readonly probe = async (): Promise<P> => {
    this.probes++
    this.startedMs.push(this.#now())
    if (this.held) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return this.answer
  }

  /** Lets every waiting probe answer, with what `answer` is now. */
  release(): void {
    this.held = false
    for (const go of this.#waiting.splice(0)) go()
  }
}

export interface World {
  readonly monitor: Monitor
  readonly clock: FakeClock
  readonly hubu: FakeBackend<HubuProbe>
  readonly gongbu: FakeBackend<GongbuProbe>
  /** The cause of every announcement so far. */
  readonly announced: Cause[]
}

export interface WorldOptions {
  readonly baseIntervalMs?: number
  readonly configured?: readonly ('hubu' | 'gongbu')[]
  readonly registry?: RegistryCapability
  readonly random?: () => number
  readonly clock?: FakeClock
}

/** Both backends healthy, base interval 1000 ms, jitter 100 %. */
export function createWorld(options: WorldOptions = {}): World {
  const { configured = ['hubu', 'gongbu'], clock = new FakeClock({ monotonicMs: 1_000_000 }) } = options
  const hubu = new FakeBackend(hubuWell, clock.monotonicMs)
  const gongbu = new FakeBackend(gongbuWell, clock.monotonicMs)
  const announced: Cause[] = []
  const monitor = createMonitor({
    probes: {
      ...(configured.includes('hubu') && { hubu: hubu.probe }),
      ...(configured.includes('gongbu') && { gongbu: gongbu.probe }),
    },
    stamp,
    registry: options.registry ?? registryUp,
    baseIntervalMs: options.baseIntervalMs ?? 1000,
    clock: { nowMs: () => Date.UTC(2026, 7, 18), monotonicMs: clock.monotonicMs, after: clock.after },
    random: options.random ?? (() => 20 / 41),
  })
  monitor.onChange((cause) => announced.push(cause))
  return { monitor, clock, hubu, gongbu, announced }
}

/** A world after `initialize` and `notifications/initialized`, with its baseline taken. */
export async function watchedWorld(options: WorldOptions = {}): Promise<World> {
  const world = createWorld(options)
  await world.monitor.initialSnapshot()
  world.monitor.start()
  await settle()
  return world
}
