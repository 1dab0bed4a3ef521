import path from 'node:path'
import { makePrivateFolder } from './make-folder.ts'
import { migrate, openDatabase, type SqliteDatabase } from './database.ts'
import { demandOurFile } from './our-file.ts'
import { resultsApplicationId, resultsMigrations } from './migrations.ts'

/** SQLite's own wait would block the process; who opens the file retries instead. */
const busyTimeoutMs = 2
/** Large enough to read a chunk of a result with few page reads, small enough for short rows. */
const pageBytes = 8192
const cacheKiB = 2048
/** After a checkpoint the log is cut to this; a checkpoint comes after as much. */
const logBytes = 4 * 1024 * 1024

/**
 * Opens the file of stored results and usage, or makes it, in a private folder. It never grows beyond
 * `limitBytes`. Throws NotOurFile, or the error of SQLite or of the file system; a busy file is for the caller to retry.
 */
export function openResultsDatabase(file: string, limitBytes: number): SqliteDatabase {
  demandOurFile(file, { what: 'results', applicationId: resultsApplicationId, userVersion: resultsMigrations.length })
  makePrivateFolder(path.dirname(file))
  const layout = { pageBytes, incrementalVacuum: true }
  // What a loss of power can cost expires within a day anyhow; waiting for the disk would stall every call.
  const database = openDatabase(file, { busyTimeoutMs, layout, synchronous: 'OFF' })
  try {
    const version = database.pragma('user_version', { simple: true })
    if (version !== resultsMigrations.length) migrate(database, resultsMigrations)
    const page = database.pragma('page_size', { simple: true }) as number
    database.pragma(`max_page_count = ${Math.floor(limitBytes / page)}`)
    database.pragma(`cache_size = -${cacheKiB}`)
    database.pragma(`journal_size_limit = ${logBytes}`)
    database.pragma(`wal_autocheckpoint = ${Math.floor(logBytes / page)}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
