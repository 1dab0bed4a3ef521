// What the set-up commands are given: this machine, this program, the configuration.
import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { protocol } from '#generated/protocol.js'
import type { AgentConfig } from '#generated/types/config.js'
import { findClient } from '../client-configs/clients/client-list.ts'
import { approvalLists } from '../client-configs/entry/approval-lists.ts'
import { stableNodePath } from '../client-configs/entry/stable-node.ts'
import type { Program, ServerEntry } from '../client-configs/entry/server-entry.ts'
import type { Environment } from '../client-configs/environment.ts'
import type { InitServices } from '../client-configs/init/services.ts'
import type { TriedEntry } from '../client-configs/init/report.ts'
import type { Streams } from '../client-configs/output.ts'
import type { LostTrust } from '../client-configs/init/lost-trust.ts'
import type { SyncServices } from '../client-configs/sync/services.ts'
import { ConfigError } from '../config/config-error.ts'
import { buildStamp } from '../config/build-stamp.ts'
import { configPath } from '../config/configure.ts'
import { environmentVariables, readVariable } from '../config/environment.ts'
import { loadConfig, type Config } from '../config/load-config.ts'
import { ownConfigFolder, dataFolder } from '../config/paths.ts'
import { applicationId, servedVersions } from '../operations/schema.ts'
import { label } from '../terminal/foreign-text.ts'
import { realClock } from '../timing/clock.ts'
import type { CliContext } from './context.ts'
import { signOfLife } from './sign-of-life.ts'
import { stackProbe } from './stack-probe.ts'
import { surfaceTools } from './surface-tools.ts'

/** The machine as the client-configs room wants it. */
export function environmentOf({ place, process }: CliContext): Environment {
  return { ...place, cwd: process.cwd(), dataFolder: dataFolder(place) }
}

/** The process's own streams; a person may be asked when both ends are a terminal. */
export function streamsOf({ process, look }: CliContext): Streams {
  const { stdin, stdout, stderr } = process
  return { stdin, stdout, stderr, isTTY: Boolean(stdin.isTTY) && Boolean(stdout.isTTY), look }
}

/** Puts together the services of `init`. Rejects with ConfigError for a configuration that cannot be used. */
export async function initServices(
  context: CliContext,
  flags: { config?: string; agent?: string },
  loaded?: Config,
): Promise<InitServices> {
  const config = loaded ?? (await configOf(context, flags))
  const { readFileMarks } = await import('../storage/database.ts')
  const stamp = { ...buildStamp, executorContract: protocol.executor_contract }
  return {
    program: programOf(context),
    approvalLists: (_file, agent) => approvalLists(surfaceTools(config, agent)),
    responseBudgetBytes: () => (config.gateway?.response_budget === undefined ? undefined : config.results.budgetBytes),
    tryEntry: (entry, cwd) => tryEntry(entry, cwd, context),
    registry: { applicationId, userVersions: servedVersions },
    stack: {
      stamp,
      uid: context.process.getuid?.(),
      inspectRegistry: (file) => {
        const stats = lstatSync(file, { throwIfNoEntry: false })
        return stats === undefined || stats.size === 0 ? undefined : readFileMarks(file)
      },
      identifyProcess,
      probe: stackProbe(stamp),
    },
    now: new Date(),
  }
}

/** A client gives up about then as well. */
const startLimitMs = 20_000

/** Starts an entry once as a client would. */
async function tryEntry(entry: ServerEntry, cwd: string, context: CliContext): Promise<TriedEntry> {
  const progress = signOfLife(context)
  progress.say('starting the entry once, as the client would')
  const { startEntry } = await import('../doctor/entries/start-entry.ts')
  const started = await startEntry({ ...entry, cwd }, { ...context.place, clock: realClock, limitMs: startLimitMs })
  progress.end()
  switch (started.kind) {
    case 'started':
      return { tools: started.tools.length, hubu: started.backends.hubu }
    case 'stranger':
      return { problem: `${label(started.name)} answers instead of this program` }
    case 'failed': {
      const what = started.reason === 'silent' ? 'it does not answer' : 'it ends at once'
      return { problem: started.words === '' ? what : `${what} (${label(started.words)})` }
    }
  }
}

/** Clients that are trusted to ask a person and may not; none where the configuration cannot be used. */
export async function lostTrust(
  context: CliContext,
  flags: { config?: string; client?: string },
): Promise<LostTrust[]> {
  try {
    const tools = surfaceTools(await configOf(context, flags), undefined)
    const { findLostTrust } = await import('../client-configs/init/lost-trust.ts')
    const lost = findLostTrust(environmentOf(context), approvalLists(tools))
    return flags.client === undefined ? lost : lost.filter(({ client }) => client === findClient(flags.client!).name)
  } catch (error) {
    if (error instanceof ConfigError) return []
    throw error
  }
}

/** Puts together the services of `sync` and its neighbours. Rejects with ConfigError for a configuration that cannot be used. */
export async function syncServices(context: CliContext, flags: { config?: string }): Promise<SyncServices> {
  const config = await configOf(context, flags)
  const { gateway } = config
  const configFile = configPath(context.place, flags)
  return {
    ...(await initServices(context, flags, config)),
    config: { servers: gateway?.servers ?? {}, agents: withFiles(gateway?.agents ?? {}) },
    ...(configFile === undefined ? {} : { configFile: path.resolve(configFile) }),
  }
}

/** The agents that are clients with a file of their own; those of type http are scopes of bearers. */
function withFiles(agents: Readonly<Record<string, AgentConfig>>): SyncServices['config']['agents'] {
  const entries = Object.entries(agents).flatMap(([name, { path: file, ...agent }]) =>
    file === undefined ? [] : [[name, { ...agent, path: file }] as const],
  )
  return Object.fromEntries(entries)
}

/** The configuration file that an import may create. */
export function importTarget({ place }: CliContext, flags: { config?: string }): string {
  return path.resolve(configPath(place, flags) ?? path.join(ownConfigFolder(place), 'config.yaml'))
}

/** The configuration file that an entry must name: one that the started server would not find by itself. */
export function namedConfig({ place }: CliContext, flags: { config?: string }): string | undefined {
  return flags.config ?? (readVariable(place.env, environmentVariables.config) || undefined)
}

/** The configuration that a started server will have: its file, and nothing of this shell's environment. */
async function configOf({ place }: CliContext, flags: { config?: string }): Promise<Config> {
  const file = configPath(place, flags)
  if (file === undefined) return loadConfig({}, { place })
  const { readConfigFile } = await import('../config/config-file.ts')
  return loadConfig({}, { place, gateway: readConfigFile(file) })
}

/** The program that is running now, as an entry would start it. */
export function programOf({ process, place }: CliContext): Program {
  const bundlePath = realpathSync(process.argv[1] ?? '')
  return {
    nodePath: stableNodePath(
      process.execPath,
      { realpath: realpathIfThere },
      (place.env['PATH'] ?? '').split(path.delimiter),
    ),
    bundlePath,
    packageName: 'hubu-unified-mcp',
    version: packageVersion(bundlePath),
    temporaryFolder: realPathOf(tmpdir()),
  }
}

function realpathIfThere(file: string): string | undefined {
  try {
    return realpathSync(file)
  } catch {
    return undefined
  }
}

/** The version under which this program can be installed, which need not be the release that it is stamped for. */
function packageVersion(bundlePath: string): string {
  try {
    const text = readFileSync(path.join(path.dirname(bundlePath), '..', 'package.json'), 'utf8')
    const { version } = JSON.parse(text) as { version?: unknown }
    return typeof version === 'string' ? version : buildStamp.productVersion
  } catch {
    return buildStamp.productVersion
  }
}

function identifyProcess(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return undefined
  }
}

/** A folder that is named and not there holds no program. */
function realPathOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
