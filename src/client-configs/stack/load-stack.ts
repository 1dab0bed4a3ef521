// Takes over a rendered stack: `init CLIENT --stack-profile PATH`. The profile is only read.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { ClientConfigError } from '../client-config-error.ts'
import { type FoundConnection } from '../entry/connection.ts'
import { type EntryConnection } from '../entry/server-entry.ts'
import { readTokenFile } from '../entry/token-file.ts'
import { applicationFolder, type Environment, pathOf, variable } from '../environment.ts'
import { type IdentifyProcess, launcherWarnings } from './launcher-state.ts'
import { type ComponentStamp, type Handoff, type Manifest, readProfile } from './manifest.ts'
import { type Ownership, refuse, requireOwned } from './stack-file.ts'

/** What is known of a registry file; undefined when there is no file. Throws when it is no SQLite file. */
export type InspectRegistry = (file: string) => { applicationId: number; userVersion: number } | undefined

/** How a backend answered: reported, never a reason to refuse. */
export interface BackendProbe {
  state: 'compatible' | 'incompatible' | 'unreachable'
  detail: string
}

/** Asks the two owners for health and version, each with its own token only. */
export type ProbeBackends = (connection: EntryConnection) => Promise<{ hubu: BackendProbe; gongbu?: BackendProbe }>

/** What the outside gives to the checks. */
export interface StackContext {
  /** This build. */
  stamp: ComponentStamp
  /** Write the entry although the stack was rendered with another build. */
  allowIncompatible: boolean
  /** The caller's user id; undefined on Windows. */
  uid: number | undefined
  inspectRegistry: InspectRegistry
  identifyProcess: IdentifyProcess
  probe: ProbeBackends
}

/** `application_id` of our registry and the versions that this build serves. */
export interface RegistryStamp {
  applicationId: number
  userVersions: readonly number[]
}

/**
 * Reads and checks a profile. Throws `usage` for a path that cannot be one, `setup_refused` naming file and place, and
 * returns warnings for what only says that the stack is not running or was edited. Nothing is locked: when manifest or
 * handoff change during the checks, all is read once more.
 */
export async function loadStack(
  profile: string,
  registry: RegistryStamp,
  environment: Environment,
  context: StackContext,
): Promise<FoundConnection> {
  requireProfilePath(profile)
  for (let attempt = 0; attempt < 2; attempt++) {
    const read = readProfile(profile, context)
    const { connection, tokens } = toConnection(read.handoff, context)
    const notes = [
      ...checkStamp(profile, read.manifest, context),
      ...checkRegistry(connection, registry, environment, context),
      ...(read.handoff.version === 1 ? ['the handoff is of version 1 and names no registry; ours is used'] : []),
      ...driftWarnings(profile, read.manifest),
      ...launcherWarnings(profile, context, context.identifyProcess),
      ...(await probeNotes(connection, context)),
    ]
    if (readProfile(profile, context).bytes === read.bytes) return { connection, notes, tokens }
  }
  throw refuse(profile, 'is being rendered right now; run init again when that is done')
}

/** The profile that an empty `--stack-profile` means. */
export function defaultProfile(environment: Environment): string {
  const { join } = pathOf(environment)
  const home = variable(environment, 'HUBU_HOME')
  return home === undefined
    ? join(applicationFolder(environment), 'hubu', 'stacks', 'default')
    : join(home, 'stacks', 'default')
}

function requireProfilePath(profile: string): void {
  const isSafe =
    path.isAbsolute(profile) && !profile.split(/[\\/]/).includes('..') && path.parse(profile).root !== profile
  if (!isSafe) {
    throw new ClientConfigError(
      'usage',
      '--stack-profile must be a safe absolute path: no "..", and not the root folder',
    )
  }
  if (!existsSync(profile) || !statSync(profile).isDirectory()) throw refuse(profile, 'is not an existing folder')
}

function toConnection(handoff: Handoff, ownership: Ownership): { connection: EntryConnection; tokens: string[] } {
  const { hubuTokenFile, approvalTokenFile, reconciliationTokenFile, gongbu } = handoff
  const files = [
    hubuTokenFile,
    approvalTokenFile,
    reconciliationTokenFile,
    ...(gongbu === undefined ? [] : [gongbu.tokenFile]),
  ]
  if (new Set(files).size < files.length)
    throw refuse(hubuTokenFile, 'is named for more than one token; they must differ')
  const tokens = files.map((file) => {
    requireOwned(file, ownership, 'token file')
    return readTokenFile('--stack-profile', file).token
  })
  const connection: EntryConnection = {
    kind: 'backends',
    hubu: { endpoint: checkHandoffEndpoint('hubu_endpoint', handoff.hubuEndpoint), tokenFile: hubuTokenFile },
    ...(gongbu === undefined
      ? {}
      : {
          gongbu: { endpoint: checkHandoffEndpoint('gongbu_endpoint', gongbu.endpoint), tokenFile: gongbu.tokenFile },
        }),
    reconciliationTokenFile,
    ...(handoff.statePath === undefined ? {} : { statePath: handoff.statePath }),
  }
  return { connection, tokens }
}

/** Plain http only to this machine. */
function checkHandoffEndpoint(member: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const host = url?.hostname ?? ''
  const isLoopback = host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
  const isPlain = url !== undefined && url.username === '' && url.password === '' && !/[?#@]/.test(text)
  if (isPlain && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback))) return text
  throw new ClientConfigError(
    'setup_refused',
    `the handoff's ${member} must be https, or http on this machine, without user, query or fragment`,
  )
}

/** The stack must have been rendered with this very build. */
function checkStamp(profile: string, { router }: Manifest, { stamp, allowIncompatible }: StackContext): string[] {
  const show = (build: ComponentStamp | undefined): string =>
    build === undefined ? 'no build' : `${build.productVersion}, ${build.sourceCommit}, ${build.executorContract}`
  if (router !== undefined && show(router) === show(stamp)) return []
  const both = `${profile} was rendered for hubu-unified-mcp (${show(router)}), this is (${show(stamp)})`
  if (allowIncompatible) return [`${both}; written all the same, but this build can never become compatible with it`]
  throw new ClientConfigError(
    'setup_refused',
    `${both}: this build can never become compatible; --allow-incompatible writes anyway`,
  )
}

/** The registry that will be used must be ours or not there yet, in a folder of ours. */
function checkRegistry(
  connection: EntryConnection,
  wanted: RegistryStamp,
  environment: Environment,
  context: StackContext,
): string[] {
  const file = connection.kind === 'backends' ? connection.statePath : undefined
  if (file === undefined) return []
  const folder = path.dirname(file)
  if (existsSync(folder)) {
    requireOwned(folder, { uid: environment.platform === 'win32' ? undefined : context.uid }, 'folder')
  }
  const found = inspect(file, context)
  if (
    found === undefined ||
    (found.applicationId === wanted.applicationId && wanted.userVersions.includes(found.userVersion))
  )
    return []
  const what =
    found.applicationId === wanted.applicationId
      ? `has version ${found.userVersion}, this build serves ${wanted.userVersions.join(' and ')}`
      : 'is the database of another program'
  throw refuse(file, what)
}

function inspect(file: string, { inspectRegistry }: StackContext): ReturnType<InspectRegistry> {
  try {
    return inspectRegistry(file)
  } catch {
    throw refuse(file, 'is no registry, or cannot be read')
  }
}

/** Sources that were edited since the last render. */
function driftWarnings(profile: string, { sourceDigests }: Manifest): string[] {
  const changed = Object.entries(sourceDigests).filter(
    ([name, digest]) => digestOf(path.join(profile, name)) !== digest,
  )
  const names = changed.map(([name]) => name).join(', ')
  return changed.length === 0 ? [] : [`${names} of the stack was edited after the last render; render it again`]
}

function digestOf(file: string): string | undefined {
  try {
    return `sha256:${createHash('sha256').update(readFileSync(file)).digest('hex')}`
  } catch {
    return undefined
  }
}

async function probeNotes(connection: EntryConnection, { probe }: StackContext): Promise<string[]> {
  const found = await probe(connection)
  return Object.entries(found).flatMap(([name, report]) =>
    report === undefined || report.state === 'compatible' ? [] : [`${name} is ${report.state}: ${report.detail}`],
  )
}
