import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { tempFolder } from '../support/temp-folder.ts'

const layout = { pageBytes: 8192, incrementalVacuum: true }

test('a new file gets the layout that was asked for and gives freed pages back', () => {
  using folder = tempFolder()
  const database = openDatabase(folder.file('a'), { layout, synchronous: 'OFF' })
  expect(database.pragma('page_size', { simple: true })).toBe(8192)
  expect(database.pragma('auto_vacuum', { simple: true })).toBe(2)
  expect(database.pragma('synchronous', { simple: true })).toBe(0)
  database.exec('create table t (x blob); insert into t values (randomblob(1000000)); delete from t')
  database.pragma('incremental_vacuum')
  database.pragma('wal_checkpoint(TRUNCATE)')
  expect(statSync(folder.file('a')).size).toBeLessThan(100_000)
  database.close()
})

test('an old file keeps its layout and can be opened while another connection writes', () => {
  using folder = tempFolder()
  openDatabase(folder.file('a'), { layout }).close()
  const writer = openDatabase(folder.file('a'))
  writer.exec('begin immediate')
  const database = openDatabase(folder.file('a'), { layout: { ...layout, pageBytes: 4096 } })
  expect(database.pragma('page_size', { simple: true })).toBe(8192)
  expect(database.pragma('synchronous', { simple: true })).toBe(2)
  database.close()
  writer.close()
})
