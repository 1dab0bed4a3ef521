import type Database from 'better-sqlite3'
import { openWithLibrary } from './library.ts'

/**
 * Opens a database whose handle and statements live as long as the process. Node 24.19 and newer end the process when a native object
 * of better-sqlite3 12 is collected while no JavaScript runs; version 13 is free of that and needs Node 22. So none is ever
 * collected: what is prepared is kept, also after closing, and the few statements of `pragma` are prepared once. Never prepare in a
 * loop (`prepareOnce`) and never `iterate`.
 */
export function openKept(path: string, options: Database.Options): Database.Database {
  const database = openWithLibrary(path, options)
  const statements: Database.Statement[] = []
  const pragmas = new Map<string, Database.Statement>()
  everOpened.push({ database, statements })
  const { prepare } = database
  const prepareKept = (sql: string) => {
    const statement = prepare.call(database, sql) as Database.Statement
    statements.push(statement)
    return statement
  }
  database.prepare = prepareKept as typeof database.prepare
  database.pragma = (source, { simple = false } = {}) => {
    const statement = pragmas.get(source) ?? prepareKept(`pragma ${source}`)
    pragmas.set(source, statement)
    if (!statement.reader) return database.exec(`pragma ${source}`)
    return simple ? statement.pluck().get() : statement.pluck(false).all()
  }
  return database
}

const everOpened: { database: Database.Database; statements: Database.Statement[] }[] = []

/** The statement of this text on this database: prepared at its first use, for texts that depend on what is asked. */
export function prepareOnce(database: Database.Database, sql: string): Database.Statement {
  let known = prepared.get(database)
  if (known === undefined) prepared.set(database, (known = new Map<string, Database.Statement>()))
  let statement = known.get(sql)
  if (statement === undefined) known.set(sql, (statement = database.prepare(sql)))
  return statement
}

const prepared = new WeakMap<Database.Database, Map<string, Database.Statement>>()
