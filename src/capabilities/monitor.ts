// This room knows what can be called right now. The monitor keeps one immutable picture of both backends up to date;
// listing and admission read it.
import type { CapabilitySnapshot, RegistryCapability } from '#generated/types/router.js'
import type { GongbuProbe, HubuProbe } from '../backends/probe.ts'
import { dateOf, type Clock } from '../timing/clock.ts'
import { listedTools, type States } from './availability.ts'
import {
  judgeGongbu,
  judgeHubu,
  unconfiguredGongbu,
  unconfiguredHubu,
  unprobedGongbu,
  unprobedHubu,
  type BuildStamp,
} from './compatibility.ts'
import { createRounds } from './rounds.ts'
import { toSnapshot } from './snapshot.ts'
import { createWatch, type Cause, type Watch } from './watch.ts'

export type { Cause } from './watch.ts'

export type BackendName = 'hubu' | 'gongbu'

/** The backends to watch and how; time, timers and randomness come from outside. */
export interface MonitorOptions {
  /** Absent: the backend is not configured. */
  readonly probes: { readonly hubu?: () => Promise<HubuProbe>; readonly gongbu?: () => Promise<GongbuProbe> }
  readonly stamp: BuildStamp
  readonly registry: RegistryCapability
  /** Who names spends; the harness, unless given. */
  readonly spendIdentity?: CapabilitySnapshot['spend_identity']
  /** 10..60000. */
  readonly baseIntervalMs: number
  /** Its wall clock counts only for `generated_at`. */
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'after'>
  /** In [0, 1). */
  readonly random: () => number
}

/** The health of both backends, kept current. */
export interface Monitor {
  /** Sends the first probes. Repeated calls do nothing. */
  begin(): void
  /**
   * The snapshot for `initialize`: as soon as both backends have reported, at the latest `maxWaitMs` (3000) after
   * `begin`. What is still out counts as unavailable; its arrival is a change like any other.
   */
  initialSnapshot(maxWaitMs?: number): Promise<CapabilitySnapshot>
  states(): States
  snapshot(): CapabilitySnapshot
  /**
   * Probes each of these backends that is due, and waits for that at most `maxWaitMs` (3000). A probe in flight is
   * waited for only when the backend could not serve anything as it stands; otherwise a backend that is not due costs
   * nothing.
   */
  refreshIfDue(backends: readonly BackendName[], cause?: Cause, maxWaitMs?: number): Promise<void>
  /** Probes these backends now, or joins the probe in flight, and waits for the reports. */
  refresh(backends: readonly BackendName[], cause?: Cause): Promise<void>
  /** A place in the order of reports: taken when a call is sent, given to `markHubuUnavailable` when it fails. */
  ticket(): number
  /**
   * A call found Hubu unreachable. Counts as a failed probe and keeps the reported versions. Nothing happens
   * when Hubu is already unavailable (concurrent calls that fail together are one failure) or when a probe that began
   * after `ticket` has reported.
   */
  markHubuUnavailable(cause?: Cause, ticket?: number): void
  /** The registry file was opened, or given up, after the monitor was made. */
  setRegistry(registry: RegistryCapability): void
  /**
   * `notifications/initialized` arrived: probes both backends, takes the catalog as the baseline when they have
   * reported, or after 250 ms with what is known then, and begins to watch. Only the first call counts.
   */
  start(): void
  /** Resolves when the baseline is taken, at the latest after `maxWaitMs` (250). At once before `start`. */
  baselineSettled(maxWaitMs?: number): Promise<void>
  /** Calls back once for each change of the effective catalog after the baseline. The result ends that. */
  onChange(listener: (cause: Cause) => void): () => void
  /** Ends watching; nothing is announced any more. */
  stop(): void
}

const startUpWaitMs = 3000
const baselineWaitMs = 250
const byMonitor: Cause = { kind: 'monitor' }

/** Creates the monitor; nothing is probed until `begin`, `start` or a refresh. */
export function createMonitor(options: MonitorOptions): Monitor {
  const { probes, stamp, clock, baseIntervalMs, random } = options
  const listeners = new Set<(cause: Cause) => void>()
  let states: States = {
    hubu: probes.hubu ? unprobedHubu : unconfiguredHubu,
    gongbu: probes.gongbu ? unprobedGongbu : unconfiguredGongbu,
    registry: options.registry,
  }
  let snapshot = toSnapshot(states, dateOf(clock), options.spendIdentity)
  let lastId = 0
  let phase: 'idle' | 'baseline' | 'watching' | 'stopped' = 'idle'
  let observed = ''
  let begunAtMs: number | undefined
  let takeBaseline = () => {}
  let baseline: Promise<void> = Promise.resolve()

  const sequence = { next: () => ++lastId }
  const shared = { sequence, baseIntervalMs, clock, random, onLanded: () => rounds.reschedule(), isFailure }
  const { hubu: askHubu, gongbu: askGongbu } = probes
  const hubu =
    askHubu &&
    createWatch({
      ...shared,
      probe: async () => judgeHubu(await askHubu(), stamp),
      onRejected: unprobedHubu,
      apply: (capability, cause) => apply({ ...states, hubu: capability }, cause),
    })
  const gongbu =
    askGongbu &&
    createWatch({
      ...shared,
      probe: async () => judgeGongbu(await askGongbu(), stamp),
      onRejected: unprobedGongbu,
      apply: (capability, cause) => apply({ ...states, gongbu: capability }, cause),
    })
  const watches = [hubu, gongbu].filter((watch) => watch !== undefined) as Watch<unknown>[]
  const rounds = createRounds(watches, clock, byMonitor)
  const pick = (backends: readonly BackendName[]) =>
    backends.map((backend) => (backend === 'hubu' ? hubu : gongbu)).filter((watch) => watch !== undefined)

  function apply(next: States, cause: Cause): void {
    states = next
    snapshot = toSnapshot(states, dateOf(clock), options.spendIdentity)
    if (phase === 'watching') announce(cause)
    rounds.reschedule()
  }

  function announce(cause: Cause): void {
    const catalog = listedTools(states).join()
    if (catalog === observed) return
    observed = catalog
    for (const listener of listeners) listener(cause)
  }

  const monitor: Monitor = {
    begin() {
      if (begunAtMs !== undefined) return
      begunAtMs = clock.monotonicMs()
      for (const watch of watches) void watch.refresh(byMonitor)
    },
    async initialSnapshot(maxWaitMs = startUpWaitMs) {
      monitor.begin()
      const unreported = watches.filter((watch) => !watch.hasReport)
      const leftMs = maxWaitMs - (clock.monotonicMs() - (begunAtMs ?? clock.monotonicMs()))
      if (unreported.length > 0 && leftMs > 0) await within(clock, leftMs, refreshAll(unreported, byMonitor))
      return snapshot
    },
    states: () => states,
    snapshot: () => snapshot,
    async refreshIfDue(backends, cause = byMonitor, maxWaitMs = startUpWaitMs) {
      const waited = backends.flatMap((backend) => {
        const watch = backend === 'hubu' ? hubu : gongbu
        const wouldBeRefused = states[backend].state !== 'available'
        return watch && (watch.claim() || (watch.isInFlight && wouldBeRefused)) ? [watch] : []
      })
      if (waited.length > 0) await within(clock, maxWaitMs, refreshAll(waited, cause))
    },
    async refresh(backends, cause = byMonitor) {
      await refreshAll(pick(backends), cause)
    },
    ticket: () => sequence.next(),
    markHubuUnavailable(cause = byMonitor, ticket = sequence.next()) {
      if (!hubu || states.hubu.state === 'unavailable') return
      hubu.report(ticket, { ...states.hubu, state: 'unavailable', reason_code: 'health_unavailable' }, cause)
    },
    setRegistry(registry) {
      if (registry.state !== states.registry.state) apply({ ...states, registry }, byMonitor)
    },
    start() {
      if (phase !== 'idle') return
      phase = 'baseline'
      baseline = new Promise((resolve) => {
        takeBaseline = resolve
      })
      void within(clock, baselineWaitMs, refreshAll(watches, byMonitor)).then(() => {
        takeBaseline()
        if (phase !== 'baseline') return
        phase = 'watching'
        observed = listedTools(states).join()
        rounds.start()
      })
    },
    baselineSettled: (maxWaitMs = baselineWaitMs) =>
      phase === 'baseline' ? within(clock, maxWaitMs, baseline) : Promise.resolve(),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop() {
      phase = 'stopped'
      takeBaseline()
      listeners.clear()
      rounds.stop()
    },
  }
  return monitor
}

function isFailure(capability: { readonly state: string }): boolean {
  return capability.state === 'unavailable'
}

function refreshAll(watches: readonly Watch<unknown>[], cause: Cause): Promise<unknown> {
  return Promise.all(watches.map((watch) => watch.refresh(cause)))
}

/** Resolves with the work or after a while, and leaves no timer behind. */
function within(clock: Pick<Clock, 'after'>, maxWaitMs: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(Math.max(maxWaitMs, 0), resolve)
    void work.then(() => {
      cancel()
      resolve()
    })
  })
}
