import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '../timing/clock.ts'
import { retryWhileBusy, type BusyWait } from '../storage/busy.ts'
import { isLibraryFault } from '../storage/library-fault.ts'
import { openDatabase, readFileMarks, readOnly, type SqliteDatabase } from '../storage/database.ts'
import { addTables } from './added-tables.ts'
import { deriveNames, type NamedCall, type OperationNames } from './derived-names.ts'
import { createFileGuard, refuseStrangeFiles, type FileGuard } from './file-guard.ts'
import { createJournal } from './journal/journal.ts'
import { keySecretSql, takeKeySecret } from './key-secret.ts'
import { applicationId, isServedVersion, requireColumns, schemaSql, schemaVersion } from './schema.ts'
import { checkLimits, checkWhileInUse, refuseUnsound, type CheckLimits } from './sound-file.ts'
import { registryPatience } from './transaction.ts'
import { truncateLog } from './truncate-log.ts'

/** Why there is no registry. */
export type RegistryReason = 'configuration_missing' | 'configuration_invalid' | 'state_unavailable'

/** The opened file, or the stable reason why registry-dependent tools are not available. */
export type OpenedRegistry =
  | {
      kind: 'available'
      database: SqliteDatabase
      installationId: string
      guard: FileGuard
      /** Ends the check of a large file that goes on beside the work. */
      stopCheck(): void
      /** The names of a call's operation: the same ones whenever it comes. */
      nameOperation(call: NamedCall): OperationNames
    }
  | { kind: 'unavailable'; reason: RegistryReason; cause?: unknown }

/** Where the registry lies, and how long a locked one is waited for. */
export interface OpenRegistryOptions extends BusyWait {
  /** `HUBU_UNIFIED_OPERATION_STATE_PATH`, as given. */
  statePath: string | undefined
  clock: BusyWait['clock'] & Pick<Clock, 'nowMs'>
  /** The build that writes the journal; undefined where none is kept. */
  journalOf?: { productVersion: string; sourceCommit: string } | undefined
  /** By default such that no client waits for long. */
  limits?: CheckLimits
  /** Gives up a check that takes long; then it is unavailable. */
  signal?: AbortSignal
  /** 32 lowercase hex digits. */
  randomHex(): string
}

/**
 * Opens the registry: looked at first, without writing. Throws only when SQLite's library cannot be loaded (`isLibraryFault`): what is
 * missing, foreign, of another version, linked, locked, broken or without its key secret gives a reason, and a file that is not ours
 * is left exactly as it is.
 */
export async function openRegistry(options: OpenRegistryOptions): Promise<OpenedRegistry> {
  const statePath = options.statePath
  if (statePath === undefined || statePath.trim() === '')
    return { kind: 'unavailable', reason: 'configuration_missing' }
  if (statePath === ':memory:') return { kind: 'unavailable', reason: 'configuration_invalid' }
  try {
    const { limits = checkLimits, signal } = options
    const patiently = <T>(work: () => T) => retryWhileBusy(options, registryPatience, work)
    const isOurs = await patiently(() => look(statePath))
    if (isOurs) await refuseUnsound(statePath, { limits, patiently, signal })
    const opened = await patiently(() => openOnce(statePath, options))
    return { ...opened, stopCheck: checkWhileInUse(statePath, limits, opened.guard) }
  } catch (cause) {
    if (isLibraryFault(cause)) throw cause
    return { kind: 'unavailable', reason: 'state_unavailable', cause }
  }
}

function openOnce(
  statePath: string,
  options: OpenRegistryOptions,
): Omit<OpenedRegistry & { kind: 'available' }, 'stopCheck'> {
  const { randomHex } = options
  look(statePath)
  makeFolder(path.dirname(statePath))
  const database = openDatabase(statePath, { secureDelete: true })
  try {
    const secret = database
      .transaction(() => {
        prepare(database, options)
        return takeKeySecret(database, statePath, randomHex)
      })
      .immediate()
    truncateLog(database)
    const guard = createFileGuard(statePath)
    const installationId = database
      .prepare('select installation_id from installation_identity where singleton = 1')
      .pluck()
      .get() as string
    return {
      kind: 'available',
      database,
      installationId,
      guard,
      nameOperation: (call) => deriveNames(secret, call),
    }
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLite takes anything shorter than its smallest page for an empty database, and would write over it. */
const leastDatabaseBytes = 512

/** Makes the missing folders one by one: Node's recursive way never returns where a file system denies that its folder exists. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(path.dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Looks without following links and without writing: false for a fresh file. Throws when it is neither that nor ours. */
function look(statePath: string): boolean {
  if (!path.isAbsolute(statePath)) throw new Error('the registry path is not absolute')
  refuseStrangeFiles(statePath)
  const stat = lstatSync(statePath, { throwIfNoEntry: false })
  if (stat === undefined) return false
  if (!stat.isFile()) throw new Error('the registry path is not a regular file')
  if (stat.size === 0) return false
  if (stat.size < leastDatabaseBytes) throw new Error('the registry file is no database')
  const { applicationId: id, userVersion, tables } = readFileMarks(statePath)
  if (id === 0 && userVersion === 0 && tables === 0) return false
  if (id !== applicationId || !isServedVersion(userVersion))
    throw new Error('the registry file is foreign or of another version')
  readOnly(statePath, requireColumns)
  return true
}

/** Creates the schema in a fresh file, checks it in an old one, and gives the file its installation identity. */
function prepare(database: SqliteDatabase, { randomHex, journalOf, clock }: OpenRegistryOptions): void {
  if (database.pragma('user_version', { simple: true }) === 0) {
    database.exec(schemaSql)
    database.pragma(`application_id = ${applicationId}`)
    database.pragma(`user_version = ${schemaVersion}`)
  }
  database.exec(keySecretSql)
  requireColumns(database)
  const identity = `hubu-installation:v1:${randomHex()}`
  database
    .prepare('insert or ignore into installation_identity (singleton, installation_id) values (1, ?)')
    .run(identity)
  const stored = database.prepare('select installation_id from installation_identity where singleton = 1').pluck().get()
  if (typeof stored !== 'string' || !/^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u.test(stored))
    throw new Error('the registry has no valid identity')
  const { madeJournal } = addTables(database, { hasJournal: journalOf !== undefined })
  if (!madeJournal || journalOf === undefined) return
  const { productVersion: product_version, sourceCommit: source_commit } = journalOf
  const installation = createHash('sha256').update(stored).digest('hex')
  const members = { installation, product_version, source_commit }
  createJournal(database, clock).append(0, { kind: 'journal_opened', members })
}
