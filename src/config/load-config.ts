// This room is what the operator asked for: read once, checked, frozen.
import { Secret } from '../redaction/secret.ts'
import { activityPath } from './activity-path.ts'
import { ConfigError } from './config-error.ts'
import type { ConfigSource } from './config-source.ts'
import { readBearer, type ReconciliationSettings } from './credentials.ts'
import { environmentVariables as names, isBlank, readVariable, type Variables } from './environment.ts'
import { readFileSettings, type FileSettings, type Given } from './file-settings.ts'

/** How much is logged; silent by default. */
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** How to reach one backend. */
export interface BackendSettings {
  readonly endpoint: URL
  readonly bearer: Secret
  /** A sandbox's backend moves: where it is now, on the endpoint's host. */
  readonly port?: () => Promise<number>
}

/** A served router's configuration. Secrets in it print as `<redacted>`. */
export interface Config extends FileSettings {
  /** Undefined when endpoint or token is missing: the backend is unconfigured. */
  readonly hubu: BackendSettings | undefined
  readonly gongbu: BackendSettings | undefined
  /** Base cadence of capability probes. */
  readonly pollIntervalMs: number
  /** Base unit of the operation worker. */
  readonly tickMs: number
  /** As given; the registry judges it. */
  readonly statePath: string | undefined
  /** Where it is kept what happens beside the calls; undefined when there is no place for it. */
  readonly activityPath: string | undefined
  readonly trustClientApproval: boolean
  readonly reconciliation: ReconciliationSettings
  readonly logLevel: LogLevel
  /** Where changes of the config file are seen; undefined when there is none. */
  readonly source?: ConfigSource
}

const levels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']

const trustWords = new Set(['1', 'true', 'TRUE', 'yes', 'YES'])

/**
 * Reads the environment over the config file: credentials first, then the rest; the first error wins. Throws
 * ConfigError.
 */
export function loadConfig(env: Variables, given: Given = {}): Config {
  const read = (name: string) => readVariable(env, name)
  const hubuBearer = readBearer('hubu', read(names.hubuToken), read(names.hubuTokenFile))
  const gongbuBearer = readBearer('gongbu', read(names.gongbuToken), read(names.gongbuTokenFile))
  const direct = read(names.reconciliationToken)
  return Object.freeze({
    hubu: toBackend('hubu', read(names.hubuEndpoint), hubuBearer),
    gongbu: toBackend('gongbu', read(names.gongbuEndpoint), gongbuBearer),
    pollIntervalMs: readInteger(read(names.pollInterval), 'the capability poll interval', 10, 60000, 30000),
    tickMs: readInteger(read(names.tick), 'the operation tick', 10, 1000, 1000),
    statePath: read(names.statePath),
    activityPath: given.place && activityPath(given.place),
    trustClientApproval: trustWords.has(read(names.trustClientApproval) ?? ''),
    reconciliation: {
      direct: direct === undefined ? undefined : new Secret(direct),
      file: read(names.reconciliationTokenFile) ?? 'hubu.reconciliation-token',
    },
    ...readFileSettings(read, given),
    logLevel: readLogLevel(read(names.log)),
  })
}

/** A backend is configured only with both endpoint and token; a lone endpoint is not even looked at. */
function toBackend(
  backend: string,
  endpoint: string | undefined,
  bearer: Secret | undefined,
): BackendSettings | undefined {
  if (isBlank(endpoint) || bearer === undefined) return undefined
  return { endpoint: toEndpoint(backend, endpoint), bearer }
}

function toEndpoint(backend: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url !== undefined &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.hostname !== '' &&
    url.username === '' &&
    url.password === '' &&
    !/[?#@]/.test(text)
  if (isPlain) return url
  throw new ConfigError(
    `the ${backend} endpoint is not usable; it must be an absolute http or https URL without user name, query or fragment`,
  )
}

function readInteger(text: string | undefined, what: string, least: number, most: number, absent: number): number {
  if (text === undefined) return absent
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new ConfigError(`${what} must be a whole number of milliseconds from ${least} to ${most}`)
}

function readLogLevel(text: string | undefined): LogLevel {
  if (text === undefined || text === '') return 'silent'
  const level = levels.find((known) => known === text)
  if (level === undefined) throw new ConfigError(`${names.log} must be error, warn, info or debug`)
  return level
}
