import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabase } from '../storage/database.ts'
import { makePrivateFolder } from '../storage/make-folder.ts'

/** A folder that belongs to this process alone until it is released or the process dies. */
export interface ClaimedFolder {
  path: string
  /** Gives the folder up; a temporary one is gone afterwards. */
  release(): void
}

/** So many sandboxes may run beside each other on one machine. */
const mostFolders = 50

/**
 * Claims the data folder, or, while another sandbox runs in it, the next free one beside it (`sandbox-2`, …): a client may
 * start a throw-away copy next to the one it keeps. The claim is a lock of the operating system, so a dead process
 * leaves none behind.
 */
export function claimDataFolder(folder: string): ClaimedFolder {
  for (let number = 1; number <= mostFolders; number++) {
    const candidate = number === 1 ? folder : `${folder}-${number}`
    const release = lock(candidate)
    if (release !== null) return { path: candidate, release }
  }
  throw new Error(`${mostFolders} sandboxes run already`)
}

/** A folder of its own that is removed on release. */
export function claimTemporaryFolder(): ClaimedFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'hubu-unified-mcp-sandbox-'))
  return { path: folder, release: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Takes the folder's lock; null when somebody else has it. */
function lock(folder: string): (() => void) | null {
  makePrivateFolder(folder)
  const database = openDatabase(path.join(folder, 'lock.sqlite3'))
  try {
    database.exec('begin immediate')
    return () => database.close()
  } catch (error) {
    database.close()
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return null
    throw error
  }
}
