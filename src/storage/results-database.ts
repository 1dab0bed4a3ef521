import { lstatSync } from 'node:fs'
import path from 'node:path'
import { makePrivateFolder } from './make-folder.ts'
import { migrate, openDatabase, readFileMarks, type SqliteDatabase } from './database.ts'
import { resultsApplicationId, resultsMigrations } from './migrations.ts'

/** The file is something else's, or a newer release's; it is left exactly as it is. */
export class NotOurFile extends Error {
  override readonly name = 'NotOurFile'
}

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
  refuseForeign(file)
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

/** Looks without writing; throws when the file is not ours and not empty. */
function refuseForeign(file: string): void {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (!stat.isFile()) throw new NotOurFile('the results path is no regular file')
  if (stat.size === 0) return
  const { applicationId, userVersion, tables } = readFileMarks(file)
  const isOurs = applicationId === resultsApplicationId && userVersion <= resultsMigrations.length
  const isFresh = applicationId === 0 && userVersion === 0 && tables === 0
  if (!isOurs && !isFresh) throw new NotOurFile('the results file is foreign or of a newer release')
}
