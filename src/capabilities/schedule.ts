/** No backend is left alone for longer. */
const maxDelayMs = 300_000

/** When a backend is due again. */
export interface Schedule {
  /** Consecutive failures so far. */
  readonly streak: number
  /** On the monotonic clock. */
  readonly deadlineMs: number
}

/** A result that ends one wait and begins the next. */
export interface ProbeResult {
  /** Only the state `unavailable` is a failure. */
  readonly isFailure: boolean
  readonly baseIntervalMs: number
  /** A fresh integer in 80..120. */
  readonly jitterPercent: number
  /** On the monotonic clock. */
  readonly nowMs: number
}

/** The wait after a result: one base interval, doubled with every further failure in a row, jittered. Pure. */
export function scheduleNext(streak: number, result: ProbeResult): Schedule {
  const { isFailure, baseIntervalMs, jitterPercent, nowMs } = result
  const multiplier = isFailure ? 2 ** Math.min(streak, 31) : 1
  const delayMs = Math.min(baseIntervalMs * multiplier, maxDelayMs)
  const jittered = Math.floor((delayMs * jitterPercent) / 100)
  return {
    streak: isFailure ? streak + 1 : 0,
    deadlineMs: nowMs + Math.min(Math.max(jittered, 1), maxDelayMs),
  }
}

/** An integer in 80..120 from a random number in [0, 1). */
export function toJitterPercent(random: number): number {
  return 80 + Math.floor(random * 41)
}
