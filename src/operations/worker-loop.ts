// A worker: rounds with rests between them, which can be cut short.
import type { Clock } from '../timing/clock.ts'

/** A running worker. */
export interface Worker {
  /** Begins the next round now instead of after the rest. */
  wake(): void
  /** Ends after the round under way. */
  stop(): Promise<void>
}

/** Runs rounds until it is stopped. `round` tells how long to rest, 0 for not at all; one that rejects rests `afterFaultMs`. */
export function runWorker(clock: Pick<Clock, 'sleep'>, afterFaultMs: number, round: () => Promise<number>): Worker {
  let isStopped = false
  let isWoken = false
  let nap = new AbortController()
  const wake = () => {
    isWoken = true
    nap.abort()
  }
  const run = async () => {
    while (!isStopped) {
      const restMs = await round().catch(() => afterFaultMs)
      if (restMs <= 0) continue
      if (!isWoken && !isStopped) await clock.sleep(restMs, nap.signal)
      isWoken = false
      nap = new AbortController()
    }
  }
  const ended = run()
  return {
    wake,
    stop: async () => {
      isStopped = true
      wake()
      await ended
    },
  }
}
