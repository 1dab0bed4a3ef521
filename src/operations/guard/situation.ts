// Pure: how an earlier operation stands, as far as it matters to a call that equals it.
import { isLive, moneyAnswer, type MoneyAnswer, type MoneyFacts } from '../money.ts'
import { isTerminal, type OperationRow } from '../row.ts'

/** What is known of an answer's way to the agent; null: it was never handed to a connection. */
export type Delivery = 'written' | 'taken' | 'dropped' | null

/** Where an earlier operation stands. */
export type Standing =
  /** Hubu has not decided, and a request to it is under way. */
  | 'in_flight'
  /** Hubu's decision is not known, and nobody waits for it. */
  | 'undecided'
  | 'waiting'
  /** Allowed, its authorization live and unused. */
  | 'unused'
  /** Acknowledged and not final. */
  | 'running'
  | 'paid'
  /** Final, and nobody knows whether money moved. */
  | 'in_doubt'

/** An earlier operation that a call might be meant to be. Times are epoch milliseconds. */
export interface Earlier {
  handle: string
  standing: Standing
  answer: MoneyAnswer
  requestedAtMs: number
  /** When its result was stored; null while there is none. */
  storedAtMs: number | null
  /** When it last changed. */
  changedAtMs: number
  delivery: Delivery
  /** When the delivery became known; null without one. */
  deliveredAtMs: number | null
}

/** What is known of the answer of an operation. */
export interface DeliveryFacts {
  delivery: Delivery
  deliveredAtMs: number | null
}

/**
 * How a row stands. Undefined for one that Hubu refused or that certainly cost nothing: nothing of it can be bought twice.
 * `isUnderWay`: somebody who is alive waits for Hubu's answer.
 */
export function earlierOf(
  row: OperationRow,
  facts: MoneyFacts & DeliveryFacts & { isUnderWay: boolean },
  now: Date,
): Earlier | undefined {
  const answer = moneyAnswer(row, facts, now)
  // A first request that is just being sent is not marked yet, but is no purchase that failed either.
  if (answer === 'refused' || (answer === 'not_paid' && !facts.isUnderWay)) return undefined
  return {
    handle: row.operation_handle,
    standing: standingOf(row, answer, facts.isUnderWay, now),
    answer,
    requestedAtMs: Date.parse(row.created_at),
    storedAtMs: toMs(row.result_recorded_at),
    changedAtMs: Date.parse(row.operation_updated_at ?? row.result_recorded_at ?? row.created_at),
    delivery: facts.delivery,
    deliveredAtMs: facts.deliveredAtMs,
  }
}

function standingOf(row: OperationRow, answer: MoneyAnswer, isUnderWay: boolean, now: Date): Standing {
  if (answer === 'paid') return 'paid'
  if (row.operation_state !== null && !isTerminal(row.operation_state)) return 'running'
  if (answer === 'waiting') return 'waiting'
  if (row.decision === null && row.operation_state === null) return isUnderWay ? 'in_flight' : 'undecided'
  return answer === 'held' && isLive(row, now) ? 'unused' : 'in_doubt'
}

function toMs(instant: string | null): number | null {
  return instant === null ? null : Date.parse(instant)
}
