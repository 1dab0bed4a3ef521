// Whether the wall clock may be believed before something is ended by it for good. Whoever set the clock of one machine wrong must not
// end what all the others go on with, so a second clock has to say the same.
import type { Clock } from './clock.ts'

/** What speaks for or against the wall clock. */
export interface ClockWitness {
  /** A backend answered, and said what time it has; null where its answers tell no time. */
  heard(backend: string, atMs: number | null): void
  /** Calls back when it is known for the first time what speaks for or against the wall clock. Called once. */
  onFirstHeard(listener: () => void): void
  /** An instant that has come for certain, in milliseconds since 1970; 0 while there is no witness. */
  provenMs(): number
  /**
   * Whether something is over that ends at `endsAtMs`: the wall clock and every backend that told its time say so. Where all of
   * them have answered and none tells its time, the wall clock is all there is. Before that, it has to have been asked about under
   * the same name for as long as anything lasts.
   */
  isOver(name: string, endsAtMs: number): boolean
}

/** So far apart two clocks may be and still say the same. */
export const trustedMs = 30_000

/** Nothing that is asked about lasts longer. */
const longestMs = 24 * 60 * 60 * 1000

/** What is known at one moment. */
interface Known {
  wallMs: number
  /** What each backend's clock shows by now. */
  backendsMs: readonly number[]
}

/** Pure: the latest instant that no clock denies; 0 without a backend. */
export function provenAt({ wallMs, backendsMs }: Known): number {
  if (backendsMs.length === 0) return 0
  return Math.min(wallMs, ...backendsMs.map((atMs) => (wallMs - atMs <= trustedMs ? wallMs : atMs)))
}

/**
 * `warn` gets one sentence, the first time that something is kept although the wall clock says that it is over. `backends` are all that
 * may be heard.
 */
export function createClockWitness(
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
  warn: (message: string) => void,
  backends: readonly string[],
): ClockWitness {
  /** How far each backend's clock is ahead of our monotonic one. */
  const aheadMs = new Map<string, number>()
  const timeless = new Set<string>()
  const isWallAlone = () => aheadMs.size === 0 && timeless.size > 0 && backends.every((name) => timeless.has(name))
  const askedAtMs = new Map<string, number>()
  let tellFirst = () => {}
  let hasWarned = false
  const provenMs = () =>
    isWallAlone()
      ? clock.nowMs()
      : provenAt({
          wallMs: clock.nowMs(),
          backendsMs: [...aheadMs.values()].map((ahead) => ahead + clock.monotonicMs()),
        })
  const hasLasted = (name: string) => {
    const sinceMs = askedAtMs.get(name) ?? clock.monotonicMs()
    askedAtMs.set(name, sinceMs)
    return clock.monotonicMs() - sinceMs >= longestMs
  }

  return {
    provenMs,
    heard: (backend, atMs) => {
      const hadWitness = aheadMs.size > 0 || isWallAlone()
      if (atMs === null) timeless.add(backend)
      else aheadMs.set(backend, atMs - clock.monotonicMs())
      if (hadWitness || (aheadMs.size === 0 && !isWallAlone())) return
      askedAtMs.clear()
      tellFirst()
    },
    onFirstHeard: (listener) => {
      tellFirst = listener
    },
    isOver: (name, endsAtMs) => {
      const hasNoWitness = aheadMs.size === 0 && !isWallAlone()
      const hasLastedLong = hasNoWitness && hasLasted(name)
      if (clock.nowMs() < endsAtMs) return false
      if (hasNoWitness) return hasLastedLong
      if (endsAtMs <= provenMs()) return true
      if (!hasWarned) warn(clockIsAhead)
      hasWarned = true
      return false
    },
  }
}

const clockIsAhead =
  'The clock of this machine is ahead of what Hubu or Gongbu says. Nothing is ended by it until they agree. Correct the system clock; ' +
  'hubu-unified-mcp doctor tells how far it is off.'
