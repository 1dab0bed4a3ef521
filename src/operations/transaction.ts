import type { SqliteDatabase } from '../storage/database.ts'
import { RouterError } from '../errors/router-error.ts'

/** How the registry waits while another process holds the write lock. */
export interface Waiting {
  /** Monotonic milliseconds. */
  monotonicMs(): number
  /** Resolves after about so many milliseconds. */
  pause(ms: number): Promise<void>
  /** A number from 0 to 1. */
  random(): number
}

/** The two ways into the registry file. */
export interface RegistryAccess {
  /** Runs one piece of work as one immediate transaction. */
  transact<T>(work: () => T): Promise<T>
  /** Runs one reading statement. */
  read<T>(work: () => T): Promise<T>
}

/** Thrown by the work itself when it must not be done: it rolls back, is not tried again and passes through unchanged. */
export class WorkRefused extends Error {}

/** A busy registry is tried again for this long before the caller is told (DESIGN 11). */
export const busyPatienceMs = 5000

/**
 * Every read-modify-write is one immediate transaction, retried as a whole with jitter while the file is busy, so that
 * the process is never blocked (DESIGN 9, 11). Throws `operation_registry_error` when the patience ends or the file
 * fails; a RouterError or a WorkRefused of the work itself rolls back and passes through.
 */
export function createRegistryAccess(database: SqliteDatabase, waiting: Waiting): RegistryAccess {
  const patiently = async <T>(work: () => T): Promise<T> => {
    const started = waiting.monotonicMs()
    for (;;) {
      try {
        return work()
      } catch (error) {
        if (error instanceof RouterError || error instanceof WorkRefused) throw error
        if (!isBusy(error) || waiting.monotonicMs() - started >= busyPatienceMs) throw registryError(error)
      }
      await waiting.pause(5 + waiting.random() * 45)
    }
  }
  return { transact: (work) => patiently(() => database.transaction(work).immediate()), read: patiently }
}

/** Whether SQLite says that somebody else holds the file. */
export function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
}

function registryError(cause: unknown): RouterError {
  return new RouterError(
    'operation_registry_error',
    'The operation registry is busy or failing, so nothing was sent. Deliver the same call again with the same harness identity.',
    { cause },
  )
}
