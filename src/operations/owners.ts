// Whose an operation is. The column `installation_id` says it: the installation's own id for whoever started the process, and for
// everybody else one that is derived from it, the same in every process on the file.
import { createHash } from 'node:crypto'
import type { SqliteDatabase } from '../storage/database.ts'
import { prepareOnce } from '../storage/kept-database.ts'
import { namedSchemaVersion } from './schema.ts'

/** Who started the process, or has its start token. */
export const localPrincipal = 'local'

/** The owners of one registry file. */
export interface Owners {
  /** What `installation_id` says of this principal's operations. */
  idOf(principal: string): string
  /**
   * The same, and the file knows the principal from then on. Runs inside the immediate transaction that writes its operation; with the
   * first principal that has a name the file becomes one of the later version, which routers of earlier releases refuse.
   */
  admit(principal: string): string
}

export function createOwners(database: SqliteDatabase, installationId: string): Owners {
  const idOf = (principal: string) =>
    principal === localPrincipal ? installationId : derived(installationId, principal)
  return {
    idOf,
    admit(principal) {
      const id = idOf(principal)
      if (principal === localPrincipal) return id
      if (database.pragma('user_version', { simple: true }) !== namedSchemaVersion) nameOwners(database)
      // Asked of the file each time: a transaction that was rolled back has taken the row back with it.
      const insert = 'insert or ignore into installation_identity (installation_id, principal) values (?, ?)'
      prepareOnce(database, insert).run(id, principal)
      return id
    },
  }
}

/** Whose purchases the guard takes together: those of a proven name are its own, of the others those that the operator says. */
export function guardedAs(
  { principal = localPrincipal }: { principal?: string },
  rules: { readonly principal: string },
): string {
  return principal === localPrincipal ? rules.principal : principal
}

function derived(installationId: string, principal: string): string {
  const digest = createHash('sha256').update(`${installationId}\n${principal}`).digest('hex')
  return `hubu-installation:v1:${digest.slice(0, 32)}`
}

/**
 * The table of owners takes more than one row, and each says whose it is; nothing else changes. Operations refer to it, which is
 * checked at the end of the transaction, when its rows are there again.
 */
function nameOwners(database: SqliteDatabase): void {
  database.pragma('defer_foreign_keys = ON')
  const rows = database.prepare<[], Record<string, unknown>>('select * from installation_identity').all()
  database.exec(`
    drop table installation_identity;
    create table installation_identity (
      singleton integer primary key,
      installation_id text not null unique check (length(installation_id) between 1 and 128),
      created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
      principal text not null unique
    )`)
  const insert = database.prepare(
    `insert into installation_identity (singleton, installation_id, created_at, principal)
     values (:singleton, :installation_id, :created_at, '${localPrincipal}')`,
  )
  for (const row of rows) insert.run(row)
  database.pragma(`user_version = ${namedSchemaVersion}`)
}
