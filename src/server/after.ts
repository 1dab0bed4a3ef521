/** Runs something once, `delayMs` from now; the function that comes back cancels it. Tests give their own. */
export type After = (delayMs: number, run: () => void) => () => void

/** The process's own timers. */
export const afterTimeout: After = (delayMs, run) => {
  const timer = setTimeout(run, delayMs)
  return () => clearTimeout(timer)
}
