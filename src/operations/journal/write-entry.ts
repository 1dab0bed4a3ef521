// Entries that a person's command writes into a registry that routers may be using.
import type { SqliteDatabase } from '../../storage/database.ts'
import { openDatabase } from '../../storage/database.ts'
import { isBusy } from '../../storage/busy.ts'
import type { Clock } from '../../timing/clock.ts'
import { hasJournalTables } from '../added-tables.ts'
import { readRegistry, type Unreadable } from '../read-registry.ts'
import { createJournal, type Journal } from './journal.ts'

/** A person waits so long for a router that is writing. */
const patienceMs = 5000

/** What became of it. `no_journal`: the registry keeps none, or is older than it. */
export type WrittenByPerson<T> =
  { kind: 'written'; value: T } | { kind: 'not_written'; reason: Unreadable | 'no_journal' }

/** Runs the work in one commit of an existing registry with a journal; whatever it throws but a lock goes on. */
export function writeInRegistry<T>(
  statePath: string | undefined,
  clock: Pick<Clock, 'nowMs'>,
  work: (rooms: { database: SqliteDatabase; journal: Journal }) => T,
): WrittenByPerson<T> {
  const looked = readRegistry(statePath, hasJournalTables)
  if (looked.kind === 'unreadable') return { kind: 'not_written', reason: looked.reason }
  if (!looked.value) return { kind: 'not_written', reason: 'no_journal' }
  let database: SqliteDatabase | undefined
  try {
    const opened = (database = openDatabase(statePath!, { busyTimeoutMs: patienceMs, secureDelete: true }))
    const journal = createJournal(opened, clock)
    return { kind: 'written', value: opened.transaction(() => work({ database: opened, journal })).immediate() }
  } catch (error) {
    if (isBusy(error)) return { kind: 'not_written', reason: 'busy' }
    // SQLite's errors and those of the file system have a code.
    if (typeof (error as { code?: unknown } | null)?.code === 'string')
      return { kind: 'not_written', reason: 'unreadable' }
    throw error
  } finally {
    database?.close()
  }
}
