import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { migrate, openDatabase, readOnly } from '../../src/storage/database.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a reopened file is in WAL mode with synchronous FULL, and private', () => {
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

test('side files that a crash left open to others become as private as the file', () => {
  using folder = tempFolder()
  const path = folder.file('a.sqlite3')
  const crashed = openDatabase(path)
  crashed.exec('create table t (x)')
  for (const side of ['', '-wal', '-shm']) chmodSync(path + side, 0o644)
  const database = openDatabase(path)
  for (const side of ['', '-wal', '-shm']) expect(statSync(path + side).mode & 0o777).toBe(0o600)
  database.close()
  crashed.close()
})

test('reading only works beside a writer, changes nothing and cannot write', () => {
  using folder = tempFolder()
  const path = folder.file('a.sqlite3')
  const database = openDatabase(path)
  database.exec('create table t (x); insert into t values (1)')
  const before = readFileSync(path)
  expect(readOnly(path, (reader) => reader.prepare('select x from t').pluck().get())).toBe(1)
  expect(() => readOnly(path, (reader) => reader.exec('insert into t values (2)'))).toThrow(/readonly/)
  expect(() => readOnly(folder.file('none.sqlite3'), () => 0)).toThrow()
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(existsSync(folder.file('none.sqlite3'))).toBe(false)
  database.close()
})
