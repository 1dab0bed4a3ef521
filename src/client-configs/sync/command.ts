// `sync`, `offload` and `agents` as functions of their arguments, streams and surroundings; the exit code comes back.
import { nodeAt } from '../../documents/tree.ts'
import { type WriteStep } from '../../documents/replace-file.ts'
import { type BackendFlags, findConnection } from '../entry/connection.ts'
import { entryName, type Program, serverEntry, type ServerEntry } from '../entry/server-entry.ts'
import { type Environment, requireHome } from '../environment.ts'
import { openJournals } from '../journal/journal.ts'
import { exitCodeOfRun, openOutput, type Output, type OutputFlags, type Streams } from '../output.ts'
import { agentsText, listAgents } from './agents-list.ts'
import { type ConfiguredAgent, desiredEntries, hasRouting, type SyncConfig } from './desired.ts'
import { importAgents, importJson, type ImportServices, importText } from './from-agents.ts'
import { entryPathOf } from './kind.ts'
import { resultJson, resultsText, rollbackText } from './report.ts'
import { agentOf, rollBack } from './rollback.ts'
import { type AgentResult, expandHome, syncAgent, type SyncContext, type Want } from './sync-agent.ts'
import { openSyncState } from './sync-state.ts'

/** What was typed. */
export interface SyncOptions extends BackendFlags, OutputFlags {
  /** Agents to look at; none named means all. */
  agents?: string[]
  write?: boolean
  force?: boolean
  /** A plan id. */
  rollback?: string
  /** A plan id. */
  resume?: string
}

/** What the program knows and this room must be told. */
export interface SyncServices {
  program: Program
  config: SyncConfig
  /** The file that the configuration came from; entries of ours name it. */
  configFile?: string
  now: Date
  onStep?: (step: WriteStep, file: string) => void
}

/** Runs `sync`: 0 done or previewed, 1 when an agent failed, 2 wrong arguments. */
export async function runSync(
  options: SyncOptions,
  streams: Streams,
  environment: Environment,
  services: SyncServices,
): Promise<number> {
  const output = openOutput(streams, options)
  return exitCodeOfRun(output, () => {
    requireHome(environment)
    const { agents, servers } = services.config
    const context = contextOf(options, environment, services)
    if (options.rollback !== undefined) {
      const pathOfAgent = (name: string): string | undefined => {
        const agent = Object.hasOwn(agents, name) ? agents[name] : undefined
        return agent && expandHome(agent.path, environment)
      }
      const result = rollBack(options.rollback, pathOfAgent, context)
      output.tell({ text: () => rollbackText(result), data: () => result })
      return 0
    }
    const entryOf = gatewayEntries(options, environment, services)
    const want = (name: string, agent: ConfiguredAgent): Want => {
      return (owned) => ({ desired: desiredEntries(agent, servers, entryOf(name, agent)), removable: owned })
    }
    const results =
      options.resume === undefined
        ? syncAgents(options.agents, agents, want, context)
        : syncAgents([agentOf(options.resume)], agents, want, { ...context, write: true })
    return tellResults(results, context.write || options.resume !== undefined, output)
  })
}

/** Runs `offload`: copies that the gateway makes needless go, and only those that are ours. */
export async function runOffload(
  options: SyncOptions,
  streams: Streams,
  environment: Environment,
  services: SyncServices,
): Promise<number> {
  const output = openOutput(streams, options)
  return exitCodeOfRun(output, () => {
    const { agents, servers } = services.config
    const want = (_name: string, agent: ConfiguredAgent): Want => {
      return (owned, document, kind) => {
        if (agent.mode === 'direct') return 'it is in direct mode'
        if (nodeAt(document.root, entryPathOf(kind, entryName)) === undefined)
          return `its file has no entry ${entryName}; run sync first`
        const removable = owned.filter((name) => name !== entryName && servers[name]?.enabled === true)
        return { desired: new Map(), removable }
      }
    }
    const context = contextOf(options, environment, services)
    return tellResults(syncAgents(options.agents, agents, want, context), context.write, output)
  })
}

/** Runs `agents`. */
export async function runAgents(
  options: OutputFlags,
  streams: Streams,
  environment: Environment,
  { config }: Pick<SyncServices, 'config'>,
): Promise<number> {
  const output = openOutput(streams, options)
  return exitCodeOfRun(output, () => {
    const rows = listAgents(config, environment)
    output.tell({ text: () => agentsText(rows), data: () => ({ agents: rows }) })
    return 0
  })
}

/** Runs `init --from-agents`: takes over what clients have, then syncs them. 0 done or previewed, 1 refused. */
export async function runFromAgents(
  options: SyncOptions,
  streams: Streams,
  environment: Environment,
  services: SyncServices & ImportServices,
): Promise<number> {
  const output = openOutput(streams, options)
  return exitCodeOfRun(output, async () => {
    requireHome(environment)
    const isWrite = options.write === true
    const result = importAgents(isWrite, environment, services)
    output.tell({ text: () => importText(result, isWrite), data: () => importJson(result) })
    const agents = Object.keys(result.config.agents)
    if (agents.length === 0) return 0
    // As data there is one object; how each client came out is what `sync --json` says.
    const quiet = options.json === true || options.quiet === true
    return runSync({ ...options, agents, json: false, quiet }, streams, environment, {
      ...services,
      config: result.config,
    })
  })
}

function contextOf(
  options: Pick<SyncOptions, 'write' | 'force'>,
  environment: Environment,
  { now, onStep }: Pick<SyncServices, 'now' | 'onStep'>,
): SyncContext {
  const state = openSyncState(environment.dataFolder)
  const journals = openJournals(environment.dataFolder)
  return { environment, state, journals, write: options.write === true, force: options.force === true, now, onStep }
}

/** One result for each agent named, or for all. An unknown name is an error result and does not stop the others. */
function syncAgents(
  named: readonly string[] | undefined,
  agents: SyncConfig['agents'],
  want: (name: string, agent: ConfiguredAgent) => Want,
  context: SyncContext,
): AgentResult[] {
  const names = named === undefined || named.length === 0 ? Object.keys(agents) : named
  return names.map((name): AgentResult => {
    const agent = Object.hasOwn(agents, name) ? agents[name] : undefined
    if (agent === undefined)
      return { agent: name, changes: [], applied: false, error: 'there is no agent of that name in the configuration' }
    return syncAgent(name, agent, want(name, agent), context)
  })
}

/** Tells the results; 1 when one of them failed. */
function tellResults(results: readonly AgentResult[], wasWritten: boolean, output: Output): number {
  output.tell({
    text: () => resultsText(results, wasWritten),
    data: () => ({ results: results.map(resultJson) }),
  })
  const failed = results.filter((result) => result.error !== undefined)
  for (const { agent, error } of failed) output.complain(`${agent}: ${error}`)
  return failed.length > 0 ? 1 : 0
}

/** The entry of ours for each agent: it names the agent when that one has routing. Trust is left to `init`. */
function gatewayEntries(
  flags: BackendFlags,
  environment: Environment,
  { program, configFile }: Pick<SyncServices, 'program' | 'configFile'>,
): (name: string, agent: ConfiguredAgent) => ServerEntry {
  const { connection } = findConnection(flags, environment, { mayBeNone: true })
  return (name, agent) => {
    const named = hasRouting(agent) ? { agent: name } : {}
    const options = { program, connection, configFile, ...named, trustsClientApproval: false, viaNpx: false }
    return serverEntry(options, environment)
  }
}
