// What this process knows of the way of answers to agents: the truth that the facts in the file follow.
import type { Clock } from '../../timing/clock.ts'
import type { DeliveredAnswer } from './due.ts'

/** An answer that counts as taken when its connection stays open for so long after it was written. */
export const waitedMs = 60_000

/** One answer on its way, in the words of the connection that carries it. */
export interface Deliveries {
  /** The line, or response, with the answer of an operation left the process on this connection, as this request's reply. */
  written(handle: string, connection: string, request: unknown): void
  /** Another request came in on a connection: what was written before it was read. */
  wentOn(connection: string, request?: unknown): void
  /** A client cancelled a request, whether or not its answer was written. */
  cancelled(handle: string): void
  /** Writing failed, or the line never left. */
  lost(handle: string, basis: 'pipe' | 'stream'): void
  /** The same principal used what the answer gave it: its authorization or its handle. Proof. */
  used(handle: string): void
  /** A connection ended: nothing that was only written on it is learned by waiting any more. */
  closed(connection: string): void
  /** What is known of an answer now, its wait included; undefined when nothing is. */
  answerOf(handle: string): DeliveredAnswer | undefined
  /** When the next answer counts as taken by waiting; null when none is waited for. */
  nextWaitMs(): number | null
  /** Forgets an operation that is final in the file. */
  forget(handle: string): void
}

interface Known extends DeliveredAnswer {
  atMs: number
  connection?: string
  request?: unknown
}

/** `onChange` is told of every operation of whose answer something new is known. */
export function createDeliveries(clock: Pick<Clock, 'nowMs'>, onChange: (handle: string) => void): Deliveries {
  const known = new Map<string, Known>()
  /** Those of them that were written and not yet taken. */
  const pending = new Map<string, Known>()

  const set = (handle: string, delivery: Known['delivery'], basis: Known['basis'], more: Partial<Known> = {}) => {
    // What was taken stays taken, whatever comes later.
    if (known.get(handle)?.delivery === 'taken') return
    const atMs = clock.nowMs()
    const one = { delivery, basis, happenedAt: new Date(atMs).toISOString(), atMs, ...more }
    known.set(handle, one)
    if (delivery === 'written') pending.set(handle, one)
    else pending.delete(handle)
    onChange(handle)
  }
  const settleWaits = () => {
    for (const [handle, { atMs, connection }] of pending)
      if (connection !== undefined && clock.nowMs() - atMs >= waitedMs) set(handle, 'taken', 'waited')
  }

  return {
    written: (handle, connection, request) => set(handle, 'written', null, { connection, request }),
    wentOn: (connection, request) => {
      for (const [handle, one] of pending)
        if (one.connection === connection && one.request !== request) set(handle, 'taken', 'went_on')
    },
    cancelled: (handle) => set(handle, 'dropped', 'cancelled'),
    lost: (handle, basis) => set(handle, 'dropped', basis),
    used: (handle) => set(handle, 'taken', 'used'),
    closed: (connection) => {
      settleWaits()
      for (const [, one] of pending) if (one.connection === connection) delete one.connection
    },
    answerOf: (handle) => {
      settleWaits()
      const one = known.get(handle)
      return one && { delivery: one.delivery, basis: one.basis, happenedAt: one.happenedAt }
    },
    nextWaitMs: () => {
      settleWaits()
      const waits = [...pending].filter(([, one]) => one.connection !== undefined)
      if (waits.length === 0) return null
      return Math.min(...waits.map(([, { atMs }]) => Math.max(0, atMs + waitedMs - clock.nowMs())))
    },
    forget: (handle) => {
      known.delete(handle)
      pending.delete(handle)
    },
  }
}
