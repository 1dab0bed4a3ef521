// The secret that keys and handles are derived from. It lies beside the registry, not in it: what takes the registry away leaves it.
import { createHash } from 'node:crypto'
import { lstatSync, renameSync } from 'node:fs'
import type { SqliteDatabase } from '../storage/database.ts'
import { placeHexSecret, readHexSecret } from '../storage/hex-secret.ts'

/** The recorded secret is not there, or another one is: the registry must not be used with it. */
export class KeySecretLost extends Error {
  override readonly name = 'KeySecretLost'
}

/** How a registry and the secret beside it fit together. */
export type KeySecretState = 'fits' | 'missing' | 'another' | 'not_recorded'

/** One row: which secret the keys of this registry are derived from. */
export const keySecretSql = `
create table if not exists key_secret (
  singleton integer primary key check (singleton = 1),
  fingerprint blob not null check (length(fingerprint) = 32)
)`

/** Where the secret of a registry lies. */
export function keySecretPath(statePath: string): string {
  return `${statePath}.key-secret`
}

/**
 * The secret of this registry, made when neither the file nor a record of it is there. Runs inside an immediate transaction of a
 * registry whose table exists. The file comes before the record of it: a process that dies between them leaves a secret that the
 * next one takes. Throws KeySecretLost, or the error of the file system. `randomHex` gives 32 hex digits.
 */
export function takeKeySecret(database: SqliteDatabase, statePath: string, randomHex: () => string): Buffer {
  const file = keySecretPath(statePath)
  const recorded = recordedFingerprint(database)
  let secret = readHexSecret(file)
  if (secret === 'unreadable') throw new KeySecretLost('the file beside it holds no key secret')
  if (secret === undefined) {
    if (recorded !== undefined) throw new KeySecretLost('its key secret is missing')
    secret = placeHexSecret(file, randomHex)
  }
  const found = fingerprintOf(secret)
  if (recorded === undefined) record(database, found)
  else if (!recorded.equals(found)) throw new KeySecretLost('the key secret beside it is another one')
  return secret
}

/** How they fit together; reads only. */
export function keySecretState(database: SqliteDatabase, statePath: string): KeySecretState {
  const hasTable = database.prepare("select 1 from sqlite_master where name = 'key_secret'").pluck().get() === 1
  const recorded = hasTable ? recordedFingerprint(database) : undefined
  if (recorded === undefined) return 'not_recorded'
  const secret = readHexSecret(keySecretPath(statePath))
  if (secret === undefined) return 'missing'
  return secret !== 'unreadable' && recorded.equals(fingerprintOf(secret)) ? 'fits' : 'another'
}

/**
 * Puts a new secret in the place of one that is lost, and records it. A file that lies there is kept under another name. Runs inside
 * an immediate transaction.
 */
export function replaceKeySecret(
  database: SqliteDatabase,
  statePath: string,
  now: Date,
  randomHex: () => string,
): void {
  const file = keySecretPath(statePath)
  const aside = `${file}.replaced-${now.toISOString().replaceAll(/[:.]/g, '-')}`
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) renameSync(file, aside)
  database.exec(keySecretSql)
  record(database, fingerprintOf(placeHexSecret(file, randomHex)))
}

function fingerprintOf(secret: Buffer): Buffer {
  return createHash('sha256').update('hubu-key-secret:v1\0').update(secret).digest()
}

function recordedFingerprint(database: SqliteDatabase): Buffer | undefined {
  return database.prepare<[], Buffer>('select fingerprint from key_secret').pluck().get()
}

function record(database: SqliteDatabase, fingerprint: Buffer): void {
  database
    .prepare(
      'insert into key_secret (singleton, fingerprint) values (1, ?) on conflict do update set fingerprint = excluded.fingerprint',
    )
    .run(fingerprint)
}
