// Looks into a registry file that others may be using. Nothing is written.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { isBusy } from '../storage/busy.ts'
import { readFileMarks, readOnly, type SqliteDatabase } from '../storage/database.ts'
import { applicationId, requireColumns, isServedVersion } from './schema.ts'

/** Why a registry cannot be read. */
export type Unreadable = 'not_configured' | 'not_absolute' | 'missing' | 'not_a_registry' | 'busy' | 'unreadable'

/** What was read, or why nothing could be. */
export type ReadOperations<T> = { kind: 'read'; value: T } | { kind: 'unreadable'; reason: Unreadable }

/** Opens a registry that others may be using, for looking only, and never rejects for what it finds there. */
export function readRegistry<T>(
  statePath: string | undefined,
  work: (database: SqliteDatabase) => T,
): ReadOperations<T> {
  if (statePath === undefined || statePath.trim() === '') return { kind: 'unreadable', reason: 'not_configured' }
  if (!path.isAbsolute(statePath)) return { kind: 'unreadable', reason: 'not_absolute' }
  const stat = lstatSync(statePath, { throwIfNoEntry: false })
  if (stat === undefined) return { kind: 'unreadable', reason: 'missing' }
  if (!stat.isFile()) return { kind: 'unreadable', reason: 'not_a_registry' }
  try {
    const marks = readFileMarks(statePath)
    if (marks.applicationId !== applicationId || !isServedVersion(marks.userVersion))
      return { kind: 'unreadable', reason: 'not_a_registry' }
    const value = readOnly(statePath, (database) => {
      requireColumns(database)
      return work(database)
    })
    return { kind: 'read', value }
  } catch (error) {
    return { kind: 'unreadable', reason: isBusy(error) ? 'busy' : reasonOf(error) }
  }
}

function reasonOf(error: unknown): Unreadable {
  return (error as { code?: unknown } | null)?.code === 'SQLITE_NOTADB' ? 'not_a_registry' : 'unreadable'
}
