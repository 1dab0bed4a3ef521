import type { SqliteDatabase } from './database.ts'
import { isDamage } from './damage.ts'

/**
 * Whether the content of a file is sound: every page and every rule of its tables and, unless it has to be quick, every index. Reads
 * only. Throws SQLite's error when the file cannot be read at all.
 */
export function isSound(database: SqliteDatabase, how: 'full' | 'quick' = 'full'): boolean {
  try {
    return database.pragma(how === 'full' ? 'integrity_check(1)' : 'quick_check(1)', { simple: true }) === 'ok'
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  }
}
