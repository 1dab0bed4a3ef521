// Real time, for the wiring only: every room takes its clock and its timers as arguments.

/** Monotonic milliseconds: jumps of the wall clock mean nothing to it. */
export const monotonicMs = (): number => performance.now()

/** Calls once after so many milliseconds; the result cancels it. The longest wait a timer can hold is cut, not skipped. */
export function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, Math.min(ms, 2 ** 31 - 1))
  return () => clearTimeout(timer)
}

/** Calls again and again until the result is called. */
export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms)
  return () => clearInterval(timer)
}

/** Resolves when everything else that is ready has run. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Resolves after so many milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => void after(ms, resolve))

/** Resolves after so many milliseconds or as soon as the signal fires. */
export function nap(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const cancel = after(ms, resolve)
    signal.addEventListener('abort', () => {
      cancel()
      resolve()
    })
  })
}
