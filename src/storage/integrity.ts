import type { SqliteDatabase } from './database.ts'
import { isDamage } from './damage.ts'

/** Up to this size the whole of a file is checked when it is opened; a larger one would keep its clients waiting. */
const fullCheckBytes = 256 * 1024 * 1024

/**
 * Whether the content of a file is sound: every page, every index and every rule of its tables, or without the indexes for a file
 * over 256 MiB, unless `isFull` asks for everything. Reads only. Throws SQLite's error when the file cannot be read at all.
 */
export function isSound(database: SqliteDatabase, isFull = false): boolean {
  try {
    const count = database.pragma('page_count', { simple: true }) as number
    const size = database.pragma('page_size', { simple: true }) as number
    const check = isFull || count * size <= fullCheckBytes ? 'integrity_check(1)' : 'quick_check(1)'
    return database.pragma(check, { simple: true }) === 'ok'
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  }
}
