// Completes purchases that a human has decided: asks Hubu again, exactly as it was asked, until the decision is final.
import { dateOf, type Clock } from '../../timing/clock.ts'
import type { RegistryAccess } from '../transaction.ts'
import { runWorker, type Worker } from '../worker-loop.ts'
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

/** While nothing of ours is due, what other processes left is looked for so often. */
const idleMs = 10_000
/** After a fault of the file, and where another process was quicker. */
const afterFaultMs = 1000

/** Starts the worker. Its loop never throws: any fault is a pause and another try. */
export function startApprovalWorker(options: ApprovalWorkerOptions): Worker {
  const { access, waiting, deliver, clock, randomHex } = options
  /** One round. Returns how long to rest, 0 when there may be more to do at once. Nothing is written while nothing is due. */
  const round = async (): Promise<number> => {
    const next = await access.read(() => waiting.nextDue())
    if (next === null) return idleMs
    const dueInMs = next.getTime() - dateOf(clock).getTime()
    if (dueInMs > 0) return Math.min(dueInMs, idleMs)
    const claimed = await access.transact(() => {
      waiting.eraseOld()
      return waiting.claim(randomHex())
    })
    if (claimed === null) return afterFaultMs
    await deliver(claimed).catch(() => {})
    await access.transact(() => waiting.release(claimed))
    return 0
  }

  return runWorker(clock, afterFaultMs, round)
}
