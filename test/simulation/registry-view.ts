// What stands in the registry file, seen from outside every process.
import { existsSync } from 'node:fs'
import { openDatabase, type SqliteDatabase } from '../../src/storage/database.ts'
import type { OperationRow } from '../../src/operations/row.ts'

/** A row that a commit made or changed. */
export interface Change {
  before: OperationRow | undefined
  now: OperationRow
}

export class RegistryView {
  readonly #statePath: string
  #opened: { database: SqliteDatabase; columns: string[]; cells(): unknown[][] } | undefined
  #known = new Map<string, { cells: unknown[]; row: OperationRow }>()

  constructor(statePath: string) {
    this.#statePath = statePath
  }

  /** All rows as they are now, the oldest first; none while there is no file, which a look must not make. */
  rows(): OperationRow[] {
    if (!existsSync(this.#statePath)) return []
    const { columns, cells } = this.#open()
    return cells().map((row) => toRow(columns, row))
  }

  /** The rows that are not as they were at the last look. Cells are compared raw, because this follows every commit. */
  changes(): Change[] {
    if (!existsSync(this.#statePath)) return []
    const { columns, cells } = this.#open()
    const handleAt = columns.indexOf('operation_handle')
    return cells().flatMap((row) => {
      const handle = row[handleAt] as string
      const known = this.#known.get(handle)
      if (known?.cells.every((cell, i) => cell === row[i])) return []
      const now = toRow(columns, row)
      this.#known.set(handle, { cells: row, row: now })
      return [{ before: known?.row, now }]
    })
  }

  close(): void {
    this.#opened?.database.close()
  }

  #open() {
    if (this.#opened !== undefined) return this.#opened
    const database = openDatabase(this.#statePath)
    const select = database.prepare('select * from harness_operations order by created_at')
    const columns = select.columns().map(({ name }) => name)
    this.#opened = { database, columns, cells: () => select.raw().all() as unknown[][] }
    return this.#opened
  }
}

function toRow(columns: string[], cells: unknown[]): OperationRow {
  return Object.fromEntries(columns.map((name, i) => [name, cells[i]])) as unknown as OperationRow
}
