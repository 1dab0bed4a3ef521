import type { SqliteDatabase } from '../storage/database.ts'

/** SQLite's `application_id` of a registry file. */
export const applicationId = 0x4855424f

/** The `user_version` of a fresh file. */
export const schemaVersion = 4

/** The `user_version` of a file that knows principals with names. */
export const namedSchemaVersion = 5

/** The `user_version`s of files that are opened; older and newer ones are refused. */
export const servedVersions: readonly number[] = [schemaVersion, namedSchemaVersion]

/** Whether it is one of them. */
export const isServedVersion = (version: unknown): boolean => servedVersions.some((served) => served === version)

/** The tables of registry v4, to the letter: routers of other releases read and write the same file. */
export const schemaSql = `
create table installation_identity (
  singleton integer primary key check (singleton = 1),
  installation_id text not null unique check (length(installation_id) between 1 and 128),
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);
create table harness_operations (
  platform text not null check (length(platform) between 1 and 64),
  installation_id text not null check (length(installation_id) between 1 and 128)
    references installation_identity (installation_id),
  harness_call_id text not null check (length(harness_call_id) between 1 and 512),
  request_hash text not null check (length(request_hash) = 71),
  tool_name text not null check (length(tool_name) between 1 and 128),
  operation_key text unique check (operation_key is null or length(operation_key) between 1 and 160),
  operation_handle text not null unique check (length(operation_handle) between 1 and 160),
  codex_call_id text check (codex_call_id is null or length(codex_call_id) between 1 and 512),
  claude_tool_use_id text check (claude_tool_use_id is null or length(claude_tool_use_id) between 1 and 512),
  hubu_invocation_id text check (hubu_invocation_id is null or length(hubu_invocation_id) between 1 and 512),
  controlled_installation_id text
    check (controlled_installation_id is null or length(controlled_installation_id) between 1 and 512),
  task_id text check (task_id is null or length(task_id) between 1 and 512),
  decision text check (decision is null or decision in ('allow', 'deny', 'needs_approval')),
  decision_id text,
  auth_token_id text,
  approval_request_id text,
  authorization_expires_at text,
  result_json text,
  dispatch_started_at text,
  result_recorded_at text,
  gongbu_request_hash text check (gongbu_request_hash is null or length(gongbu_request_hash) = 71),
  gongbu_request_json text check (
    gongbu_request_json is null
    or (json_valid(gongbu_request_json) and length(cast(gongbu_request_json as blob)) <= 1048576)
  ),
  gongbu_execution_id text unique check (gongbu_execution_id is null or length(gongbu_execution_id) between 1 and 255),
  gongbu_status text check (gongbu_status is null or gongbu_status in (
    'pending', 'preflighting', 'claimed', 'executing', 'settling', 'succeeded', 'released', 'failed',
    'reconciliation_required'
  )),
  gongbu_outcome text,
  gongbu_create_started_at text,
  gongbu_result_recorded_at text,
  operation_state text check (operation_state is null or operation_state in (
    'accepted', 'queued', 'dispatching', 'reconciling', 'succeeded', 'failed'
  )),
  operation_result_code text check (
    operation_result_code is null
    or (length(operation_result_code) between 1 and 128 and operation_result_code not glob '*[^a-z0-9_]*')
  ),
  dispatch_attempts integer not null default 0 check (dispatch_attempts >= 0),
  observation_failures integer not null default 0 check (observation_failures >= 0),
  reconciliation_attempts integer not null default 0 check (reconciliation_attempts >= 0),
  operation_deadline_at text,
  next_operation_attempt_at text,
  worker_lease_id text check (worker_lease_id is null or length(worker_lease_id) between 1 and 64),
  worker_lease_expires_at text,
  operation_updated_at text,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  primary key (platform, installation_id, harness_call_id)
);
create unique index harness_operations_auth_token on harness_operations (auth_token_id) where auth_token_id is not null;
create index harness_operations_due
  on harness_operations (operation_state, next_operation_attempt_at, worker_lease_expires_at);
`

/** Throws when a column that must exist does not. Reads only. */
export function requireColumns(database: SqliteDatabase): void {
  const isNamed = database.pragma('user_version', { simple: true }) === namedSchemaVersion
  const required = {
    ...requiredColumns,
    ...(isNamed && { installation_identity: [...requiredColumns.installation_identity, 'principal'] }),
  }
  for (const [table, columns] of Object.entries(required)) {
    const present = new Set(database.prepare('select name from pragma_table_info(?)').pluck().all(table))
    if (columns.some((column) => !present.has(column))) throw new Error(`the registry lacks columns of ${table}`)
  }
}

const requiredColumns = {
  installation_identity: ['singleton', 'installation_id', 'created_at'],
  harness_operations: [
    ...['platform', 'installation_id', 'harness_call_id', 'request_hash', 'tool_name', 'operation_key'],
    ...['operation_handle', 'codex_call_id', 'claude_tool_use_id', 'hubu_invocation_id', 'controlled_installation_id'],
    ...['task_id', 'decision', 'decision_id', 'auth_token_id', 'approval_request_id', 'authorization_expires_at'],
    ...['result_json', 'dispatch_started_at', 'result_recorded_at', 'gongbu_request_hash', 'gongbu_request_json'],
    ...['gongbu_execution_id', 'gongbu_status', 'gongbu_outcome', 'gongbu_create_started_at'],
    ...['gongbu_result_recorded_at', 'operation_state', 'operation_result_code', 'dispatch_attempts'],
    ...['observation_failures', 'reconciliation_attempts', 'operation_deadline_at', 'next_operation_attempt_at'],
    ...['worker_lease_id', 'worker_lease_expires_at', 'operation_updated_at', 'created_at'],
  ],
}
