// This room opens SQLite files. It is the only place that names better-sqlite3; others take the opened handle.
import Database from 'better-sqlite3'
import { chmodSync, closeSync, openSync } from 'node:fs'

/** An opened SQLite file. Statements may only run in the process that opened it. */
export type SqliteDatabase = Database.Database

/** SQLite's own wait for a lock. Kept short because it blocks the event loop (DESIGN 11). */
export const sqliteBusyTimeoutMs = 50

/** How a file is opened. */
export interface OpenOptions {
  /** How long SQLite may block for a lock, in milliseconds. Default: `sqliteBusyTimeoutMs`. */
  busyTimeoutMs?: number
  /** Overwrite deleted content with zeros (R 6.1, registry). Default: false. */
  secureDelete?: boolean
}

/**
 * Opens, or creates with mode 0600, a SQLite file in WAL mode with `synchronous=FULL` and foreign keys on.
 * The pragmas are set on every open, because reopening a WAL file falls back to NORMAL (DESIGN 9).
 * Throws better-sqlite3's error when the file cannot be opened.
 */
export function openDatabase(path: string, options: OpenOptions = {}): SqliteDatabase {
  createPrivately(path)
  const database = new Database(path, { timeout: options.busyTimeoutMs ?? sqliteBusyTimeoutMs })
  try {
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
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

/** What a SQLite file says about itself. */
export interface FileMarks {
  applicationId: number
  userVersion: number
  /** Number of tables that are not SQLite's own. */
  tables: number
}

/**
 * Reads a file's marks without writing to it, through SQLite, because they may stand only in its WAL (DESIGN 11).
 * Throws better-sqlite3's error when it is no database or cannot be read. A refused WAL file may keep an empty side file
 * next to it: removing one that another process has just opened would cost that process data.
 */
export function readFileMarks(path: string): FileMarks {
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: sqliteBusyTimeoutMs })
  try {
    return {
      applicationId: database.pragma('application_id', { simple: true }) as number,
      userVersion: database.pragma('user_version', { simple: true }) as number,
      tables: database.prepare(countTables).pluck().get() as number,
    }
  } finally {
    database.close()
  }
}

const countTables = "select count(*) from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'"

/** SQLite gives its side files the mode of the main file, so the main file must be private before it is opened. */
function createPrivately(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
  if (process.platform !== 'win32') chmodSync(path, 0o600)
}
