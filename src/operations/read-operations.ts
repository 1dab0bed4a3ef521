import { toOperationView, type OperationView, type ViewColumns } from './operation-view.ts'
import { shortHandles } from './find/short-handles.ts'
import { readRegistry, type ReadOperations } from './read-registry.ts'

/** A page of operations. */
export interface OperationList {
  operations: OperationView[]
  /** There are more that match. */
  hasMore: boolean
  /** By handle, the first digits that no other operation has. */
  short: ReadonlyMap<string, string>
}

/** Which operations to list, the newest first. */
export interface ListQuery {
  state: string | undefined
  limit: number
}

/**
 * The columns of a view. What must not be shown is not even read: of the authorization id only that there is one, of the result
 * only what became of the payment.
 */
export const viewColumns =
  'operation_handle, tool_name, platform, decision, ' +
  "case when result_json is null then null else json_object('payment', json_object('status', result_json ->> '$.payment.status')) end as result_json, " +
  ' authorization_expires_at, operation_state, operation_result_code, ' +
  "case when auth_token_id is null then null else 'present' end as auth_token_id, gongbu_execution_id, gongbu_status, " +
  'operation_updated_at, result_recorded_at, dispatch_started_at, created_at, approval_request_id, gongbu_create_started_at, ' +
  'dispatch_attempts, observation_failures, reconciliation_attempts, operation_deadline_at, next_operation_attempt_at, ' +
  'worker_lease_expires_at'

/** Lists operations of a registry that others may be using. Nothing is written. */
export function listOperations(
  statePath: string | undefined,
  query: ListQuery,
  now: Date,
): ReadOperations<OperationList> {
  return readRegistry(statePath, (database) => {
    const rows = database.prepare<[], ViewColumns>(
      `select ${viewColumns} from harness_operations order by created_at desc, operation_handle`,
    )
    const operations: OperationView[] = []
    const found = (hasMore: boolean): OperationList => {
      const handles = operations.map(({ handle }) => handle)
      return { operations, hasMore, short: shortHandles(database, handles) }
    }
    for (const row of rows.all()) {
      const view = toOperationView(row, now)
      if (query.state !== undefined && view.state !== query.state) continue
      if (operations.length === query.limit) return found(true)
      operations.push(view)
    }
    return found(false)
  })
}
