import type { Clock } from '../timing/clock.ts'

/** What a wait for a busy file is made with. */
export interface BusyWait {
  clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  /** A number from 0 to 1. */
  random(): number
}

/** How patiently, in milliseconds: the longest wait altogether, and the shortest and longest pause between two tries. */
export interface Patience {
  longestMs: number
  pauseMs: readonly [number, number]
}

/**
 * Runs the work, and again with jittered pauses while another process holds the file: nothing blocks this process meanwhile.
 * Rejects with what the work threw, at once or, when it is that the file is busy, at the end of the patience.
 */
export async function retryWhileBusy<T>(
  { clock, random }: BusyWait,
  { longestMs, pauseMs: [least, most] }: Patience,
  work: () => T,
): Promise<T> {
  const startedMs = clock.monotonicMs()
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || clock.monotonicMs() - startedMs >= longestMs) throw error
    }
    await clock.sleep(least + random() * (most - least))
  }
}

/** Whether SQLite says that somebody else holds the file. */
export function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
}
