// Completes purchases that a human has decided: asks Hubu again, exactly as it was asked, until the decision is final.
import { dateOf, type Clock } from '../../timing/clock.ts'
import type { RegistryAccess } from '../transaction.ts'
import type { WaitingSpend, WaitingSpends } from './waiting-spends.ts'

/** The worker decides when; what it does at each turn is given. */
export interface ApprovalWorkerOptions {
  access: RegistryAccess
  waiting: WaitingSpends
  /**
   * Delivers the call again, with its identity and so with its operation key, and records Hubu's answer; the commit of a final
   * one erases what waits. It may reject: then it is tried again later.
   */
  deliver(spend: WaitingSpend): Promise<unknown>
  clock: Pick<Clock, 'nowMs' | 'sleep'>
  /** 32 lowercase hex digits, independent at every call. */
  randomHex(): string
}

/** A running worker. */
export interface ApprovalWorker {
  /** Something waits that did not, or is due now. */
  wake(): void
  /** Stops after the delivery under way; what was taken is free again when its lease ends. */
  stop(): Promise<void>
}

/** While nothing of ours is due, what other processes left is looked for so often. */
const idleMs = 10_000
/** After a fault of the file. */
const afterFaultMs = 1000

/** Starts the worker. Its loop never throws: any fault is a pause and another try. */
export function startApprovalWorker(options: ApprovalWorkerOptions): ApprovalWorker {
  const { access, waiting, deliver, clock, randomHex } = options
  let isStopped = false
  let isWoken = false
  let nap = new AbortController()
  const wake = () => {
    isWoken = true
    nap.abort()
  }

  /** One round. Returns how long to rest, 0 when there may be more to do at once. */
  const step = async (): Promise<number> => {
    const claimed = await access.transact(() => {
      waiting.eraseOld()
      return waiting.claim(randomHex())
    })
    if (claimed !== null) {
      await deliver(claimed).catch(() => {})
      await access.transact(() => waiting.release(claimed))
      return 0
    }
    const next = await access.read(() => waiting.nextDue())
    if (next === null) return idleMs
    return Math.min(Math.max(next.getTime() - dateOf(clock).getTime(), 1), idleMs)
  }

  const run = async () => {
    while (!isStopped) {
      const pauseMs = await step().catch(() => afterFaultMs)
      if (pauseMs > 0 && !isWoken && !isStopped) await clock.sleep(pauseMs, nap.signal)
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
