import type { SqliteDatabase } from '../storage/database.ts'
import type { OperationRow } from './row.ts'

/** The statements of the durable worker, on one screen. */
export function prepareWorkerStatements(database: SqliteDatabase) {
  return {
    /** Whether any acknowledged operation was never made due. */
    hasAccepted: database
      .prepare("select 1 from harness_operations where operation_state = 'accepted' limit 1")
      .pluck(),
    /** Makes every acknowledged operation due. */
    promoteAll: database.prepare(
      `update harness_operations set operation_state = 'queued', next_operation_attempt_at = null, operation_updated_at = :now
     where operation_state = 'accepted'`,
    ),
    /** The operation that has waited longest and that nobody holds. */
    due: database.prepare<
      { cutoff: string; now: string; proven: string; beyond: string; atOnce: 0 | 1; abandoned: string },
      OperationRow
    >(
      `select * from harness_operations
     where operation_state in ('queued', 'dispatching', 'reconciling')
       and (coalesce(next_operation_attempt_at, operation_updated_at, created_at) <= :cutoff
         or (:atOnce and next_operation_attempt_at > :beyond) or (next_operation_attempt_at is null and :atOnce) or operation_deadline_at <= :proven)
       and (worker_lease_id is null or worker_lease_expires_at is null or worker_lease_expires_at <= :cutoff
         or (:atOnce and worker_lease_id in (select value from json_each(:abandoned))))
       and (:atOnce or not exists (select 1 from harness_operations
         where operation_state in ('dispatching', 'reconciling') and worker_lease_expires_at > :now))
     order by coalesce(next_operation_attempt_at, gongbu_create_started_at, created_at), created_at limit 1`,
    ),
    /** Gives an operation to a holder until an instant. */
    take: database.prepare(
      `update harness_operations set operation_state = :state, worker_lease_id = :lease, worker_lease_expires_at = :expires,
       operation_updated_at = case when operation_state = :state then operation_updated_at else :now end
     where operation_handle = :handle`,
    ),
    /** Writes an outcome, unless the lease was lost or the row is terminal. */
    settleRow: database.prepare(
      `update harness_operations set operation_state = :state, operation_result_code = :code,
       next_operation_attempt_at = :next, worker_lease_id = null, worker_lease_expires_at = null,
       dispatch_attempts = :dispatchAttempts, observation_failures = :observationFailures,
       reconciliation_attempts = :reconciliationAttempts, gongbu_execution_id = :executionId, gongbu_status = :status,
       gongbu_outcome = :outcome, gongbu_result_recorded_at = :recordedAt, gongbu_request_json = :request,
       operation_updated_at = :updatedAt
     where operation_handle = :handle and worker_lease_id = :lease and operation_state in ('dispatching', 'reconciling')`,
    ),
    /** The row of a handle. */
    current: database.prepare<[string], OperationRow>('select * from harness_operations where operation_handle = ?'),
    /** The handle that an execution belongs to. */
    ownerOf: database
      .prepare<[string], string>('select operation_handle from harness_operations where gongbu_execution_id = ?')
      .pluck(),
    /** When the next open operation can be claimed; the empty text means now, null that none is open. */
    earliest: database
      .prepare<[], string | null>(
        `select min(max(
         min(coalesce(next_operation_attempt_at, ''), coalesce(operation_deadline_at, next_operation_attempt_at, '')),
         coalesce(worker_lease_expires_at, '')))
       from harness_operations where operation_state in ('accepted', 'queued', 'dispatching', 'reconciling')`,
      )
      .pluck(),
  }
}
