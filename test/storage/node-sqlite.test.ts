import { describe, expect, test } from 'vitest'
import { nodeSqlite, openWithNode } from '../../src/storage/node-sqlite.ts'
import { codeOf } from '../../src/storage/result-codes.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('result codes have the names of SQLite, finer ones where they are told apart', () => {
  expect([5, 517, 11, 26, 2067, 266].map(codeOf)).toEqual([
    ...['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_CONSTRAINT_UNIQUE'],
    'SQLITE_IOERR',
  ])
})

describe.skipIf(nodeSqlite() === undefined)("Node's own SQLite", () => {
  const open = (path: string) => openWithNode(nodeSqlite()!, path, { timeout: 1 })

  test('gives rows and bytes as better-sqlite3 does', () => {
    const database = open(':memory:')
    database.exec('create table t (n integer, b blob, x any) strict')
    const insert = database.prepare('insert into t values (@n, @b, @x)')
    expect(insert.run({ n: 1_700_000_000_000, b: Buffer.from('ab'), x: 7, other: 1 }).changes).toBe(1)
    expect(database.prepare('select * from t').all()).toStrictEqual([
      { n: 1_700_000_000_000, b: Buffer.from('ab'), x: 7 },
    ])
    expect(database.prepare('select typeof(x) from t').pluck().get()).toBe('integer')
    expect(database.prepare('select n from t').safeIntegers(true).get()).toEqual({ n: 1_700_000_000_000n })
    expect(database.prepare('select 1 from t where n = 0').get()).toBeUndefined()
    // It would be read to its first NUL only.
    expect(() => insert.run({ n: 1, b: null, x: 'a\u0000b' })).toThrow('NUL')
    database.close()
  })

  test('does a transaction whole or not at all, also one within another', () => {
    const database = open(':memory:')
    database.exec('create table t (n integer primary key)')
    const add = (n: number) => database.prepare('insert into t values (?)').run(n)
    const failing = database.transaction((n: number) => {
      add(n)
      throw new Error('no')
    })
    database
      .transaction(() => {
        add(1)
        expect(() => failing(2)).toThrow('no')
        expect(database.inTransaction).toBe(true)
      })
      .immediate()
    expect(() => failing.immediate(3)).toThrow('no')
    expect(database.inTransaction).toBe(false)
    expect(database.prepare('select n from t').pluck().all()).toEqual([1])
    database.close()
  })

  test('says with its codes what went wrong', () => {
    using folder = tempFolder()
    const [one, two] = [open(folder.file('a')), open(folder.file('a'))]
    one.exec('create table t (n integer primary key)')
    one.exec('begin immediate')
    expect(() => two.exec('begin immediate')).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }))
    one.exec('rollback; insert into t values (1)')
    expect(() => two.prepare('insert into t values (?)').run(1)).toThrow(
      expect.objectContaining({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' }),
    )
    one.close()
    two.close()
    expect(() => openWithNode(nodeSqlite()!, folder.file('none'), { readonly: true, fileMustExist: true })).toThrow(
      expect.objectContaining({ code: 'SQLITE_CANTOPEN' }),
    )
  })
})
