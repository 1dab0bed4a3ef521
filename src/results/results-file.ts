import { lstatSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { migrate, openDatabase, readFileMarks, type SqliteDatabase } from '../storage/database.ts'
import { resultsApplicationId, resultsMigrations } from '../storage/migrations.ts'
import { prepareStatements, type Statements } from './statements.ts'
import { StoreFailure } from './store-failure.ts'

/** How waiting is done: injected, so that tests are exact. */
export interface Waiting {
  /** Monotonic milliseconds. */
  monotonicMs(): number
  pause(ms: number): Promise<void>
  /** Lets everything else that is ready run. */
  turn(): Promise<void>
  /** A number from 0 to 1. */
  random(): number
}

/** The results file, opened when it is first needed and again when it was replaced or has failed. */
export interface ResultsFile {
  /** One reading transaction; undefined while there is no file. Rejects with StoreFailure. */
  read<T>(work: (statements: Statements) => T, patienceMs?: number): Promise<T | undefined>
  /** One immediate transaction; makes the file when there is none. Rejects with StoreFailure. */
  write<T>(work: (statements: Statements) => T, patienceMs?: number): Promise<T>
  /** For good: whatever comes later fails. */
  close(): void
}

/** What a results file is opened with. */
export interface ResultsFileOptions {
  /** Undefined: there is no place for it, and so no store. */
  path: string | undefined
  /** The file never grows beyond this. */
  limitBytes: number
  waiting: Waiting
}

/** The longest that one transaction waits for others, opening included: a call is never delayed by a second (O07). */
const longestWaitMs = 800
/** SQLite's own wait would block the process. */
const busyTimeoutMs = 2
/** Large enough to read a chunk with few page reads, small enough for short rows. */
const pageBytes = 8192
const cacheKiB = 2048
/** After a checkpoint the log is cut to this; a checkpoint comes after as much. */
const logBytes = 4 * 1024 * 1024

/** Several processes share one file; each waits for the others with jittered retries that block nobody (DESIGN 11). */
export function createResultsFile(options: ResultsFileOptions): ResultsFile {
  const { waiting } = options
  let opened: Opened | undefined
  let isClosed = false

  function close(): void {
    opened?.database.close()
    opened = undefined
  }

  function present(): Opened | undefined {
    if (opened !== undefined && identityOf(opened.path) !== opened.identity) close()
    return opened
  }

  function open(): Opened {
    if (options.path === undefined || isClosed) throw new StoreFailure('unusable')
    return (opened = present() ?? openFile(options.path, options.limitBytes))
  }

  function isThere(): boolean {
    return present() !== undefined || identityOf(options.path) !== undefined
  }

  async function patiently<T>(work: () => T, patienceMs = longestWaitMs): Promise<T> {
    const started = waiting.monotonicMs()
    for (;;) {
      try {
        return work()
      } catch (error) {
        const failure = StoreFailure.from(error)
        // A connection that has failed once is not trusted again.
        if (failure.fault !== 'busy' && failure.fault !== 'full') close()
        if (failure.fault !== 'busy' || waiting.monotonicMs() - started >= patienceMs) throw failure
      }
      await waiting.pause(2 + waiting.random() * 18)
    }
  }

  return {
    read: (work, patienceMs) =>
      patiently(() => {
        if (options.path !== undefined && !isThere()) return undefined
        const { database, statements } = open()
        return database.transaction(() => work(statements)).deferred()
      }, patienceMs),
    write: (work, patienceMs) =>
      patiently(() => {
        const { database, statements } = open()
        return database.transaction(() => work(statements)).immediate()
      }, patienceMs),
    close() {
      isClosed = true
      close()
    },
  }
}

interface Opened {
  path: string
  database: SqliteDatabase
  statements: Statements
  /** Which file it is, wherever its name leads by now. */
  identity: string | undefined
}

function openFile(file: string, limitBytes: number): Opened {
  refuseForeign(file)
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const layout = { pageBytes, incrementalVacuum: true }
  // What a loss of power can cost is results that anyhow expire within a day; waiting for the disk would stall every call.
  const database = openDatabase(file, { busyTimeoutMs, layout, synchronous: 'OFF' })
  try {
    const version = database.pragma('user_version', { simple: true })
    if (version !== resultsMigrations.length) migrate(database, resultsMigrations)
    const page = database.pragma('page_size', { simple: true }) as number
    database.pragma(`max_page_count = ${Math.floor(limitBytes / page)}`)
    database.pragma(`cache_size = -${cacheKiB}`)
    database.pragma(`journal_size_limit = ${logBytes}`)
    database.pragma(`wal_autocheckpoint = ${Math.floor(logBytes / page)}`)
    return { path: file, database, statements: prepareStatements(database), identity: identityOf(file) }
  } catch (error) {
    database.close()
    throw error
  }
}

/** Looks without writing; throws when the file is not ours and not empty. */
function refuseForeign(file: string): void {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (!stat.isFile()) throw new StoreFailure('foreign')
  if (stat.size === 0) return
  const { applicationId, userVersion, tables } = readFileMarks(file)
  const isOurs = applicationId === resultsApplicationId && userVersion <= resultsMigrations.length
  const isFresh = applicationId === 0 && userVersion === 0 && tables === 0
  if (!isOurs && !isFresh) throw new StoreFailure('foreign')
}

function identityOf(file: string | undefined): string | undefined {
  const stat = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}
