import type { SqliteDatabase } from '../storage/database.ts'
import { isExpired } from './instants.ts'

interface LiveToken {
  operation_handle: string
  authorization_expires_at: string
  result_json: string | null
}

/**
 * Erases authorization ids whose time is over, in the column and in the stored result, unless an execution was
 * acknowledged with them (R 6.8). Runs inside the caller's transaction.
 */
export function createCleanup(database: SqliteDatabase): (now: Date) => void {
  const select = database.prepare<[], LiveToken>(
    `select operation_handle, authorization_expires_at, result_json from harness_operations
     where auth_token_id is not null and authorization_expires_at is not null and gongbu_create_started_at is null`,
  )
  const erase = database.prepare(
    'update harness_operations set auth_token_id = null, result_json = :result where operation_handle = :handle',
  )
  return (now) => {
    for (const row of select.all()) {
      if (!isExpired(row.authorization_expires_at, now)) continue
      erase.run({ handle: row.operation_handle, result: withoutToken(row.result_json) })
    }
  }
}

function withoutToken(resultJson: string | null): string | null {
  if (resultJson === null) return null
  const { auth_token_id: _id, spend_auth_token_id: _alias, ...rest } = JSON.parse(resultJson) as Record<string, unknown>
  return JSON.stringify(rest)
}
