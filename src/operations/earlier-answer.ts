import { dateOf, type Clock } from '../timing/clock.ts'
import { plusMs, toStored } from './instants.ts'
import type { OperationRow } from './row.ts'
import type { EarlierAnswer, Seen } from './spend-turn.ts'

/** A retry comes sooner after the answer that it missed. */
const retriedWithinMs = 60_000

/**
 * Tells of a stored answer whether it may surprise who gets it. `hasReusedId` says whether a call id of a platform was used for two
 * purchases lately; it is asked inside the caller's transaction.
 */
export function createEarlierAnswers(
  clock: Pick<Clock, 'nowMs'>,
  hasReusedId: (platform: string) => boolean,
): (row: OperationRow, seen: Seen | undefined) => EarlierAnswer {
  const openedAt = toStored(dateOf(clock))
  return ({ result_recorded_at: at, platform }, seen) => {
    const isEarlier =
      at !== null && seen === undefined && (at < openedAt || at < toStored(plusMs(dateOf(clock), -retriedWithinMs)))
    return isEarlier ? { earlierAt: at, idsRepeat: hasReusedId(platform) } : { earlierAt: null, idsRepeat: false }
  }
}
