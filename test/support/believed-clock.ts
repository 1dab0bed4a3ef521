import type { Clock } from '../../src/timing/clock.ts'
import type { ClockWitness } from '../../src/timing/clock-witness.ts'

/** A witness for tests in which the wall clock is right. */
export function believed(clock: Pick<Clock, 'nowMs'>): ClockWitness {
  return {
    heard: () => {},
    onFirstHeard: () => {},
    provenMs: () => clock.nowMs(),
    isOver: (_name, endsAtMs) => endsAtMs <= clock.nowMs(),
  }
}
