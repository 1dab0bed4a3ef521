/** Time as every room takes it, so that a test can hold it still. Randomness is an argument of its own. */
export interface Clock {
  /** The wall clock, in milliseconds since 1970. It may jump. */
  nowMs(): number
  /** Only ever grows, also when the wall clock is set. */
  monotonicMs(): number
  /** Resolves after so many milliseconds, or as soon as the signal fires. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Runs `work` once, so many milliseconds from now; the result cancels it. */
  after(ms: number, work: () => void): () => void
  /** Runs `work` again and again until the result is called. */
  every(ms: number, work: () => unknown): () => void
  /** Resolves when everything else that is ready has run. */
  turn(): Promise<void>
}

/** A timer cannot hold a longer wait and would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** The process's own time, for the wiring. */
export const realClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const end = () => {
        cancel()
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const cancel = realClock.after(ms, end)
      signal?.addEventListener('abort', end)
    }),
  after: (ms, work) => {
    const timer = setTimeout(work, Math.min(ms, longestTimerMs))
    return () => clearTimeout(timer)
  },
  every: (ms, work) => {
    const timer = setInterval(work, ms)
    return () => clearInterval(timer)
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
}

/** The wall clock as a Date. */
export function dateOf(clock: Pick<Clock, 'nowMs'>): Date {
  return new Date(clock.nowMs())
}
