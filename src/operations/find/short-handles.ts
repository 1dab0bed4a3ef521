// The first digits of handles by which commands know them again.
import type { SqliteDatabase } from '../../storage/database.ts'
import { shortId } from '../../terminal/short-ids.ts'

/** Of each handle the first digits that no other operation of the registry begins with, by handle. Reads only. */
export function shortHandles(database: SqliteDatabase, handles: readonly string[]): Map<string, string> {
  const neighbour = (sign: '<' | '>', order: 'asc' | 'desc') =>
    database
      .prepare<[string], string>(
        `select operation_handle from harness_operations where operation_handle ${sign} ? order by operation_handle ${order} limit 1`,
      )
      .pluck()
  const [before, after] = [neighbour('<', 'desc'), neighbour('>', 'asc')]
  return new Map(
    handles.map((handle) => {
      const others = [before.get(handle), after.get(handle)].map((other) => other && digitsOf(other))
      return [handle, shortId(digitsOf(handle), others)]
    }),
  )
}

/** The 32 hex digits of a handle. */
export function digitsOf(handle: string): string {
  return handle.slice(handle.lastIndexOf(':') + 1)
}
