import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { backupRegistry } from '../../src/operations/backup.ts'
import { keySecretPath } from '../../src/operations/key-secret.ts'
import { openReadOnly } from '../../src/storage/database.ts'
import { openKept } from '../../src/storage/kept-database.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { handleOf, JournalFile } from './journal/journal-file.ts'

const handles = (file: string): unknown[] => {
  const database = openReadOnly(file)
  try {
    return database.prepare('select operation_handle from harness_operations order by created_at').pluck().all()
  } finally {
    database.close()
  }
}

describe('a backup of a registry in use', () => {
  test('is one whole file with everything in it, and its secret, for nobody else to read', async () => {
    using file = new JournalFile()
    await file.begin()
    file.buy(file.process(), { digits: 'a' })
    using folder = tempFolder()
    const target = folder.file('copy.sqlite3')
    expect(await backupRegistry(file.registry.path, target)).toEqual({
      kind: 'written',
      operations: 1,
      hasSecret: true,
    })
    expect(handles(target)).toEqual([handleOf('a')])
    expect(readFileSync(keySecretPath(target))).toEqual(readFileSync(keySecretPath(file.registry.path)))
    for (const made of [target, keySecretPath(target)]) expect(statSync(made).mode & 0o777).toBe(0o600)
    expect(readdirSync(path.dirname(target)).sort()).toEqual(
      [target, keySecretPath(target)].map((made) => path.basename(made)).sort(),
    )
  })

  test('is refused where a file or a secret of that name is, which stay as they are', async () => {
    using file = new JournalFile()
    await file.begin()
    using folder = tempFolder()
    const target = folder.file('copy.sqlite3')
    writeFileSync(keySecretPath(target), 'of another registry')
    expect(await backupRegistry(file.registry.path, target)).toEqual({ kind: 'refused', why: 'exists' })
    expect(readFileSync(keySecretPath(target), 'utf8')).toBe('of another registry')
    expect(readdirSync(path.dirname(target))).toHaveLength(1)
  })

  test('leaves no copy of the secret when the backup itself cannot get its name', async () => {
    using file = new JournalFile()
    await file.begin()
    using folder = tempFolder()
    const target = folder.file('copy.sqlite3')
    // It takes the name at the last moment, as another backup at the same time does.
    const taking = backupRegistry(file.registry.path, target)
    mkdirSync(target)
    await expect(taking).rejects.toMatchObject({ code: 'EEXIST' })
    expect(existsSync(keySecretPath(target))).toBe(false)
    expect(readdirSync(path.dirname(target))).toEqual([path.basename(target)])
  })

  test('changes nothing of a file whose side file does not fit it', async () => {
    using file = new JournalFile()
    await file.begin()
    using folder = tempFolder()
    const [main, wal] = [folder.file('old.sqlite3'), folder.file('old.sqlite3-wal')]
    copyFileSync(file.registry.path, main)
    file.buy(file.process(), { digits: 'a' })
    copyFileSync(`${file.registry.path}-wal`, wal)
    const before = [readFileSync(main), readFileSync(wal)]
    await backupRegistry(main, folder.file('copy.sqlite3')).catch(() => {})
    expect([readFileSync(main), readFileSync(wal)].map((now, at) => now.equals(before[at]!))).toEqual([true, true])
  })
})

test('a file that is no registry is not copied', async () => {
  using folder = tempFolder()
  const foreign = folder.file('foreign.sqlite3')
  openKept(foreign, {}).exec('create table t (a)').close()
  chmodSync(foreign, 0o600)
  expect(await backupRegistry(foreign, folder.file('copy.sqlite3'))).toEqual({ kind: 'refused', why: 'not_a_registry' })
  expect(existsSync(folder.file('copy.sqlite3'))).toBe(false)
})
