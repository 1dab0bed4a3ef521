/** Calls `run` once after a delay; the answer cancels it. */
export type After = (delayMs: number, run: () => void) => () => void

/** Timers of the system. They do not keep the process alive: the listener does. */
export function systemTimer(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs).unref()
  return () => clearTimeout(timer)
}

/** Resolves after so many milliseconds, or as soon as nobody waits any more. */
export function pauseFor(ms: number, after: After, signal: AbortSignal): Promise<void> {
  if (ms === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const cancel = after(ms, resolve)
    signal.addEventListener('abort', () => {
      cancel()
      resolve()
    })
  })
}
