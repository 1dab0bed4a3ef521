import type { Clock } from '../timing/clock.ts'
import type { Cause, Watch } from './watch.ts'

/** Probes backends by themselves, each when it is due. */
export interface Rounds {
  start(): void
  /** A deadline may have moved. Does nothing before `start` and after `stop`. */
  reschedule(): void
  stop(): void
}

/** Makes rounds over these watches; `cause` is given to each probe that they start. */
export function createRounds(
  watches: readonly Watch<unknown>[],
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
  cause: Cause,
): Rounds {
  let isStarted = false
  let cancelWake = () => {}

  /** Sleeps until the next deadline. A backend in flight has none: its landing sets the next one. */
  function reschedule(): void {
    cancelWake()
    cancelWake = () => {}
    const deadlines = watches.filter((watch) => !watch.isInFlight).map((watch) => watch.deadlineMs)
    if (!isStarted || deadlines.length === 0) return
    cancelWake = clock.after(Math.max(Math.ceil(Math.min(...deadlines) - clock.monotonicMs()), 0), wake)
  }

  function wake(): void {
    for (const watch of watches) if (!watch.isInFlight && watch.claim()) void watch.refresh(cause)
    reschedule()
  }

  return {
    start() {
      isStarted = true
      reschedule()
    },
    reschedule,
    stop() {
      isStarted = false
      cancelWake()
    },
  }
}
