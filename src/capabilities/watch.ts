import type { Clock } from '../timing/clock.ts'
import { scheduleNext, toJitterPercent, type Schedule } from './schedule.ts'

/** Who made a probe happen: the monitor itself, or a request, named so that its answer can be sent first. */
export type Cause = { readonly kind: 'monitor' } | { readonly kind: 'request'; readonly id: unknown }

/** Ids of one increasing sequence, shared by all backends. */
export interface Sequence {
  next(): number
}

/** The backend to watch, and where its reports go. */
export interface BackendWatchOptions<C> {
  /** One round of probes, judged. Should not reject; a rejection counts as `onRejected`. */
  readonly probe: () => Promise<C>
  readonly onRejected: C
  readonly isFailure: (capability: C) => boolean
  /** Called once for each report that counts. */
  readonly apply: (capability: C, cause: Cause) => void
  /** Called when a probe has ended, whether or not its report counted. */
  readonly onLanded: () => void
  readonly sequence: Sequence
  readonly baseIntervalMs: number
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly random: () => number
}

/** The schedule and the single flight of one configured backend. */
export interface Watch<C> {
  /** On the monotonic clock; at once until the first report. */
  readonly deadlineMs: number
  readonly isInFlight: boolean
  /** Whether a first report was applied. */
  readonly hasReport: boolean
  /** Starts a probe, or joins the one in flight; resolves when its report was applied or dropped. */
  refresh(cause: Cause): Promise<void>
  /**
   * Takes a due backend: its deadline moves one base interval on, so that nobody else takes the same one. False
   * when it is not due.
   */
  claim(): boolean
  /** Applies a report that no probe made, unless a newer one was applied already. */
  report(id: number, capability: C, cause: Cause): void
}

/** Watches one backend. At most one probe is in flight; a report older than the last applied one is dropped. */
export function createWatch<C>(options: BackendWatchOptions<C>): Watch<C> {
  const { sequence, clock, baseIntervalMs } = options
  let schedule: Schedule = { streak: 0, deadlineMs: clock.monotonicMs() }
  let lastAppliedId = 0
  let flight: Promise<void> | undefined

  function report(id: number, capability: C, cause: Cause): void {
    if (id < lastAppliedId) return
    lastAppliedId = id
    schedule = scheduleNext(schedule.streak, {
      isFailure: options.isFailure(capability),
      baseIntervalMs,
      jitterPercent: toJitterPercent(options.random()),
      nowMs: clock.monotonicMs(),
    })
    options.apply(capability, cause)
  }

  async function fly(cause: Cause): Promise<void> {
    const id = sequence.next()
    const capability = await options.probe().catch(() => options.onRejected)
    flight = undefined
    try {
      report(id, capability, cause)
    } finally {
      options.onLanded()
    }
  }

  return {
    get deadlineMs() {
      return schedule.deadlineMs
    },
    get isInFlight() {
      return flight !== undefined
    },
    get hasReport() {
      return lastAppliedId > 0
    },
    refresh(cause) {
      flight ??= fly(cause)
      return flight
    },
    claim() {
      if (schedule.deadlineMs > clock.monotonicMs()) return false
      schedule = { ...schedule, deadlineMs: clock.monotonicMs() + baseIntervalMs }
      return true
    },
    report,
  }
}
