import type { After } from '../settings.ts'

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
