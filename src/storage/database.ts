// This room opens SQLite files. It is the only place that names better-sqlite3; others take the opened handle.
import type Database from 'better-sqlite3'
import { chmodSync, closeSync, fstatSync, openSync } from 'node:fs'
import { openKept } from './kept-database.ts'
import { libraryName } from './library.ts'

/** An opened SQLite file. Statements may only run in the process that opened it. */
export type SqliteDatabase = Database.Database

/** SQLite's own wait for a lock. Kept short because it blocks the event loop. */
export const sqliteBusyTimeoutMs = 50

/** How a file is opened. */
export interface OpenOptions {
  /** How long SQLite may block for a lock, in milliseconds. Default: `sqliteBusyTimeoutMs`. */
  busyTimeoutMs?: number
  /** Overwrite deleted content with zeros (the registry asks for it). Default: false. */
  secureDelete?: boolean
  /** For a file that is made new: SQLite's page size, and whether freed pages can be given back in steps. */
  layout?: { pageBytes: number; incrementalVacuum: boolean }
  /**
   * FULL, the default, survives a loss of power. With NORMAL such a loss may cost the last changes, and with OFF, which never waits
   * for the disk, the file; a killed process loses nothing.
   */
  synchronous?: 'FULL' | 'NORMAL' | 'OFF'
}

/**
 * Opens, or creates with mode 0600, a SQLite file in WAL mode with `synchronous=FULL` (or less) and foreign keys on.
 * The pragmas are set on every open, because reopening a WAL file falls back to NORMAL.
 * Throws better-sqlite3's error when the file cannot be opened.
 */
export function openDatabase(path: string, options: OpenOptions = {}): SqliteDatabase {
  const isNew = createPrivately(path)
  const database = openKept(path, { timeout: options.busyTimeoutMs ?? sqliteBusyTimeoutMs })
  try {
    if (isNew && options.layout !== undefined) {
      // Both are settled with the first write, which is the change to WAL.
      database.pragma(`page_size = ${options.layout.pageBytes}`)
      if (options.layout.incrementalVacuum) database.pragma('auto_vacuum = INCREMENTAL')
    }
    database.pragma('journal_mode = WAL')
    database.pragma(`synchronous = ${options.synchronous ?? 'FULL'}`)
    database.pragma('foreign_keys = ON')
    if (options.secureDelete) database.pragma('secure_delete = ON')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Brings a file of ours to the newest schema: runs each step that `user_version` has not seen, in one immediate
 * transaction, and records how many ran. Steps are only ever appended.
 */
export function migrate(database: SqliteDatabase, steps: readonly string[]): void {
  database
    .transaction(() => {
      const version = database.pragma('user_version', { simple: true }) as number
      if (version > steps.length) throw new Error('the database was written by a newer release')
      for (const step of steps.slice(version)) database.exec(step)
      database.pragma(`user_version = ${steps.length}`)
    })
    .immediate()
}

/** The SQLite library with its version. Throws when none can be loaded by this Node.js. */
export function sqliteVersion(): string {
  const database = openKept(':memory:', {})
  try {
    return `${libraryName} with SQLite ${database.prepare('select sqlite_version()').pluck().get() as string}`
  } finally {
    database.close()
  }
}

/** What a SQLite file says about itself. */
export interface FileMarks {
  applicationId: number
  userVersion: number
  /** Number of tables that are not SQLite's own. */
  tables: number
}

/**
 * Runs `work` on an existing file that is opened for reading only, also while others write to it. Nothing of the file is
 * changed; a WAL file may get an empty side file, which stays: removing one that another process has just opened would
 * cost that process data. Throws better-sqlite3's error when the file is missing, no database or cannot be read.
 */
export function readOnly<T>(path: string, work: (database: SqliteDatabase) => T): T {
  const database = openReadOnly(path)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** The same for work that takes its time: the caller closes it. */
export function openReadOnly(path: string): SqliteDatabase {
  return openKept(path, { readonly: true, fileMustExist: true, timeout: sqliteBusyTimeoutMs })
}

/**
 * A file's marks, read through SQLite, because they may stand only in its WAL. Throws as `readOnly` does.
 */
export function readFileMarks(path: string): FileMarks {
  return readOnly(path, (database) => ({
    applicationId: database.pragma('application_id', { simple: true }) as number,
    userVersion: database.pragma('user_version', { simple: true }) as number,
    tables: database.prepare(countTables).pluck().get() as number,
  }))
}

const countTables = "select count(*) from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'"

/**
 * SQLite gives new side files the mode of the main file, so the main file must be private before it is opened. Those that
 * a crash left behind hold the same content and become as private. Says whether the file is still empty.
 */
function createPrivately(path: string): boolean {
  const file = openSync(path, 'a', 0o600)
  const isEmpty = fstatSync(file).size === 0
  closeSync(file)
  if (process.platform !== 'win32') makePrivate(path)
  return isEmpty
}

function makePrivate(path: string): void {
  chmodSync(path, 0o600)
  for (const side of ['-wal', '-shm', '-journal']) {
    try {
      chmodSync(path + side, 0o600)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}
