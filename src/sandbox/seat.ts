import { closeSync, existsSync, openSync } from 'node:fs'
import path from 'node:path'
import { isBusy } from '../storage/busy.ts'
import { openKept } from '../storage/kept-database.ts'
import { makePrivateFolder } from '../storage/make-folder.ts'

/** The right to serve the backends of one data folder: of all processes, at most one has it. */
export interface Seat {
  /** Takes it unless another process has it; says whether this process has it now. Never waits. */
  take(): boolean
  /** Lets another process have it. */
  leave(): void
  /** Gives it up for good. */
  close(): void
}

const fileOf = (folder: string) => path.join(folder, 'lock.sqlite3')

/**
 * Opens the seat of a data folder, which is made when it is missing. It is SQLite's lock on an empty file, so a process that dies leaves
 * it at once. Throws the file system's error, or SQLite's.
 */
export function openSeat(folder: string): Seat {
  makePrivateFolder(folder)
  makePrivately(fileOf(folder))
  const database = openKept(fileOf(folder), { timeout: 0 })
  return {
    take() {
      if (database.inTransaction) return true
      try {
        database.exec('begin immediate')
        return true
      } catch (error) {
        if (isBusy(error)) return false
        throw error
      }
    },
    leave() {
      if (database.inTransaction) database.exec('rollback')
    },
    close: () => void database.close(),
  }
}

/** Whether a process ever took part in a sandbox of this folder. */
export function hasSeat(folder: string): boolean {
  return existsSync(fileOf(folder))
}

/** Whether a process serves the backends of a folder, or is about to. Makes nothing where nothing is. */
export function isSeatTaken(folder: string): boolean {
  if (!hasSeat(folder)) return false
  const seat = openSeat(folder)
  try {
    return !seat.take()
  } finally {
    seat.close()
  }
}

/** A file that is there is not opened: closing it again would end the locks that this process has on it. */
function makePrivately(file: string): void {
  if (existsSync(file)) return
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
