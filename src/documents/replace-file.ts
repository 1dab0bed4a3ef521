// Replaces a file in one step, and only while it is still the file that was planned from.
import { closeSync, constants, copyFileSync, fchmodSync, fsyncSync, linkSync, mkdirSync } from 'node:fs'
import { fstatSync, openSync, readdirSync, readSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { DocumentError } from './document-error.ts'
import { copyWhole, sha256OfDescriptor } from './chunks.ts'
import { type DocumentFile, isCode, type PresentFile } from './document-file.ts'
import { syncFolder } from './sync-folder.ts'
import { removeStaleTemporaries, writeTemporary } from './temporary-file.ts'

/** The moments of a replacement, so that a test can let another program write, or the power fail, at each of them. */
export type WriteStep = 'backed-up' | 'temporary-written' | 'compared' | 'replaced'

/** How a file is replaced. */
export interface WriteOptions {
  platform: NodeJS.Platform
  /** The backup to make of the old bytes first; none for a file that is new. */
  backup?: { path: string; mode: number }
  /** Called at every step. What it throws stops the replacement there, as a crash would. */
  onStep?: (step: WriteStep, file: string) => void
}

/** What came of it. After `changed` nothing of ours is left behind, and the caller plans again. */
export type WriteOutcome = { kind: 'written'; createdFolders: string[] } | { kind: 'changed' }

/**
 * Writes a text in place of a file that was read before. Mode and, for root, owner are kept; a new file gets 0600 and its
 * missing folders 0700. Throws `file_unwritable`, with nothing of ours left behind.
 */
export function replaceFile(file: DocumentFile, text: string, options: WriteOptions): WriteOutcome {
  const folder = path.dirname(file.path)
  const createdFolders: string[] = []
  try {
    if (file.kind === 'missing') createFolders(folder, createdFolders)
    removeStaleTemporaries(file.path)
    const isWritten = file.kind === 'missing' ? create(file.path, text, options) : exchange(file, text, options)
    if (!isWritten) return { kind: 'changed' }
    syncFolder(folder, options.platform)
    return { kind: 'written', createdFolders }
  } catch (error) {
    if (!isFileSystemError(error)) throw error
    removeEmptyFolders(createdFolders)
    throw unwritable(file.path, error)
  }
}

/** Removes a file that we created, when it still has the bytes given; false when somebody changed it. */
export function removeFile(file: PresentFile, createdFolders: readonly string[]): boolean {
  if (currentSha256(file.path) !== file.sha256) return false
  rmSync(file.path)
  removeEmptyFolders(createdFolders)
  return true
}

function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    if (readdirSync(folder).length > 0) return
    rmdirSync(folder)
  }
}

function exchange(file: PresentFile, text: string, options: WriteOptions): boolean {
  // An open handle keeps the old bytes reachable behind the rename: a writer that hit the gap is noticed, not lost.
  const old = openSync(file.path, 'r')
  try {
    if (options.backup !== undefined) writeBackup(old, options.backup)
    options.onStep?.('backed-up', file.path)
    const temporary = writeTemporary(file.path, text, file)
    return withCleanUp(temporary, options.backup?.path, (keepBackup) => {
      options.onStep?.('temporary-written', file.path)
      if (!isStill(old, file)) return false
      options.onStep?.('compared', file.path)
      if (statSync(file.path).ino !== fstatSync(old).ino) return false
      renameWithPatience(temporary, file.path, options.platform)
      options.onStep?.('replaced', file.path)
      if (sha256OfDescriptor(old) === file.sha256) return keepBackup()
      bringBack(file, readFromStart(old), options.platform)
      return false
    })
  } finally {
    closeSync(old)
  }
}

/** A program that wrote into the old file while it was being replaced gets its bytes back; the caller plans again. */
function bringBack(file: PresentFile, late: Buffer, platform: NodeJS.Platform): void {
  const temporary = writeTemporary(file.path, late, file)
  renameWithPatience(temporary, file.path, platform)
}

function create(target: string, text: string, options: WriteOptions): boolean {
  const temporary = writeTemporary(target, text)
  return withCleanUp(temporary, undefined, () => {
    options.onStep?.('temporary-written', target)
    options.onStep?.('compared', target)
    const isNew = placeExclusively(temporary, target)
    if (isNew) options.onStep?.('replaced', target)
    return isNew
  })
}

/** Gives the temporary file its name, unless somebody made such a file meanwhile. */
function placeExclusively(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    if (!isCode(error, 'EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP')) throw error
  }
  try {
    copyFileSync(temporary, target, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Runs a step and removes the temporary file; the backup stays only when the step says `keepBackup`. */
function withCleanUp(temporary: string, backup: string | undefined, run: (keepBackup: () => true) => boolean): boolean {
  let keepsBackup = false
  const clean = (): void => {
    rmSync(temporary, { force: true })
    if (backup !== undefined && !keepsBackup) rmSync(backup, { force: true })
  }
  try {
    const outcome = run(() => (keepsBackup = true))
    clean()
    return outcome
  } catch (error) {
    // Anything else stands for a crash, which leaves what it leaves.
    if (isFileSystemError(error)) clean()
    throw error
  }
}

function isStill(old: number, file: PresentFile): boolean {
  return sha256OfDescriptor(old) === file.sha256 && currentSha256(file.path) === file.sha256
}

function currentSha256(target: string): string | undefined {
  let descriptor
  try {
    descriptor = openSync(target, 'r')
    return sha256OfDescriptor(descriptor)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function readFromStart(descriptor: number): Buffer {
  const { size } = fstatSync(descriptor)
  const buffer = Buffer.alloc(size)
  let offset = 0
  for (let read = -1; read !== 0 && offset < size; offset += read)
    read = readSync(descriptor, buffer, offset, size - offset, offset)
  return buffer.subarray(0, offset)
}

function writeBackup(old: number, backup: { path: string; mode: number }): void {
  const descriptor = openSync(backup.path, 'wx', backup.mode)
  try {
    copyWhole(old, descriptor)
    fchmodSync(descriptor, backup.mode)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** On Windows a virus scanner or the client itself may hold the file for a moment. */
function renameWithPatience(from: string, to: string, platform: NodeJS.Platform): void {
  const waitMs = 100
  for (let attempt = 0; ; attempt++) {
    try {
      renameSync(from, to)
      return
    } catch (error) {
      if (platform !== 'win32' || !isCode(error, 'EPERM', 'EBUSY') || attempt >= 20) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs)
    }
  }
}

/**
 * Makes missing folders, private ones, and adds those it made to the list, the outermost first. One that another program makes
 * meanwhile is not ours.
 */
export function createFolders(folder: string, made: string[]): void {
  const missing: string[] = []
  for (let at = folder; statSync(at, { throwIfNoEntry: false }) === undefined; at = path.dirname(at))
    missing.unshift(at)
  for (const each of missing) {
    try {
      mkdirSync(each, { mode: 0o700 })
      made.push(each)
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
  }
}

function isFileSystemError(error: unknown): error is NodeJS.ErrnoException {
  return typeof (error as NodeJS.ErrnoException | null)?.syscall === 'string'
}

function unwritable(target: string, cause: NodeJS.ErrnoException): DocumentError {
  const why = isCode(cause, 'EACCES', 'EPERM', 'EROFS') ? 'permission denied' : `${cause.code ?? cause.message}`
  return new DocumentError('file_unwritable', `${target} cannot be written: ${why}; it was left as it is`, {
    cause,
  })
}
