// How a process that is asked to end does so: it says so, serves on for a while, takes nothing new, and waits for what is under way.
import type { Clock } from '../timing/clock.ts'

/** What a drain needs of the edge. */
export interface DrainOptions {
  drainDelayMs: number
  drainTimeoutMs: number
  clock: Pick<Clock, 'sleep' | 'after'>
  /** From now on nothing new is taken, and what is only held open ends. */
  refuse(): void
  /** Requests under way. */
  inFlight(): number
  /** Called when something else may have ended. The result stops that. */
  onEnded(look: () => void): () => void
}

/** Resolves with what had to be cut, when nothing is under way any more or its time is over. */
export async function drain({ drainDelayMs, drainTimeoutMs, clock, ...edge }: DrainOptions): Promise<{ cut: number }> {
  if (drainDelayMs > 0) await clock.sleep(drainDelayMs)
  edge.refuse()
  await new Promise<void>((resolve) => {
    const look = () => {
      if (edge.inFlight() > 0) return
      finish()
    }
    const stopLooking = edge.onEnded(look)
    const cancel = clock.after(drainTimeoutMs, () => finish())
    const finish = () => {
      cancel()
      stopLooking()
      resolve()
    }
    look()
  })
  return { cut: edge.inFlight() }
}
