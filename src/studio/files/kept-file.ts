// One file of ours, open for looking: opened late, closed when nobody looks any more, opened anew when another file has its name.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { isBusy, retryWhileBusy } from '../../storage/busy.ts'
import { openReadOnly, type SqliteDatabase } from '../../storage/database.ts'
import { NotOurFile } from '../../storage/our-file.ts'
import type { Clock } from '../../timing/clock.ts'

/** Why a file cannot be looked into. */
export type FileFault = 'not_configured' | 'missing' | 'not_ours' | 'busy' | 'unreadable'

/** What was read, or why nothing could be. */
export type Looked<T> = { kind: 'read'; value: T } | { kind: 'fault'; fault: FileFault }

/** A file that others write. */
export interface KeptFile {
  /** Never rejects for what is found. `work` must be short and gets a database that cannot be written. */
  look<T>(work: (database: SqliteDatabase) => T): Promise<Looked<T>>
  /** Another value after each change; undefined while the file cannot be opened. */
  version(): string | undefined
  close(): void
}

/** What a file is opened with. */
export interface KeptFileOptions {
  path: string | undefined
  /** Throws NotOurFile, or anything else for a file that cannot be used. */
  check(database: SqliteDatabase): void
  clock: Pick<Clock, 'monotonicMs' | 'sleep' | 'after'>
}

const idleMs = 60_000
const patience = { longestMs: 1000, pauseMs: [5, 25] as const }

export function keepFile({ path: file, check, clock }: KeptFileOptions): KeptFile {
  let opened: { database: SqliteDatabase; identity: string } | undefined
  let cancelIdle = () => {}

  function close(): void {
    cancelIdle()
    opened?.database.close()
    opened = undefined
  }

  function open(): SqliteDatabase {
    const identity = identityOf(file!)
    if (identity === undefined) {
      close()
      throw new Missing()
    }
    if (opened?.identity !== identity) {
      close()
      const database = openReadOnly(file!)
      try {
        check(database)
      } catch (error) {
        database.close()
        throw error
      }
      opened = { database, identity }
    }
    cancelIdle()
    cancelIdle = clock.after(idleMs, close)
    return opened.database
  }

  return {
    async look(work) {
      if (file === undefined || !path.isAbsolute(file)) return { kind: 'fault', fault: 'not_configured' }
      try {
        const value = await retryWhileBusy({ clock, random: Math.random }, patience, () => work(open()))
        return { kind: 'read', value }
      } catch (error) {
        const fault = faultOf(error)
        if (fault !== 'busy') close()
        return { kind: 'fault', fault }
      }
    },
    version() {
      if (file === undefined || !path.isAbsolute(file)) return undefined
      try {
        const version = open().pragma('data_version', { simple: true }) as number
        return `${opened!.identity}/${version}`
      } catch {
        return undefined
      }
    },
    close,
  }
}

class Missing extends Error {}

function faultOf(error: unknown): FileFault {
  if (error instanceof Missing) return 'missing'
  if (error instanceof NotOurFile || (error as { code?: unknown } | null)?.code === 'SQLITE_NOTADB') return 'not_ours'
  return isBusy(error) ? 'busy' : 'unreadable'
}

/** Which file it is, whatever stands under its name later; undefined where there is none. */
function identityOf(file: string): string | undefined {
  try {
    const stat = lstatSync(file)
    if (!stat.isFile()) throw new NotOurFile('it is no regular file')
    return `${stat.dev}:${stat.ino}`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
