import { statSync } from 'node:fs'
import { retryWhileBusy, type BusyWait } from '../storage/busy.ts'
import type { SqliteDatabase } from '../storage/database.ts'
import { openResultsDatabase } from '../storage/results-database.ts'
import { prepareStatements, type Statements } from './statements.ts'
import { StoreFailure } from './store-failure.ts'

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
export interface ResultsFileOptions extends BusyWait {
  /** Undefined: there is no place for it, and so no store. */
  path: string | undefined
  /** The file never grows beyond this. */
  limitBytes: number
}

/** The longest that one transaction waits for others, opening included: a call is never delayed by a second. */
const longestWaitMs = 800
const pauseMs = [2, 20] as const

/** Several processes share one file; each waits for the others with jittered retries that block nobody. */
export function createResultsFile(options: ResultsFileOptions): ResultsFile {
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
    try {
      return await retryWhileBusy(options, { longestMs: patienceMs, pauseMs }, work)
    } catch (error) {
      const failure = StoreFailure.from(error)
      // A connection that has failed once is not trusted again.
      if (failure.fault !== 'busy' && failure.fault !== 'full') close()
      throw failure
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
  const database = openResultsDatabase(file, limitBytes)
  return { path: file, database, statements: prepareStatements(database), identity: identityOf(file) }
}

function identityOf(file: string | undefined): string | undefined {
  const stat = file === undefined ? undefined : statOrNone(file)
  return stat && `${stat.dev}:${stat.ino}`
}

/** Node 20 throws where a file stands in the place of a folder, newer ones do not. */
function statOrNone(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}
