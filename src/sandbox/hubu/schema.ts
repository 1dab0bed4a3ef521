// The tables of the embedded Hubu. Instants are texts that sort (time/instant.ts), money is integer cents, ids are internal
// UUIDs unless a column says public_id. `sequence` is creation order.

/** Steps for `migrate`; appended to, never edited. */
export const schemaSteps: readonly string[] = [
  `
create table settings (name text primary key, value text not null) strict;

create table users (
  sequence integer primary key,
  id text not null unique,
  public_id text not null unique,
  username text unique,
  display_name text not null,
  email text,
  email_key text unique,
  status text not null,
  created_at text not null
) strict;

create table agents (
  sequence integer primary key,
  id text not null unique,
  public_id text not null unique,
  owner_id text not null references users (id),
  identity_fingerprint text not null,
  display_name text not null,
  description text,
  agent_type text not null,
  status text not null,
  created_at text not null,
  unique (owner_id, identity_fingerprint)
) strict;

create table agent_accounts (
  id text primary key,
  public_id text not null unique,
  agent_id text not null unique references agents (id),
  status text not null
) strict;

create table agent_versions (
  id text primary key,
  public_id text not null unique,
  agent_id text not null references agents (id),
  fingerprint text not null,
  label text not null,
  payload text not null,
  created_at text not null
) strict;

create table agent_sessions (
  id text primary key,
  public_id text not null unique,
  agent_id text not null references agents (id),
  version_id text not null references agent_versions (id),
  created_at text not null
) strict;

create table policies (
  sequence integer primary key,
  id text not null unique,
  public_id text not null unique,
  owner_id text not null references users (id),
  declarative_key text not null,
  display_name text not null,
  revision integer not null,
  payload_hash text not null,
  payload text not null,
  created_at text not null,
  updated_at text not null,
  unique (owner_id, declarative_key)
) strict;

create table policy_revisions (
  policy_id text not null references policies (id),
  revision integer not null,
  payload_hash text not null,
  payload text not null,
  actor_id text not null references users (id),
  source text not null,
  created_at text not null,
  primary key (policy_id, revision)
) strict;

create table policy_assignments (
  sequence integer primary key,
  owner_id text not null references users (id),
  scope text not null,
  policy_id text not null references policies (id),
  agent_id text references agents (id),
  attached_at text not null,
  updated_at text not null,
  unique (owner_id, scope)
) strict;

create table policy_audit (
  sequence integer primary key,
  policy_id text not null references policies (id),
  actor_id text not null references users (id),
  source text not null,
  occurred_at text not null,
  old_hash text,
  new_hash text not null,
  affected_assignments text not null,
  action text not null
) strict;

create table budgets (
  sequence integer primary key,
  id text not null unique,
  public_id text not null unique,
  agent_id text not null references agents (id),
  amount_limit_cents integer not null,
  consumed_cents integer not null,
  frozen_cents integer not null,
  remaining_cents integer not null,
  starting_at text not null,
  ending_before text,
  status text not null,
  created_at text not null
) strict;
create index budgets_of_agent on budgets (agent_id, status);

create table spending_targets (
  sequence integer primary key,
  id text not null unique,
  public_id text not null unique,
  owner_id text not null references users (id),
  amount_cents integer not null,
  starting_at text not null,
  ending_before text,
  revoked integer not null,
  created_at text not null
) strict;

create table attempts (
  sequence integer primary key,
  agent_id text not null references agents (id),
  operation_key text not null,
  revision integer not null,
  owner_id text not null references users (id),
  account_id text not null references agent_accounts (id),
  amount_cents integer not null,
  merchant text,
  execution_scope text,
  task_id text,
  reason text not null,
  lease_profile text not null,
  submitted_at text not null,
  outcome text not null,
  outcome_reasons text not null,
  decided_at text not null,
  unique (agent_id, operation_key, revision)
) strict;

create table decisions (
  id text primary key,
  attempt_sequence integer not null unique references attempts (sequence),
  policy_id text not null references policies (id),
  policy_revision integer not null,
  policy_decision text not null,
  reasons text not null,
  summary text not null,
  decisive_conditions text not null,
  created_at text not null
) strict;

create table tokens (
  id text primary key,
  decision_id text not null unique references decisions (id),
  expires_at text not null,
  claim_ttl_seconds integer not null,
  used_at text,
  used_by text,
  revoked_at text
) strict;

create table holds (
  id text primary key,
  decision_id text not null unique references decisions (id),
  budget_id text not null references budgets (id),
  amount_cents integer not null,
  status text not null,
  expires_at text not null
) strict;
create index holds_by_expiry on holds (status, expires_at);
create index holds_of_budget on holds (budget_id);

create table claims (
  id text primary key,
  agent_id text not null references agents (id),
  operation_key text not null,
  token_id text not null unique references tokens (id),
  status text not null,
  claimed_at text not null,
  expires_at text not null,
  finalized_at text,
  outcome text,
  provider_reference text,
  evidence text,
  reconciled_at text,
  reconciled_by text references users (id),
  unique (agent_id, operation_key)
) strict;
create index claims_by_expiry on claims (status, expires_at);

create table settlements (
  id text primary key,
  claim_id text not null unique references claims (id),
  authorized_max_cents integer not null,
  cost_amount integer not null,
  cost_scale integer not null,
  charge_cents integer not null,
  released_cents integer not null,
  overrun_cents integer not null,
  provider_request_id text not null,
  price_model_snapshot text not null,
  artifact_reference text not null,
  created_at text not null
) strict;

create table payments (
  id text primary key,
  decision_id text not null unique references decisions (id),
  idempotency_key text not null unique,
  status text not null,
  ledger_transaction_id text,
  rail_reference text,
  failure_reason text,
  created_at text not null
) strict;

create table ledger_accounts (
  id text primary key,
  owner_id text not null references users (id),
  kind text not null,
  unique (owner_id, kind)
) strict;

create table ledger_transactions (
  id text primary key,
  owner_id text not null references users (id),
  external_ref text,
  description text not null,
  created_at text not null
) strict;
create index ledger_transactions_of_owner on ledger_transactions (owner_id, created_at, id);

create table ledger_entries (
  id text primary key,
  transaction_id text not null references ledger_transactions (id),
  account_id text not null references ledger_accounts (id),
  direction text not null,
  amount_cents integer not null
) strict;
create index ledger_entries_of_transaction on ledger_entries (transaction_id);

create table provider_postings (
  id text primary key,
  settlement_id text not null unique references settlements (id),
  owner_id text not null references users (id),
  debit_entry_id text not null unique,
  debit_account_id text not null references ledger_accounts (id),
  credit_entry_id text not null unique,
  credit_account_id text not null references ledger_accounts (id),
  created_at text not null
) strict;
create index provider_postings_of_owner on provider_postings (owner_id, created_at, id);
`,
]
