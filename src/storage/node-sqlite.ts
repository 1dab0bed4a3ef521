// Node's own SQLite in the form of better-sqlite3, as far as this program uses it. For where that cannot be loaded.
import type Database from 'better-sqlite3'
import { existsSync } from 'node:fs'
import { codeOf } from './result-codes.ts'

/** What we use of `node:sqlite`; the types of the oldest Node that we support do not know it. */
interface NodeSqlite {
  DatabaseSync: new (path: string, options: { readOnly: boolean }) => DatabaseSync
  /** Since Node 22.16. */
  backup?(from: DatabaseSync, to: string): Promise<unknown>
}

interface DatabaseSync {
  exec(sql: string): void
  prepare(sql: string): StatementSync
  close(): void
  /** Since Node 22.16. */
  readonly isTransaction?: boolean
}

interface StatementSync {
  get(...given: unknown[]): unknown
  all(...given: unknown[]): unknown[]
  iterate(...given: unknown[]): Iterable<unknown>
  run(...given: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  setReadBigInts(isOn: boolean): void
  /** Since Node 22.16. */
  columns?(): unknown[]
}

/** Node's own library; undefined before Node 22.13. Loading it warns of its stability on stderr, which is not ours to say. */
export function nodeSqlite(): NodeSqlite | undefined {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule?.('node:sqlite') as NodeSqlite | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Opens a file as `new Database` of better-sqlite3 does. Errors carry its codes. */
export function openWithNode(library: NodeSqlite, path: string, options: Database.Options): Database.Database {
  if (options.fileMustExist === true && !existsSync(path))
    throw Object.assign(new Error('unable to open database file'), { code: 'SQLITE_CANTOPEN' })
  const database = told(() => new library.DatabaseSync(path, { readOnly: options.readonly === true }))
  const exec = (sql: string) => told(() => database.exec(sql))
  let isOpen = true
  const opened = {
    name: path,
    get open() {
      return isOpen
    },
    get inTransaction() {
      return isOpen && isWithin(database)
    },
    exec: (sql: string) => (exec(sql), opened),
    prepare: (sql: string) =>
      createStatement(
        told(() => database.prepare(sql)),
        sql,
      ),
    transaction: (work: (...given: unknown[]) => unknown) => createTransaction(exec, () => isWithin(database), work),
    // Node's library leaves the tables of SQLite itself open to whoever asks for it by a pragma.
    unsafeMode: () => opened,
    async backup(to: string) {
      if (library.backup !== undefined) await library.backup(database, to).catch(throwTold)
      else told(() => database.prepare('vacuum into ?').run(to))
    },
    close() {
      if (isOpen) told(() => database.close())
      isOpen = false
      return opened
    },
  }
  exec(`pragma busy_timeout = ${options.timeout ?? 5000}`)
  return opened as unknown as Database.Database
}

/** Before Node 22.16 a database does not say whether it is in a transaction; only outside of one another can begin. */
function isWithin(database: DatabaseSync): boolean {
  if (database.isTransaction !== undefined) return database.isTransaction
  try {
    database.exec('begin')
    database.exec('rollback')
    return false
  } catch {
    return true
  }
}

type Row = Record<string, unknown>

function createStatement(statement: StatementSync, sql: string) {
  const names = new Set(Array.from(sql.matchAll(/[@:$]([A-Za-z_]\w*)/g), ([, name]) => name!))
  let isPlucked = false
  let isRaw = false
  const shaped = (row: Row) => {
    const plain: Row = {}
    for (const name in row) {
      const value = row[name]
      plain[name] = value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value
      if (isPlucked) return plain[name]
    }
    return isRaw ? Object.values(plain) : plain
  }
  const made = {
    reader: isReader(statement, sql),
    pluck: (toggle = true) => ((isPlucked = toggle), made),
    raw: (toggle = true) => ((isRaw = toggle), made),
    columns: () => statement.columns?.(),
    safeIntegers: (toggle = true) => (statement.setReadBigInts(toggle), made),
    get(...given: unknown[]) {
      const row = told(() => statement.get(...bound(given, names))) as Row | undefined
      return row === undefined ? undefined : shaped(row)
    },
    all: (...given: unknown[]) => (told(() => statement.all(...bound(given, names))) as Row[]).map(shaped),
    *iterate(...given: unknown[]) {
      for (const row of statement.iterate(...bound(given, names))) yield shaped(row as Row)
    },
    run(...given: unknown[]) {
      const { changes, lastInsertRowid } = told(() => statement.run(...bound(given, names)))
      return { changes: Number(changes), lastInsertRowid }
    },
  }
  return made
}

function isReader(statement: StatementSync, sql: string): boolean {
  if (statement.columns !== undefined) return statement.columns().length > 0
  return /^\s*(select|values|with|explain)\b|\breturning\b/i.test(sql) || /^\s*pragma\s+[\w.]+\s*(\(.*)?$/i.test(sql)
}

/** As better-sqlite3 binds: small whole numbers are integers, and of a named set what the statement has no name for is passed over. */
function bound(given: readonly unknown[], names: ReadonlySet<string>): unknown[] {
  return given.map((one) => (isNamedSet(one) ? namedSet(one, names) : cell(one)))
}

const isNamedSet = (one: unknown): one is Row => typeof one === 'object' && one !== null && !ArrayBuffer.isView(one)

const namedSet = (given: Row, names: ReadonlySet<string>): Row =>
  Object.fromEntries(
    [...names].flatMap((name) => (Object.hasOwn(given, name) ? [[name, cell(given[name])] as const] : [])),
  )

/** Node reads a text to its first NUL only, so one with a NUL is refused instead of being kept in part. */
function cell(value: unknown): unknown {
  if (typeof value === 'string' && value.includes('\0')) throw new TypeError('a text with a NUL cannot be stored')
  return typeof value === 'number' && (value | 0) === value ? BigInt(value) : value
}

/** Work that is done whole or not at all; within other such work it is a part that can be undone alone. */
function createTransaction(
  exec: (sql: string) => void,
  isWithin: () => boolean,
  work: (...given: unknown[]) => unknown,
) {
  const made =
    (how: string) =>
    (...given: unknown[]) => {
      const [begin, commit, undo] = isWithin()
        ? ['savepoint inner', 'release inner', ['rollback to inner', 'release inner']]
        : [`begin ${how}`, 'commit', ['rollback']]
      exec(begin)
      try {
        const done = work(...given)
        exec(commit)
        return done
      } catch (error) {
        // SQLite itself may have undone all of it.
        if (isWithin()) undo.forEach(exec)
        throw error
      }
    }
  return Object.assign(made('deferred'), {
    deferred: made('deferred'),
    immediate: made('immediate'),
    exclusive: made('exclusive'),
  })
}

function told<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    return throwTold(error)
  }
}

function throwTold(error: unknown): never {
  const { errcode } = error as { errcode?: unknown }
  if (typeof errcode === 'number') Object.assign(error as Error, { code: codeOf(errcode) })
  throw error
}
