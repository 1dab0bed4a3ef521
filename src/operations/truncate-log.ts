import type { SqliteDatabase } from '../storage/database.ts'

/**
 * Moves everything into the main file, where erased content is overwritten, and empties the log, so that an erased request
 * text is nowhere on the disk. Never throws: when somebody else is in the way, or the disk fails, the next
 * erasure or the next start does it.
 */
export function truncateLog(database: SqliteDatabase): void {
  try {
    database.pragma('wal_checkpoint(TRUNCATE)')
  } catch {
    // What is committed stays committed; only the erasure is late.
  }
}
