// Copies a registry that may be in use, with the secret that its keys follow from.
import { chmodSync, closeSync, constants, copyFileSync, existsSync, linkSync, openSync, rmSync } from 'node:fs'
import { openDatabase, openReadOnly, readFileMarks, readOnly } from '../storage/database.ts'
import { isSound } from '../storage/integrity.ts'
import { keySecretPath } from './key-secret.ts'
import { applicationId } from './schema.ts'

/** How a backup ended. */
export type BackupOutcome =
  | { kind: 'written'; operations: number; hasSecret: boolean }
  | { kind: 'refused'; why: 'exists' | 'not_a_registry' | 'damaged' }

/**
 * Writes a backup that is there whole or not at all, and is checked before it gets its name. Nothing of the registry is changed.
 * Rejects with the error of SQLite or of the file system.
 */
export async function backupRegistry(statePath: string, target: string): Promise<BackupOutcome> {
  if (existsSync(target) || existsSync(keySecretPath(target))) return { kind: 'refused', why: 'exists' }
  if (readFileMarks(statePath).applicationId !== applicationId) return { kind: 'refused', why: 'not_a_registry' }
  const draft = `${target}.${process.pid}.new`
  try {
    // Nobody else may read it while it grows either.
    closeSync(openSync(draft, 'wx', 0o600))
    await copyPages(statePath, draft)
    const operations = settle(draft)
    if (operations === undefined) return { kind: 'refused', why: 'damaged' }
    const secret = keySecretPath(statePath)
    const hasSecret = existsSync(secret)
    if (hasSecret) {
      copyFileSync(secret, keySecretPath(target), constants.COPYFILE_EXCL)
      if (process.platform !== 'win32') chmodSync(keySecretPath(target), 0o600)
    }
    try {
      linkSync(draft, target)
    } catch (error) {
      if (hasSecret) rmSync(keySecretPath(target), { force: true })
      throw error
    }
    return { kind: 'written', operations, hasSecret }
  } finally {
    for (const side of ['', '-wal', '-shm', '-journal']) rmSync(draft + side, { force: true })
  }
}

async function copyPages(from: string, to: string): Promise<void> {
  const source = openReadOnly(from)
  try {
    await source.backup(to)
  } finally {
    source.close()
  }
}

/** Makes the copy a single file and checks it; how many operations it holds, undefined when it is damaged. */
function settle(file: string): number | undefined {
  const database = openDatabase(file)
  try {
    database.pragma('journal_mode = DELETE')
  } finally {
    database.close()
  }
  return readOnly(file, (copy) =>
    isSound(copy) ? (copy.prepare('select count(*) from harness_operations').pluck().get() as number) : undefined,
  )
}
