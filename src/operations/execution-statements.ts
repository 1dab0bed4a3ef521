import type { SqliteDatabase } from '../storage/database.ts'
import type { OperationRow } from './row.ts'

/** The statements of executions that clients ask for: binding, status, direct reads. */
export function prepareExecutionStatements(database: SqliteDatabase) {
  return {
    byToken: database.prepare<[string], OperationRow>('select * from harness_operations where auth_token_id = ?'),
    byHandle: database.prepare<[string], OperationRow>('select * from harness_operations where operation_handle = ?'),
    byExecution: database.prepare<[string], OperationRow>(
      'select * from harness_operations where gongbu_execution_id = ?',
    ),
    ownExecutions: database.prepare<[string, number], { id: string }>(
      `select gongbu_execution_id as id from harness_operations where installation_id = ? and gongbu_execution_id is not null
       order by rowid desc limit ?`,
    ),
    /** Binds a create request to its authorization and hands it to the worker. */
    acknowledge: database.prepare(
      `update harness_operations set gongbu_request_hash = :hash, gongbu_request_json = :request, operation_state = :state,
       operation_deadline_at = :deadline, gongbu_create_started_at = :started, operation_updated_at = :now,
       worker_lease_id = null, worker_lease_expires_at = null
     where operation_handle = :handle`,
    ),
    /** Keeps what Gongbu reported; the request is not needed after that. */
    mirror: database.prepare(
      `update harness_operations set gongbu_status = :status, gongbu_outcome = :outcome, gongbu_result_recorded_at = :now,
       gongbu_request_json = null where operation_handle = :handle`,
    ),
    /** Moves an operation to the state that a report stands for. */
    move: database.prepare(
      `update harness_operations set operation_state = :state, operation_result_code = :code, operation_updated_at = :now
     where operation_handle = :handle`,
    ),
    /** Takes a terminal operation away from the worker. */
    close: database.prepare(
      `update harness_operations set next_operation_attempt_at = null, worker_lease_id = null, worker_lease_expires_at = null
     where operation_handle = :handle`,
    ),
  }
}
