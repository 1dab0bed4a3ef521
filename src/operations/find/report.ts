// One operation with its story, for people and their programs.
import type { OperationReport } from '#generated/types/router.js'
import type { SqliteDatabase } from '../../storage/database.ts'
import { findOperationsIn, type FoundOperation } from './find.ts'
import type { StoredEntry } from '../journal/journal.ts'
import { timelineBefore, timelineOf } from './timeline.ts'

/** The most twins that are named. */
const mostTwins = 20

/** The operations whose handle is, or whose digits begin with, this text; at most two. Reads only. */
export function reportsOn(database: SqliteDatabase, handle: string, now: Date): OperationReport[] {
  const digits = handle
    .trim()
    .toLowerCase()
    .replace(/^hubu:public-operation:v1:/, '')
  if (!/^[0-9a-f]{4,32}$/.test(digits)) return []
  return database.transaction(() =>
    findOperationsIn(database, { digits, limit: 2 }, now).operations.map((found) => reportOn(database, found)),
  )()
}

function reportOn(database: SqliteDatabase, found: FoundOperation): OperationReport {
  const { view } = found
  const twins = database
    .prepare<[string, string], string>(
      `select operation_handle from harness_operations
       where request_hash = (select request_hash from harness_operations where operation_handle = ?)
         and operation_handle <> ? order by rowid desc limit ${mostTwins}`,
    )
    .pluck()
    .all(view.handle, view.handle)
  return {
    schema_version: 1,
    operation_handle: view.handle,
    answer: found.answer,
    sentence: found.sentence,
    amount_minor: found.amountMinor,
    currency: found.currency,
    tool: view.tool,
    platform: view.platform,
    identity: found.identity,
    principal: found.principal,
    client: found.client,
    state: view.state,
    result: view.result === null ? null : { ...view.result },
    terminal: view.terminal,
    answer_taken: found.delivery,
    answer_taken_at: found.deliveredAt,
    reason: found.reason,
    merchant: found.merchant,
    execution_id: view.executionId,
    execution_status: view.executionStatus,
    approval_request_id: view.approvalRequestId,
    attempts: {
      dispatches: view.attempts.dispatches,
      failed_observations: view.attempts.failedObservations,
      ambiguous_observations: view.attempts.ambiguousObservations,
    },
    times: {
      created_at: view.createdAt,
      dispatched_at: view.dispatchedAt,
      answered_at: view.answeredAt,
      authorization_expires_at: view.authorizationExpiresAt,
      acknowledged_at: view.acknowledgedAt,
      updated_at: view.updatedAt,
      next_attempt_at: view.nextAttemptAt,
      deadline_at: view.deadlineAt,
      held_until: view.heldUntil,
    },
    twins,
    timeline: found.no === null ? timelineBefore(view) : timelineOf(entriesOf(database, found.no)),
    next_step: found.nextStep,
  }
}

function entriesOf(database: SqliteDatabase, no: number): StoredEntry[] {
  return database
    .prepare<[number], { seq: number; operation: number; entry: string }>(
      'select seq, operation, entry from operation_journal where operation = ? order by seq',
    )
    .all(no)
    .map((row) => ({ ...row, entry: JSON.parse(row.entry) as StoredEntry['entry'] }))
}
