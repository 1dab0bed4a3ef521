// The embedded Hubu as a process of its own, configured by environment variables.
import { randomUUID } from 'node:crypto'
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isLibraryFault, libraryAdvice } from '../../storage/library-fault.ts'
import { makePrivateFolder } from '../../storage/make-folder.ts'
import type { Stamp } from './hubu.ts'
import { parseLeases, type LeaseConfiguration } from './leases.ts'
import { requestLog, type LogStream } from './log.ts'
import { startHubu, type HubuOptions, type RunningHubu } from './server.ts'

/** What the environment does not decide. */
export interface StandaloneOptions {
  /** The build's stamp; an unstamped build says so. */
  stamp?: Stamp
  /** The listen address of the command line, which wins over `HUBU_BIND_ADDR`. */
  bindAddress?: string
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Starts a Hubu from `HUBU_BIND_ADDR`, `HUBU_DB_PATH`, the three token variables or files, `HUBU_LEASE_CONFIG`,
 * `HUBU_LOG_STDERR` and `HUBU_LOG_FILE`; `HUBU_SANDBOX_ADMIN_TOKEN` opens the control of faults. Missing token files are created with mode 0600. When it cannot start, it writes one
 * `error: …` line, which shows no secret, and rejects.
 */
export async function runHubuFromEnvironment(
  env: Environment,
  stderr: LogStream,
  options: StandaloneOptions = {},
): Promise<RunningHubu> {
  const logFile = env.HUBU_LOG_FILE ? createWriteStream(env.HUBU_LOG_FILE, { flags: 'a', mode: 0o600 }) : undefined
  const logged: LogStream[] = env.HUBU_LOG_STDERR === '0' ? [] : [stderr]
  const log = requestLog(logFile === undefined ? logged : [...logged, logFile])
  const closeLog = () =>
    new Promise<void>((resolve) => (logFile === undefined ? resolve() : logFile.end(() => resolve())))
  try {
    const running = await startHubu({ ...settingsOf(env, options), log })
    return { ...running, close: () => running.close().then(closeLog) }
  } catch (error) {
    await closeLog()
    stderr.write(`error: ${reasonOf(error)}\n`)
    throw error
  }
}

/** The system's own messages name files and addresses; its codes do not. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === 'EADDRINUSE' || code === 'EADDRNOTAVAIL') return `cannot listen on the address (${code})`
  if (isLibraryFault(error)) return libraryAdvice
  if (typeof code === 'string') return `cannot open a file (${code})`
  return typeof message === 'string' ? message.replaceAll(/\s+/g, ' ') : 'cannot start'
}

function settingsOf(env: Environment, options: StandaloneOptions): HubuOptions {
  return {
    ...readAddress(options.bindAddress ?? env.HUBU_BIND_ADDR ?? '127.0.0.1:8787'),
    databasePath: env.HUBU_DB_PATH || 'hubu.sqlite3',
    stamp: options.stamp ?? { productVersion: '0.0.0', sourceCommit: 'unknown' },
    tokens: {
      api: readToken(env, 'AUTH', 'hubu.auth-token', 'hubu_'),
      approval: readToken(env, 'APPROVAL', 'hubu.approval-token', 'hubu_approve_'),
      reconciliation: readToken(env, 'RECONCILIATION', 'hubu.reconciliation-token', 'hubu_reconcile_'),
      admin: env.HUBU_SANDBOX_ADMIN_TOKEN?.trim() || undefined,
    },
    leases: readLeases(env.HUBU_LEASE_CONFIG),
  }
}

function readAddress(text: string): { host: string; port: number } {
  const [, host, digits] = /^(127\.0\.0\.1|localhost|\[::1\]):([0-9]{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (host === undefined || port > 65_535) throw new Error('the listen address must be a loopback address and a port')
  return { host: host === '[::1]' ? '::1' : host, port }
}

function readToken(env: Environment, name: string, defaultFile: string, prefix: string): string {
  const given = env[`HUBU_${name}_TOKEN`]
  const file = env[`HUBU_${name}_TOKEN_FILE`] || defaultFile
  const token = (given ?? readOrCreate(file, prefix)).trim()
  if (token === '') throw new Error(`HUBU_${name}_TOKEN or its file is empty`)
  return token
}

/** Creates exclusively, so that two processes that start at once agree on one token. */
function readOrCreate(file: string, prefix: string): string {
  try {
    makePrivateFolder(path.dirname(file))
    writeFileSync(file, `${prefix}${randomUUID()}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw new Error('a token file cannot be created')
  }
  return readFileSync(file, 'utf8')
}

function readLeases(file: string | undefined): LeaseConfiguration | undefined {
  if (!file) return undefined
  let yaml: string
  try {
    yaml = readFileSync(file, 'utf8')
  } catch {
    throw new Error('the lease configuration file cannot be read')
  }
  return parseLeases(yaml)
}
