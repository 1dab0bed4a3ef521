/** `application_id` of the file that holds stored results: "HuRe" in ASCII. */
export const resultsApplicationId = 0x48755265

/** The schema of the results file, forward only: a step is never edited, the next one is appended. */
export const resultsMigrations: readonly string[] = [
  // total_bytes and sha256 are null while a result is being written; nobody can read it before they are set.
  `create table stored_result (
     call_id text primary key,
     server text not null,
     tool text not null,
     is_error integer not null,
     media_type text,
     created_at_ms integer not null,
     expires_at_ms integer not null,
     total_bytes integer,
     sha256 text
   ) strict, without rowid;
   create index stored_result_expiry on stored_result (expires_at_ms);
   create index stored_result_age on stored_result (created_at_ms);
   create table result_chunk (
     call_id text not null references stored_result (call_id),
     sequence integer not null,
     bytes blob not null,
     primary key (call_id, sequence)
   ) strict, without rowid;
   pragma application_id = ${resultsApplicationId};`,
  // Usage: what was called, how it went, how large it was. No arguments, no results, no texts of errors.
  `create table tool_call (
     id integer primary key,
     at_ms integer not null,
     server text not null,
     tool text not null,
     public_name text not null,
     duration_ms integer not null,
     is_ok integer not null,
     error_class text,
     argument_bytes integer not null,
     received_bytes integer not null,
     sent_bytes integer not null,
     agent text not null,
     via text not null
   ) strict;
   create index tool_call_age on tool_call (at_ms);`,
  // Calls that run in the background: a row without an end is a call whose outcome only its process knows.
  `create table detached_call (
     call_id text primary key,
     server text not null,
     tool text not null,
     public_name text not null,
     started_at_ms integer not null,
     latest_end_ms integer not null,
     ended_at_ms integer,
     result text,
     error text,
     owner text not null,
     host text not null,
     process_id integer not null
   ) strict, without rowid;
   create index detached_call_end on detached_call (ended_at_ms);`,
  // How a call ended: result, failed, cancelled or outcome_unknown.
  'alter table detached_call add column end_kind text',
  // Whose results and calls they are; what was there before is that of whoever started the process.
  `alter table stored_result add column principal text not null default 'local';
   alter table tool_call add column principal text not null default 'local';
   alter table detached_call add column principal text not null default 'local';
   create index stored_result_owner on stored_result (principal, created_at_ms);`,
]
