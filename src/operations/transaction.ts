import { retryWhileBusy, type BusyWait, type Patience } from '../storage/busy.ts'
import type { SqliteDatabase } from '../storage/database.ts'
import { isDamage } from '../storage/damage.ts'
import { RouterError } from '../errors/router-error.ts'
import type { FileGuard } from './file-guard.ts'

/** The two ways into the registry file. */
export interface RegistryAccess {
  /** Runs one piece of work as one immediate transaction. */
  transact<T>(work: () => T): Promise<T>
  /** Runs one reading statement. */
  read<T>(work: () => T): Promise<T>
}

/** Thrown by the work itself when it must not be done: it rolls back, is not tried again and passes through unchanged. */
export class WorkRefused extends Error {}

/** A read alone cannot charge anybody twice, so it trusts a look at the file that is not older than this. */
const readsTrustMs = 250

/** A busy registry is tried again for this long before the caller is told. */
export const registryPatience: Patience = { longestMs: 5000, pauseMs: [5, 50] }

/**
 * Every read-modify-write is one immediate transaction, retried as a whole with jitter while the file is busy, so that
 * the process is never blocked. Throws `operation_registry_unavailable` when the guard has given the file up, and
 * `operation_registry_error` when the patience ends or the file fails otherwise; a RouterError or a WorkRefused of the work itself rolls back and passes through.
 */
export function createRegistryAccess(
  database: SqliteDatabase,
  wait: BusyWait,
  guard: FileGuard,
  onCommitted = () => {},
): RegistryAccess {
  const patiently = async <T>(work: () => T): Promise<T> => {
    try {
      return await retryWhileBusy(wait, registryPatience, work)
    } catch (error) {
      if (error instanceof RouterError || error instanceof WorkRefused) throw error
      if (isDamage(error)) guard.lose('damaged')
      // What a file that is gone says about itself is not the reason.
      guard.check()
      throw registryError(error)
    }
  }
  let lookedAtMs = -Infinity
  const look = () => {
    guard.check()
    lookedAtMs = wait.clock.monotonicMs()
  }
  const looked = <T>(work: () => T): T => {
    if (guard.lost !== null || wait.clock.monotonicMs() - lookedAtMs >= readsTrustMs) look()
    return work()
  }
  // Made once: making it costs more than many a work does.
  const atOnce = database.transaction((work: () => unknown) => work())
  const countChanges = database.prepare<[], number>('select total_changes()').pluck()
  return {
    transact: async <T>(work: () => T) => {
      let hasChanged = false
      const guarded = () => {
        const before = countChanges.get()
        const done = looked(work)
        hasChanged = countChanges.get() !== before
        // Before the commit and with the lock held: nobody else's writing lies between the look and ours.
        if (hasChanged) look()
        return done
      }
      const done = await patiently(() => atOnce.immediate(guarded) as T)
      if (hasChanged) onCommitted()
      return done
    },
    read: (work) => patiently(() => looked(work)),
  }
}

function registryError(cause: unknown): RouterError {
  return new RouterError(
    'operation_registry_error',
    'The operation registry is busy or failing, so nothing was sent. Deliver the same call again with the same harness identity.',
    { cause },
  )
}
