import type { SqliteDatabase } from '../storage/database.ts'
import { dateOf, type Clock } from '../timing/clock.ts'
import type { ClockWitness } from '../timing/clock-witness.ts'
import { isExpired, readExpiry } from './instants.ts'
import type { OperationRow } from './row.ts'
import type { RegistryAccess } from './transaction.ts'

/**
 * Erasing authorization ids whose time is over, in the column and in the stored result, unless an execution was acknowledged
 * with them.
 */
export interface Cleanup {
  /**
   * Erases in every row, in a commit of its own. Looking costs about a microsecond for each live id, so it is left out when the
   * last look was so short ago that it would cost more than a hundredth of the time; with a few ids every call looks.
   */
  sweep(): Promise<void>
  /** The row as an erasure leaves it, erased now if a sweep has not been there yet. Runs inside the caller's transaction. */
  fresh(row: OperationRow | undefined): OperationRow | undefined
}

/** Milliseconds between two sweeps, for each live id that the first one found. */
const restMsPerId = 0.1

type LiveId = Pick<OperationRow, 'operation_handle' | 'authorization_expires_at'>

/** Ids expire by the wall clock, where the witness agrees; the monotonic one spaces the sweeps. */
export function createCleanup(
  database: SqliteDatabase,
  { transact, read }: RegistryAccess,
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
  witness: Pick<ClockWitness, 'isOver' | 'onFirstHeard'>,
): Cleanup {
  const live = `auth_token_id is not null and authorization_expires_at is not null and gongbu_create_started_at is null`
  const liveIds = database.prepare<[], LiveId>(
    `select operation_handle, authorization_expires_at from harness_operations where ${live}`,
  )
  // Only where the id is still live under the very expiry that was judged: a row may have got a new one since it was looked at.
  const erase = database
    .prepare<[LiveId], string | null>(
      `update harness_operations set auth_token_id = null,
         result_json = json_remove(result_json, '$.auth_token_id', '$.spend_auth_token_id')
       where operation_handle = :operation_handle and authorization_expires_at = :authorization_expires_at and ${live}
       returning result_json`,
    )
    .pluck()
  let nextSweepMs = -Infinity
  const isOver = ({ operation_handle: handle, authorization_expires_at: expiry }: LiveId) => {
    if (expiry === null || !isExpired(expiry, dateOf(clock))) return false
    const endsAtMs = readExpiry(expiry)
    return endsAtMs === undefined || witness.isOver(`authorization of ${handle} until ${expiry}`, endsAtMs)
  }

  const sweep = async () => {
    if (clock.monotonicMs() < nextSweepMs) return
    const found = await read(() => liveIds.all())
    nextSweepMs = clock.monotonicMs() + found.length * restMsPerId
    const over = found.filter(isOver)
    if (over.length > 0) await transact(() => over.forEach((row) => erase.get(row)))
  }
  witness.onFirstHeard(() => {
    nextSweepMs = -Infinity
    // One that fails is made up for by the next.
    sweep().catch(() => {})
  })

  return {
    sweep,
    fresh: (row) => {
      if (row === undefined || row.auth_token_id === null || row.gongbu_create_started_at !== null) return row
      if (!isOver(row)) return row
      return { ...row, auth_token_id: null, result_json: erase.get(row) ?? null }
    },
  }
}
