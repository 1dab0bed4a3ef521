import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { migrate, openDatabase } from '../../src/storage/database.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a reopened file is in WAL mode with synchronous FULL, and private (H03)', () => {
  using folder = tempFolder()
  openDatabase(folder.file('a.sqlite3')).close()
  const database = openDatabase(folder.file('a.sqlite3'))
  expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
  expect(database.pragma('synchronous', { simple: true })).toBe(2)
  database.exec('create table t (x)')
  for (const side of ['', '-wal', '-shm']) expect(statSync(folder.file(`a.sqlite3${side}`)).mode & 0o777).toBe(0o600)
  database.close()
})

test('migration steps run once each, and a file from a newer release is refused', () => {
  using folder = tempFolder()
  const database = openDatabase(folder.file('a.sqlite3'))
  migrate(database, ['create table a (x)'])
  migrate(database, ['create table a (x)', 'create table b (x)'])
  expect(database.prepare('select count(*) n from sqlite_master').get()).toEqual({ n: 2 })
  expect(() => migrate(database, ['create table a (x)'])).toThrow(/newer release/)
  database.close()
})
