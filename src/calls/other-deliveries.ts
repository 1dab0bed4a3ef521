// Waiting for other deliveries of the same call, of this process and of others.
import type { SpendOperations } from '../operations/spend-operations.ts'
import type { AnsweringOperation, Seen } from '../operations/spend-turn.ts'
import type { Clock } from '../timing/clock.ts'

/** The longest wait for another delivery of the same call. */
const patienceMs = 15_000
/** How long an ambiguous outcome waits for somebody who may be about to send the same call, and so will learn the outcome. */
const graceMs = 250

/** The dispatches of this process, and how it waits for others. */
export interface OtherDeliveries {
  /** This process waits for Hubu until `ended`, so that the end need not be looked for in the file. */
  sends(handle: string, ended: Promise<unknown>): void
  /** Waits while another delivery has the dispatch and has learned nothing; false when the patience ends. */
  untilFree(spend: SpendOperations, handle: string, seen: Seen, startedMs: number): Promise<boolean>
  /** The result that a delivery learns which waited for this one and sends the same call now; undefined when none does. */
  learned(spend: SpendOperations, turn: AnsweringOperation & Seen): Promise<string | undefined>
}

/** `random` gives a number from 0 to 1. */
export function createOtherDeliveries(
  clock: Pick<Clock, 'monotonicMs' | 'sleep'>,
  random: () => number,
): OtherDeliveries {
  const sending = new Map<string, Promise<void>>()
  return {
    sends: (handle, outcome) => {
      const ended = outcome.then(
        () => {},
        () => {},
      )
      sending.set(handle, ended)
      void ended.then(() => {
        if (sending.get(handle) === ended) sending.delete(handle)
      })
    },
    untilFree: async (spend, handle, seen, startedMs) => {
      for (;;) {
        const ours = sending.get(handle)
        if (ours !== undefined) await ours
        else await clock.sleep(20 + random() * 30)
        const view = await spend.look(handle, seen)
        if (!view.isBusy || view.news !== null) return true
        if (clock.monotonicMs() - startedMs > patienceMs) return false
      }
    },
    learned: async (spend, turn) => {
      const startedMs = clock.monotonicMs()
      for (;;) {
        await clock.sleep(25)
        const view = await spend.look(turn.handle, turn).catch(() => null)
        if (typeof view?.news === 'string') return view.news
        const waitedMs = clock.monotonicMs() - startedMs
        if (waitedMs >= (view?.isBusy ? patienceMs : graceMs)) return undefined
      }
    },
  }
}
