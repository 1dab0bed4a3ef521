import { dateOf, type Clock } from '../timing/clock.ts'
import type { SqliteDatabase } from '../storage/database.ts'
import { plusMs, toStored } from './instants.ts'

/** Finds the leases of workers that are gone and whose end the wall clock, set back, puts too far off. */
export interface LeaseWatch {
  /** Looks at the file. Reads only. */
  look(): void
  /** The ids of such leases as of the last look. */
  abandoned(): string[]
}

/**
 * A lease is given once, for `leaseMs`. One that ends later than any that were given now is followed by the monotonic clock:
 * when this process has seen it for `leaseMs`, its time is over, whatever the wall clock says.
 */
export function createLeaseWatch(
  database: SqliteDatabase,
  { clock, leaseMs }: { clock: Pick<Clock, 'nowMs' | 'monotonicMs'>; leaseMs: number },
): LeaseWatch {
  const farOff = database
    .prepare<[string], string>(
      `select worker_lease_id from harness_operations
       where operation_state in ('dispatching', 'reconciling') and worker_lease_expires_at > ? and worker_lease_id is not null`,
    )
    .pluck()
  /** When each was first seen. */
  let seenAtMs = new Map<string, number>()

  return {
    look: () => {
      const ids = farOff.all(toStored(plusMs(dateOf(clock), leaseMs)))
      seenAtMs = new Map(ids.map((id) => [id, seenAtMs.get(id) ?? clock.monotonicMs()]))
    },
    abandoned: () => [...seenAtMs].filter(([, sinceMs]) => clock.monotonicMs() - sinceMs >= leaseMs).map(([id]) => id),
  }
}
