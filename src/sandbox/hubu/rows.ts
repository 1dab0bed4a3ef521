// SQL against the opened file: statements are prepared once and integers come as bigints.
import type { SqliteDatabase } from '../../storage/database.ts'

/** What a column may hold. */
export type Cell = string | bigint | null

/** Statements against one database. Row types are the caller's word for what the columns hold. */
export interface Rows {
  all<Row>(sql: string, ...cells: Cell[]): Row[]
  get<Row>(sql: string, ...cells: Cell[]): Row | undefined
  /** Runs a change and says how many rows it touched. */
  run(sql: string, ...cells: Cell[]): number
  /** Inserts one row by column names. */
  insert(table: string, row: Record<string, Cell>): void
  /** Runs work all or nothing, also within other such work. */
  atomically<Result>(work: () => Result): Result
  /** Runs work in a transaction of its own that holds the write lock from the start. */
  immediately<Result>(work: () => Result): Result
}

/** Opens a database for statements. */
export function openRows(database: SqliteDatabase): Rows {
  const prepare = (sql: string) => database.prepare<Cell[]>(sql).safeIntegers(true)
  const statements = new Map<string, ReturnType<typeof prepare>>()
  const statement = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const made = prepare(sql)
    statements.set(sql, made)
    return made
  }
  return {
    all: <Row>(sql: string, ...cells: Cell[]) => statement(sql).all(...cells) as Row[],
    get: <Row>(sql: string, ...cells: Cell[]) => statement(sql).get(...cells) as Row | undefined,
    run: (sql, ...cells) => statement(sql).run(...cells).changes,
    insert(table, row) {
      const columns = Object.keys(row)
      const marks = columns.map(() => '?').join(', ')
      statement(`insert into ${table} (${columns.join(', ')}) values (${marks})`).run(...Object.values(row))
    },
    atomically: (work) => database.transaction(work)(),
    immediately: (work) => database.transaction(work).immediate(),
  }
}
