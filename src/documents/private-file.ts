// Files of our own in our data folder: private, replaced in one step.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DocumentError } from './document-error.ts'
import { isCode } from './document-file.ts'
import { createFolders } from './replace-file.ts'
import { syncFolder } from './sync-folder.ts'

/**
 * Writes a file with mode 0600, its folders with 0700. A reader sees the old text or the new one,
 * and once this returns the new one is on disk. Throws `file_unwritable`.
 */
export function writePrivateFile(file: string, text: string): void {
  try {
    write(file, text)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error'
    throw new DocumentError('file_unwritable', `our own file ${file} cannot be written: ${code}`, { cause })
  }
}

function write(file: string, text: string): void {
  createFolders(path.dirname(file), [])
  const temporary = `${file}.${process.pid}.tmp`
  rmSync(temporary, { force: true })
  const descriptor = openSync(temporary, 'wx', 0o600)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(temporary, file)
  syncFolder(path.dirname(file), process.platform)
}

/** The text of a file of ours, or undefined when there is none. */
function readPrivateFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** A file of ours as JSON; undefined when there is none. Throws `file_broken`, naming the file. */
export function readPrivateJson(file: string): unknown {
  const text = readPrivateFile(file)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    const remedy = 'restore it, or remove it to begin anew'
    throw new DocumentError('file_broken', `our own file ${file} is damaged; ${remedy}`, { cause })
  }
}
