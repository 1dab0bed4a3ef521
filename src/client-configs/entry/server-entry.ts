// The server entry that a client starts us with. Pure: paths and versions are given.
import { createHash } from 'node:crypto'
import { ClientConfigError } from '../client-config-error.ts'
import { type Environment, pathOf } from '../environment.ts'

/** What a client is to run. */
export interface ServerEntry {
  command: string
  args: string[]
  env: Record<string, string>
}

/** The program that is running now. */
export interface Program {
  /** Absolute path of Node. */
  nodePath: string
  /** Absolute path of the bundle that Node runs. */
  bundlePath: string
  packageName: string
  version: string
  /** The folder for temporary files; a program in it will not stay. */
  temporaryFolder: string
}

/** How the started server reaches its backends. Token files are named, never read into an entry. */
export type EntryConnection =
  | { kind: 'sandbox' }
  | {
      kind: 'backends'
      hubu?: Backend
      gongbu?: Backend
      reconciliationTokenFile?: string
      /** Absolute; when missing, a registry of ours for this pair of endpoints. */
      statePath?: string
    }

/** One backend as an entry names it. */
export interface Backend {
  endpoint: string
  tokenFile: string
}

/** The same options make the same entry, so that a second `init` finds its own. */
export interface EntryOptions {
  program: Program
  connection: EntryConnection
  /** The configuration file and agent that the server is to use. */
  configFile?: string
  agent?: string
  trustsClientApproval: boolean
  /** The router names this client's purchases, on behalf of this principal. */
  guardedFor?: string
  viaNpx: boolean
}

/** The environment variables that entries of ours may set; another one in an entry is the user's. */
export const entryVariables = [
  'HUBU_UNIFIED_HUBU_ENDPOINT',
  'HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE',
  'HUBU_UNIFIED_GONGBU_ENDPOINT',
  'HUBU_UNIFIED_GONGBU_BEARER_TOKEN_FILE',
  'HUBU_RECONCILIATION_TOKEN_FILE',
  'HUBU_UNIFIED_OPERATION_STATE_PATH',
  'HUBU_MCP_TRUST_CLIENT_APPROVAL',
  'HUBU_UNIFIED_IDENTITY',
  'HUBU_UNIFIED_PRINCIPAL',
] as const

/** True for the environment of an entry that has the router run protected tools. */
export function entryTrusts(env: Readonly<Record<string, string>> | undefined): boolean {
  return /^(?:1|true)$/i.test(env?.['HUBU_MCP_TRUST_CLIENT_APPROVAL'] ?? '')
}

/** Our name in every client's list of servers. Sixteen characters would make the longest tool name too long. */
export const entryName = 'hubu'

/** Builds the entry. Throws `setup_refused` for a program that will not stay where it is. */
export function serverEntry(options: EntryOptions, environment: Environment): ServerEntry {
  const { connection, configFile, agent } = options
  const mode = connection.kind === 'sandbox' ? ['sandbox'] : []
  const flags = [
    ...(configFile === undefined ? [] : ['--config', configFile]),
    ...(agent === undefined ? [] : ['--agent', agent]),
  ]
  const { command, args } = launch(options, environment)
  return { command, args: [...args, ...mode, ...flags], env: entryEnvironment(options, environment) }
}

/** Where the registry of a pair of endpoints lies when nobody names another place. */
function defaultStatePath(connection: EntryConnection, environment: Environment): string {
  const { join } = pathOf(environment)
  if (connection.kind === 'sandbox') return join(environment.dataFolder, 'sandbox', 'registry.sqlite3')
  const pair = [connection.hubu?.endpoint, connection.gongbu?.endpoint].map((url) =>
    url === undefined ? '' : new URL(url).href,
  )
  const folder = createHash('sha256').update(pair.join('\n')).digest('hex').slice(0, 16)
  return join(environment.dataFolder, folder, 'operations.sqlite3')
}

/** True for a program that a package runner or an unpacking left in a place that is cleaned up. */
export function isFleeting(program: Program): boolean {
  const parts = program.bundlePath.split(/[\\/]/)
  const inside = (folder: string): boolean =>
    program.bundlePath.startsWith(folder.replace(/[\\/]$/, '') + (folder.includes('\\') ? '\\' : '/'))
  return parts.includes('_npx') || inside(program.temporaryFolder)
}

/** True for an entry that brings its own backends: the subcommand, and not the value of an option. */
export function startsSandbox({ args = [] }: { args?: readonly string[] }): boolean {
  return args.some((word, at) => word === 'sandbox' && !(args[at - 1] ?? '').startsWith('--'))
}

/** Whether npx fetched this program, so that it can fetch it again: of any other copy nobody knows. */
export const cameByNpx = ({ bundlePath }: Program): boolean => bundlePath.split(/[\\/]/).includes('_npx')

/** Whether the client is to start npx. Throws `setup_refused` where that is asked for and nothing shows that the package can be fetched. */
export function startsByNpx(isAsked: boolean | undefined, program: Program): boolean {
  if (isAsked !== true) return false
  if (cameByNpx(program)) return true
  throw new ClientConfigError(
    'setup_refused',
    `--via-npx is for a program that npx itself has fetched; this one runs from ${program.bundlePath}, and whether npx could fetch ` +
      `${program.packageName}@${program.version} is not known. Run init without it`,
  )
}

function launch({ program, viaNpx }: EntryOptions, { platform }: Environment): { command: string; args: string[] } {
  if (viaNpx) {
    const pinned = ['-y', `${program.packageName}@${program.version}`]
    return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...pinned] } : { command: 'npx', args: pinned }
  }
  if (isFleeting(program)) {
    throw new ClientConfigError(
      'setup_refused',
      `this program runs from ${program.bundlePath}, which will not stay there. ` +
        `Install it (npm install -g ${program.packageName}) and run init again` +
        (cameByNpx(program)
          ? `, or add --via-npx to have the client start npx -y ${program.packageName}@${program.version}`
          : ''),
    )
  }
  return { command: program.nodePath, args: [program.bundlePath] }
}

function entryEnvironment(options: EntryOptions, environment: Environment): Record<string, string> {
  const { connection, trustsClientApproval, guardedFor } = options
  const env: Record<string, string> = {}
  if (connection.kind === 'backends') {
    if (connection.hubu !== undefined) {
      env['HUBU_UNIFIED_HUBU_ENDPOINT'] = connection.hubu.endpoint
      env['HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE'] = connection.hubu.tokenFile
    }
    if (connection.gongbu !== undefined) {
      env['HUBU_UNIFIED_GONGBU_ENDPOINT'] = connection.gongbu.endpoint
      env['HUBU_UNIFIED_GONGBU_BEARER_TOKEN_FILE'] = connection.gongbu.tokenFile
    }
    if (connection.reconciliationTokenFile !== undefined) {
      env['HUBU_RECONCILIATION_TOKEN_FILE'] = connection.reconciliationTokenFile
    }
  }
  const chosen = connection.kind === 'backends' ? connection.statePath : undefined
  env['HUBU_UNIFIED_OPERATION_STATE_PATH'] = chosen ?? defaultStatePath(connection, environment)
  if (guardedFor !== undefined) {
    env['HUBU_UNIFIED_IDENTITY'] = 'guarded'
    env['HUBU_UNIFIED_PRINCIPAL'] = guardedFor
  }
  if (trustsClientApproval) env['HUBU_MCP_TRUST_CLIENT_APPROVAL'] = '1'
  return env
}
