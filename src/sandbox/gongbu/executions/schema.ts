// The tables of the embedded Gongbu's database, as steps for `migrate`.

/** Schema steps; only ever appended. */
export const gongbuSchema: readonly string[] = [
  `
  CREATE TABLE executions (
    execution_id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    operation_key TEXT NOT NULL,
    token_id TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL,
    outcome TEXT,
    failure_code TEXT,
    claim_id TEXT,
    normalized_input TEXT NOT NULL,
    input_schema_version TEXT NOT NULL,
    workload_type TEXT NOT NULL,
    provider TEXT NOT NULL,
    adapter TEXT NOT NULL,
    model TEXT NOT NULL,
    target_version TEXT NOT NULL,
    target_digest TEXT NOT NULL,
    price TEXT NOT NULL,
    scope TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    currency TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    started_at TEXT,
    completed_at TEXT,
    preflight_passed_at TEXT,
    claim_started_at TEXT,
    release_started_at TEXT,
    provider_outcome TEXT,
    artifact_outcome TEXT,
    settlement_outcome TEXT,
    UNIQUE (account_id, operation_key)
  ) STRICT;
  CREATE INDEX executions_open ON executions (created_at, execution_id)
    WHERE status NOT IN ('succeeded', 'failed', 'released');

  CREATE TABLE authorization_snapshots (
    execution_id TEXT PRIMARY KEY REFERENCES executions (execution_id),
    token_id TEXT NOT NULL UNIQUE,
    snapshot TEXT NOT NULL
  ) STRICT;

  CREATE TABLE attempts (
    attempt_id TEXT PRIMARY KEY,
    execution_id TEXT NOT NULL UNIQUE REFERENCES executions (execution_id),
    provider TEXT NOT NULL,
    outcome TEXT NOT NULL,
    request_id TEXT,
    operation_id TEXT,
    usage TEXT,
    price_evidence TEXT,
    failure_code TEXT,
    created_at TEXT NOT NULL,
    transmission_started_at TEXT,
    completed_at TEXT
  ) STRICT;
  CREATE UNIQUE INDEX attempts_request ON attempts (provider, request_id) WHERE request_id IS NOT NULL;

  CREATE TABLE staged_artifacts (
    attempt_id TEXT NOT NULL REFERENCES attempts (attempt_id),
    ordinal INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (attempt_id, ordinal)
  ) STRICT;

  CREATE TABLE artifacts (
    artifact_id TEXT PRIMARY KEY,
    execution_id TEXT NOT NULL REFERENCES executions (execution_id),
    attempt_id TEXT NOT NULL REFERENCES attempts (attempt_id),
    ordinal INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    storage_key TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (attempt_id, ordinal)
  ) STRICT;
  CREATE INDEX artifacts_of_execution ON artifacts (execution_id, created_at, artifact_id);

  CREATE TABLE receipts (
    receipt_id TEXT PRIMARY KEY,
    execution_id TEXT NOT NULL UNIQUE REFERENCES executions (execution_id),
    amount_minor INTEGER NOT NULL,
    currency TEXT NOT NULL,
    created_at TEXT NOT NULL,
    transmission_started_at TEXT,
    settled_at TEXT,
    settlement_id TEXT UNIQUE
  ) STRICT;

  CREATE TABLE reconciliations (
    execution_id TEXT PRIMARY KEY REFERENCES executions (execution_id),
    entered_at TEXT NOT NULL,
    evidence TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    exhausted INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE operator_actions (
    execution_id TEXT NOT NULL REFERENCES executions (execution_id),
    action_id TEXT NOT NULL,
    action TEXT NOT NULL,
    evidence TEXT NOT NULL,
    evidence_sha256 TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    served_at TEXT,
    PRIMARY KEY (execution_id, action_id)
  ) STRICT;

  CREATE TABLE mock_claims (
    operation_key TEXT PRIMARY KEY,
    claim_id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    status TEXT NOT NULL,
    settlement_id TEXT,
    settled_amount_minor INTEGER
  ) STRICT;
  `,
]
