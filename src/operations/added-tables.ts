// The tables that stand beside those of registry version 4. Routers of earlier releases ignore them.
import type { SqliteDatabase } from '../storage/database.ts'
import { prepareOnce } from '../storage/kept-database.ts'

/** What becomes of a purchase that waits for a human; erased with the final decision. Made whatever the journal keeps. */
const waitingSql = `
create table waiting_spends (
  operation_handle text primary key,
  tool_name text not null,
  request_text text not null check (json_valid(request_text)),
  waits_since text not null,
  next_attempt_at text not null,
  attempts integer not null default 0,
  lease_id text,
  lease_expires_at text
)`

/** The journal: what happened, in entries that are only ever appended. */
const journalSql = `
create table operation_journal (
  seq integer primary key,
  operation integer not null,
  entry text not null check (length(cast(entry as blob)) <= 4096),
  opening blob check (opening is null or length(opening) <= 65536)
);
create index operation_journal_operation on operation_journal (operation)`

/** What the journal and the connections know of each operation, in columns to search by. */
const factsSql = `
create table operation_facts (
  no integer primary key,
  operation_handle text not null unique,
  principal text not null,
  client text,
  connection blob,
  account_id text,
  amount_minor integer,
  currency text,
  near_hash blob,
  generation integer,
  dispatch_begun integer not null default 0,
  answer text check (answer is null or answer in ('written', 'taken', 'dropped')),
  answer_at text,
  is_final integer not null default 0
);
create index operation_facts_open on operation_facts (no) where is_final = 0;
create index operation_facts_near on operation_facts (near_hash)`

/** A person's or a harness's word that one more purchase is meant. */
const grantsSql = `
create table guard_grants (
  of_handle text not null,
  principal text not null,
  tool text not null,
  request_hash text not null,
  granted_by text not null check (granted_by in ('human', 'harness')),
  granted_at text not null,
  until text not null,
  used_by text
);
create index guard_grants_request on guard_grants (request_hash)`

/** What the guard refused lately, and call ids that were used for two purchases. */
const refusalsSql = `
create table guard_refusals (
  principal text not null,
  platform text,
  tool text not null,
  request_hash text not null,
  near_hash blob,
  of_handle text,
  reason text not null,
  refused_at text not null
);
create index guard_refusals_request on guard_refusals (request_hash)`

const journalTables = {
  operation_journal: journalSql,
  operation_facts: factsSql,
  guard_grants: grantsSql,
  guard_refusals: refusalsSql,
}

/**
 * Makes the tables that are missing; inside the caller's transaction. Returns whether the journal was made now. Throws when a
 * table of such a name has other columns: it is not ours.
 */
export function addTables(database: SqliteDatabase, { hasJournal }: { hasJournal: boolean }): { madeJournal: boolean } {
  const wanted = { waiting_spends: waitingSql, ...(hasJournal && journalTables) }
  let madeJournal = false
  for (const [name, sql] of Object.entries(wanted)) {
    const columns = columnsOf(database, name)
    if (columns.length === 0) {
      database.exec(sql)
      madeJournal ||= name === 'operation_journal'
    } else if (columns.join() !== columnsIn(sql).join()) throw new Error(`the table ${name} is not ours`)
  }
  // What a purchase is compared by.
  if (hasJournal)
    database.exec('create index if not exists harness_operations_request on harness_operations (request_hash)')
  return { madeJournal }
}

/** Whether the file has a journal. Reads only. */
export function hasJournalTables(database: SqliteDatabase): boolean {
  return columnsOf(database, 'operation_journal').length > 0
}

function columnsOf(database: SqliteDatabase, table: string): string[] {
  return prepareOnce(database, 'select name from pragma_table_info(?)').pluck().all(table) as string[]
}

/** The columns that a statement above makes: each stands first on a line of its own, two spaces in. */
function columnsIn(sql: string): string[] {
  return [...sql.matchAll(/^ {2}([a-z_]+) /gm)].map(([, name]) => name!)
}
