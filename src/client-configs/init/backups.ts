// The backups that set-up left beside clients' files, and which of them nobody needs any more.
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { sha256, sha256OfFile } from '../../documents/document-file.ts'
import { type FileRecord, type SetupJournal } from '../journal/journal.ts'

/** One backup of a file that a journal names. */
export interface Backup {
  path: string
  bytes: number
  /** Its bytes can be had from the journal as well, so that it may go. */
  isSpare: boolean
}

/** The backups beside the files of all journals, and those of projects in our data folder, by path. */
export function findBackups(journals: readonly SetupJournal[], dataFolder: string): Backup[] {
  const records = new Map(journals.flatMap(({ files }) => files).map((record) => [record.path, record]))
  return [...records.values()]
    .flatMap((record) => backupsOf(record, dataFolder))
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
}

/** Removes those that the journal makes needless, with `write`; gives them in either case. */
export function cleanBackups(journals: readonly SetupJournal[], dataFolder: string, write: boolean): Backup[] {
  const spare = findBackups(journals, dataFolder).filter(({ isSpare }) => isSpare)
  if (write) for (const backup of spare) rmSync(backup.path)
  return spare
}

/** A sentence that counts backups; none where there are none. */
export function countBackups(backups: readonly Backup[]): string[] {
  if (backups.length === 0) return []
  const kilobytes = Math.ceil(backups.reduce((sum, { bytes }) => sum + bytes, 0) / 1024)
  const spare = backups.filter(({ isSpare }) => isSpare).length
  return [
    `${backups.length} ${backups.length === 1 ? 'backup' : 'backups'} (${kilobytes} KB) lie beside these files; ` +
      `${spare} can be had from the journal as well: init --clean-backups --write removes those`,
  ]
}

function backupsOf(record: FileRecord, dataFolder: string): Backup[] {
  const stamp = /^\.bak-\d{8}-\d{6}(?:-\d+)?$/
  // What the journal leads back to counts only while the file is as we left it.
  const isUntouched = record.back !== null && sha256OfFile(record.path) === record.after
  return [record.path, projectBackup(record.path, dataFolder)].flatMap((stem) => {
    const [folder, base] = [path.dirname(stem), path.basename(stem)]
    return namesIn(folder).flatMap((name): Backup[] => {
      if (!name.startsWith(base) || !stamp.test(name.slice(base.length))) return []
      const file = path.join(folder, name)
      const isSpare = isUntouched && sha256OfFile(file) === record.back!.sha256
      return [{ path: file, bytes: lstatSync(file).size, isSpare }]
    })
  })
}

/** What the backups of a project's file begin with: they lie in our data folder, so that nobody commits them. */
export function projectBackup(file: string, dataFolder: string): string {
  return path.join(dataFolder, 'backups', `${sha256(file).slice(0, 16)}-${path.basename(file)}`)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
