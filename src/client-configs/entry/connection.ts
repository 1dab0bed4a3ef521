// How the server that a client starts will reach its backends: given endpoints, the manual local defaults, or a sandbox
//. A stack profile has a room of its own.
import { ClientConfigError } from '../client-config-error.ts'
import { type Environment, pathOf, variable } from '../environment.ts'
import { type Backend, type EntryConnection } from './server-entry.ts'
import { isFile, noteOpenMode, readTokenFile, type TokenFile } from './token-file.ts'

/** What the command line says about backends. Paths may be relative to the working directory. */
export interface BackendFlags {
  sandbox?: boolean
  hubu?: string
  hubuTokenFile?: string
  gongbu?: string
  gongbuTokenFile?: string
  reconciliationTokenFile?: string
  stateFile?: string
}

/** The flags that name backends and files; they exclude a sandbox and a stack profile. */
export const backendFlags = [
  'hubu',
  'hubuTokenFile',
  'gongbu',
  'gongbuTokenFile',
  'reconciliationTokenFile',
  'stateFile',
] as const satisfies (keyof BackendFlags)[]

/** A connection, with what came up while it was found. */
export interface FoundConnection {
  connection: EntryConnection
  notes: string[]
  /** Contents of the token files read, so that none of them is ever written into an entry. */
  tokens: string[]
}

const defaultHubuEndpoint = 'http://127.0.0.1:8787'

/**
 * Resolves flags and local defaults. With `mayBeNone` a router without backends is fine: it mounts other servers only.
 * Throws `usage` for flags that contradict each other, `setup_refused` for bad files.
 */
export function findConnection(
  flags: BackendFlags,
  environment: Environment,
  { mayBeNone }: { mayBeNone?: boolean } = {},
): FoundConnection {
  refuseContradictions(flags)
  if (flags.sandbox === true) return { connection: { kind: 'sandbox' }, notes: [], tokens: [] }
  const { resolve } = pathOf(environment)
  const absolute = (path: string): string => resolve(environment.cwd, path)
  const read: TokenFile[] = []
  const take = (setting: string, path: string): string => {
    const file = readTokenFile(setting, absolute(path))
    read.push(file)
    return file.path
  }
  const hubu = findHubu(flags, environment, take)
  const gongbu: Backend | undefined =
    flags.gongbu === undefined
      ? undefined
      : {
          endpoint: checkEndpoint('--gongbu', flags.gongbu),
          tokenFile: take('--gongbu-token-file', flags.gongbuTokenFile!),
        }
  if (hubu === undefined && gongbu === undefined && mayBeNone !== true) throw nothingFound()
  const reconciliation = findReconciliation(flags, environment, hubu)
  const reconciliationTokenFile = reconciliation && take('--reconciliation-token-file', reconciliation)
  return {
    connection: {
      kind: 'backends',
      ...(hubu === undefined ? {} : { hubu }),
      ...(gongbu === undefined ? {} : { gongbu }),
      ...(reconciliationTokenFile === undefined ? {} : { reconciliationTokenFile }),
      ...(flags.stateFile === undefined ? {} : { statePath: absolute(flags.stateFile) }),
    },
    notes: read.flatMap((file) => noteOpenMode(file, environment.platform)),
    tokens: read.map((file) => file.token),
  }
}

/** An endpoint that the router accepts, as it was given. Throws `usage`, naming the setting and not the value. */
function checkEndpoint(setting: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url !== undefined &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.hostname !== '' &&
    url.username === '' &&
    url.password === '' &&
    !/[?#@]/.test(text)
  if (isPlain) return text
  const rule = 'an absolute http or https URL without user name, query or fragment'
  throw new ClientConfigError('usage', `${setting} must be ${rule}`)
}

function refuseContradictions(flags: BackendFlags): void {
  if (flags.sandbox === true && backendFlags.some((flag) => flags[flag] !== undefined)) {
    throw usage('--sandbox cannot be combined with backends, token files or a state file')
  }
  if ((flags.gongbu === undefined) !== (flags.gongbuTokenFile === undefined)) {
    throw usage('--gongbu and --gongbu-token-file must be given together')
  }
}

/** Hubu by flags; else by the manual local defaults, when their token file exists. */
function findHubu(
  flags: BackendFlags,
  environment: Environment,
  take: (setting: string, path: string) => string,
): Backend | undefined {
  const endpoint = flags.hubu ?? variable(environment, 'HUBU_URL') ?? defaultHubuEndpoint
  const isExplicit = flags.hubu !== undefined || flags.hubuTokenFile !== undefined
  const tokenFile = flags.hubuTokenFile ?? defaultTokenFile(environment)
  if (!isExplicit && !isFile(tokenFile)) return undefined
  return {
    endpoint: checkEndpoint(flags.hubu === undefined ? 'HUBU_URL' : '--hubu', endpoint),
    tokenFile: take('--hubu-token-file', tokenFile),
  }
}

function defaultTokenFile(environment: Environment): string {
  const { join } = pathOf(environment)
  const named = variable(environment, 'HUBU_AUTH_TOKEN_FILE')
  if (named !== undefined) return pathOf(environment).resolve(environment.cwd, named)
  const here = join(environment.cwd, 'hubu.auth-token')
  if (isFile(here)) return here
  return join(variable(environment, 'HUBU_HOME') ?? join(environment.home, '.hubu'), 'hubu.auth-token')
}

/** The file given or named by the environment; else the one beside the bearer file, when it exists. */
function findReconciliation(
  flags: BackendFlags,
  environment: Environment,
  hubu: Backend | undefined,
): string | undefined {
  if (flags.reconciliationTokenFile !== undefined) return flags.reconciliationTokenFile
  const named = variable(environment, 'HUBU_RECONCILIATION_TOKEN_FILE')
  if (named !== undefined) return named
  if (hubu === undefined) return undefined
  const { dirname, join } = pathOf(environment)
  const beside = join(dirname(hubu.tokenFile), 'hubu.reconciliation-token')
  return isFile(beside) ? beside : undefined
}

function nothingFound(): ClientConfigError {
  return new ClientConfigError(
    'setup_refused',
    'no Hubu was found: there is no token file of a local one, and no endpoint was given. ' +
      'Use --hubu URL with --hubu-token-file FILE, --stack-profile PATH, or --sandbox to try it without a backend',
  )
}

function usage(message: string): ClientConfigError {
  return new ClientConfigError('usage', message)
}
