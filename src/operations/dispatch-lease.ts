// Pure: to whom the dispatch of a spend belongs.
import { plusMs, toStored } from './instants.ts'
import type { OperationRow } from './row.ts'

/** How long a dispatch belongs to a process that says nothing; renewed while the request runs. */
export const dispatchLeaseMs = 3000

/**
 * A lease on a row without adapter state is a dispatch under way (the worker never claims such a row). One that ends later than
 * any lease given now was given before the wall clock was set back: nobody may wait for that.
 */
export function isLeased(row: OperationRow, now: Date): boolean {
  const ends = row.worker_lease_expires_at
  if (row.worker_lease_id === null || ends === null || row.operation_state !== null) return false
  return ends > toStored(now) && ends <= toStored(plusMs(now, dispatchLeaseMs))
}
