// Whether the wall clock may be believed before something is ended by it for good. Whoever set the clock of one machine wrong must not
// end what all the others go on with, so a second clock has to say the same.
import type { Clock } from './clock.ts'

/** What speaks for or against the wall clock. */
export interface ClockWitness {
  /** A backend said what time it has. */
  heard(backend: string, atMs: number): void
  /** Calls back when a backend is heard for the first time. Called once. */
  onFirstHeard(listener: () => void): void
  /** An instant that has come for certain, in milliseconds since 1970; 0 while no backend was heard. */
  provenMs(): number
  /**
   * Whether something is over that ends at `endsAtMs`: the wall clock and every backend that was heard say so or, where none was
   * heard, it has been asked about under the same name for as long as anything lasts.
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

/** `warn` gets one sentence, the first time that something is kept although the wall clock says that it is over. */
export function createClockWitness(
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
  warn: (message: string) => void,
): ClockWitness {
  /** How far each backend's clock is ahead of our monotonic one. */
  const aheadMs = new Map<string, number>()
  const askedAtMs = new Map<string, number>()
  let tellFirst = () => {}
  let hasWarned = false
  const provenMs = () =>
    provenAt({
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
      const isFirst = aheadMs.size === 0
      aheadMs.set(backend, atMs - clock.monotonicMs())
      if (!isFirst) return
      askedAtMs.clear()
      tellFirst()
    },
    onFirstHeard: (listener) => {
      tellFirst = listener
    },
    isOver: (name, endsAtMs) => {
      const hasNoBackend = aheadMs.size === 0
      const hasLastedLong = hasNoBackend && hasLasted(name)
      if (clock.nowMs() < endsAtMs) return false
      if (hasNoBackend) return hasLastedLong
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
