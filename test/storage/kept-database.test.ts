import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openDatabase, readFileMarks } from '../../src/storage/database.ts'
import { prepareOnce } from '../../src/storage/kept-database.ts'
import { tempFolder } from '../support/temp-folder.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('nothing of SQLite is ever collected: Node 24.19 ends the process at that', async () => {
  using folder = tempFolder()
  const refs = (() => {
    const database = openDatabase(folder.file('a'))
    database.exec('create table rows (n)')
    const statement = database.prepare('insert into rows values (?)')
    database.transaction(() => statement.run(1)).immediate()
    expect(database.pragma('user_version', { simple: true })).toBe(0)
    expect(database.pragma('user_version')).toEqual([{ user_version: 0 }])
    database.close()
    expect(readFileMarks(folder.file('a'))).toMatchObject({ tables: 1 })
    return [new WeakRef(database), new WeakRef(statement)]
  })()
  await new Promise((resolve) => setImmediate(resolve))
  collect()
  expect(refs.map((ref) => ref.deref() !== undefined)).toEqual([true, true])
})

test('a text is prepared once for each database', () => {
  using folder = tempFolder()
  const [one, two] = [openDatabase(folder.file('a')), openDatabase(folder.file('b'))]
  expect(prepareOnce(one, 'select 1')).toBe(prepareOnce(one, 'select 1'))
  expect(prepareOnce(one, 'select 1')).not.toBe(prepareOnce(two, 'select 1'))
})
