import type { SqliteDatabase } from '../storage/database.ts'
import type { OperationRow } from './row.ts'

/** The statements of the money path up to Hubu's decision. */
export function prepareSpendStatements(database: SqliteDatabase) {
  return {
    byIdentity: database.prepare<[string, string, string], OperationRow>(
      'select * from harness_operations where platform = ? and installation_id = ? and harness_call_id = ?',
    ),
    byHandle: database.prepare<[string], OperationRow>('select * from harness_operations where operation_handle = ?'),
    insert: database.prepare<[Record<string, unknown>], OperationRow>(
      `insert into harness_operations (platform, installation_id, harness_call_id, request_hash, tool_name, operation_key,
       operation_handle, codex_call_id, claude_tool_use_id, hubu_invocation_id, controlled_installation_id, task_id, created_at)
     values (:platform, :installationId, :harnessCallId, :hash, :tool, :key, :handle, :codexCallId, :claudeToolUseId,
       :hubuInvocationId, :controlledInstallationId, :taskId, :now) returning *`,
    ),
    /** Marks a dispatch and gives it to a holder until an instant. */
    mark: database.prepare(
      `update harness_operations set dispatch_started_at = coalesce(dispatch_started_at, :now),
       worker_lease_id = :lease, worker_lease_expires_at = :expires where operation_handle = :handle`,
    ),
    /** Keeps a dispatch, unless the lease was lost or the row has a state. */
    extend: database.prepare(
      `update harness_operations set worker_lease_expires_at = :expires
     where operation_handle = :handle and worker_lease_id = :lease and operation_state is null`,
    ),
    /** Gives a dispatch up, under the same condition. */
    free: database.prepare(
      `update harness_operations set worker_lease_id = null, worker_lease_expires_at = null
     where operation_handle = :handle and worker_lease_id = :lease and operation_state is null`,
    ),
    /** Stores a refusal, under the same condition. */
    end: database.prepare(
      `update harness_operations set operation_state = 'failed', operation_result_code = :code, result_json = :result,
       result_recorded_at = :now, operation_updated_at = :now, worker_lease_id = null, worker_lease_expires_at = null
     where operation_handle = :handle and worker_lease_id = :lease and operation_state is null`,
    ),
    /** Stores Hubu's decision, whoever holds the dispatch. */
    store: database.prepare(
      `update harness_operations set decision = :decision, decision_id = :decisionId, auth_token_id = :authTokenId,
       approval_request_id = :approvalRequestId, authorization_expires_at = :authorizationExpiresAt, result_json = :result,
       result_recorded_at = :now where operation_handle = :handle`,
    ),
    /** The handle that an authorization belongs to. */
    tokenOwner: database
      .prepare<[string], string>('select operation_handle from harness_operations where auth_token_id = ?')
      .pluck(),
  }
}
