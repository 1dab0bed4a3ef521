// `sync`, `offload` and `agents` as functions of their arguments, streams and surroundings; the exit code comes back.
import { exitCodeOf, isRefusal } from '../client-config-error.ts'
import { nodeAt } from '../../documents/tree.ts'
import { type ConnectionFlags, findConnection } from '../entry/connection.ts'
import { entryName, type Program, serverEntry } from '../entry/server-entry.ts'
import { type Environment } from '../environment.ts'
import { type WriteStep } from '../../documents/replace-file.ts'
import { type Streams } from '../init/command.ts'
import { openJournals } from '../journal/journal.ts'
import { agentsText, listAgents } from './agents-list.ts'
import { type ConfiguredAgent, desiredEntries, hasRouting, type SyncConfig } from './desired.ts'
import { importAgents, importJson, type ImportServices, importText } from './from-agents.ts'
import { entryPathOf } from './kind.ts'
import { resultJson, resultsText, rollbackText } from './report.ts'
import { agentOf, rollBack } from './rollback.ts'
import { type AgentResult, expandHome, syncAgent, type SyncContext, type Want } from './sync-agent.ts'
import { openSyncState } from './sync-state.ts'

/** What was typed. */
export interface SyncOptions extends ConnectionFlags {
  /** Agents to look at; none named means all. */
  agents?: string[]
  write?: boolean
  json?: boolean
  quiet?: boolean
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
  return guarded(streams, () => {
    if (options.rollback !== undefined) return runRollback(options, options.rollback, streams, environment, services)
    const resumed = options.resume === undefined ? undefined : [agentOf(options.resume)]
    const written = {
      ...options,
      agents: resumed ?? options.agents,
      write: options.write === true || resumed !== undefined,
    }
    const gateway = gatewayOf(options, environment, services)
    const want = (name: string, agent: ConfiguredAgent): Want => {
      return (owned) => ({
        desired: desiredEntries(agent, services.config.servers, gateway(name, agent)),
        removable: owned,
      })
    }
    return syncAgents(want, written, streams, environment, services)
  })
}

/** Runs `offload`: copies that the gateway makes needless go, and only those that are ours. */
export async function runOffload(
  options: SyncOptions,
  streams: Streams,
  environment: Environment,
  services: SyncServices,
): Promise<number> {
  return guarded(streams, () => {
    const { servers } = services.config
    const want = (_name: string, agent: ConfiguredAgent): Want => {
      return (owned, document, kind) => {
        if (agent.mode === 'direct') return 'it is in direct mode'
        if (nodeAt(document.root, entryPathOf(kind, entryName)) === undefined)
          return `its file has no entry ${entryName}; run sync first`
        const removable = owned.filter((name) => name !== entryName && servers[name]?.enabled === true)
        return { desired: new Map(), removable }
      }
    }
    return syncAgents(want, options, streams, environment, services)
  })
}

/** Runs `agents`. */
export async function runAgents(
  options: Pick<SyncOptions, 'json'>,
  streams: Streams,
  environment: Environment,
  { config }: Pick<SyncServices, 'config'>,
): Promise<number> {
  return guarded(streams, () => {
    const rows = listAgents(config, environment)
    streams.stdout.write(options.json === true ? JSON.stringify({ agents: rows }, null, 2) + '\n' : agentsText(rows))
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
  return guarded(streams, async () => {
    const isWrite = options.write === true
    const result = importAgents(isWrite, environment, services)
    if (options.json === true) streams.stdout.write(JSON.stringify(importJson(result), null, 2) + '\n')
    else if (options.quiet !== true) streams.stdout.write(importText(result, isWrite))
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

/** The exit code of a run, with refusals told in one line. */
async function guarded(streams: Streams, run: () => number | Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (!isRefusal(error)) throw error
    streams.stderr.write(`hubu-unified-mcp: ${error.message}\n`)
    return exitCodeOf(error)
  }
}

function contextOf(options: SyncOptions, environment: Environment, { now, onStep }: SyncServices): SyncContext {
  const state = openSyncState(environment.dataFolder)
  const journals = openJournals(environment.dataFolder)
  return { environment, state, journals, write: options.write === true, force: options.force === true, now, onStep }
}

/** An unknown name is an error result and does not stop the others. */
function syncAgents(
  want: (name: string, agent: ConfiguredAgent) => Want,
  options: SyncOptions,
  streams: Streams,
  environment: Environment,
  services: SyncServices,
): number {
  const { agents } = services.config
  const context = contextOf(options, environment, services)
  const names = options.agents === undefined || options.agents.length === 0 ? Object.keys(agents) : options.agents
  const results = names.map((name): AgentResult => {
    const agent = Object.hasOwn(agents, name) ? agents[name] : undefined
    if (agent === undefined)
      return { agent: name, changes: [], applied: false, error: 'there is no agent of that name in the configuration' }
    return syncAgent(name, agent, want(name, agent), context)
  })
  if (options.json === true) streams.stdout.write(JSON.stringify({ results: results.map(resultJson) }, null, 2) + '\n')
  else if (options.quiet !== true) streams.stdout.write(resultsText(results, context.write))
  const failed = results.filter((result) => result.error !== undefined)
  for (const { agent, error } of failed) streams.stderr.write(`hubu-unified-mcp: ${agent}: ${error}\n`)
  return failed.length > 0 ? 1 : 0
}

function runRollback(
  options: SyncOptions,
  planId: string,
  streams: Streams,
  environment: Environment,
  services: SyncServices,
): number {
  const pathOfAgent = (name: string): string | undefined => {
    const agent = Object.hasOwn(services.config.agents, name) ? services.config.agents[name] : undefined
    return agent && expandHome(agent.path, environment)
  }
  const result = rollBack(planId, pathOfAgent, contextOf(options, environment, services))
  if (options.json === true) streams.stdout.write(JSON.stringify(result, null, 2) + '\n')
  else if (options.quiet !== true) streams.stdout.write(rollbackText(result))
  return 0
}

/** The entry of ours for an agent: its configuration, and its name when it has routing. Trust is left to `init`. */
function gatewayOf(options: SyncOptions, environment: Environment, { program, configFile }: SyncServices) {
  const { connection } = findConnection(options, environment, { mayBeNone: true })
  return (name: string, agent: ConfiguredAgent) =>
    serverEntry(
      {
        program,
        connection,
        configFile,
        ...(hasRouting(agent) ? { agent: name } : {}),
        trustsClientApproval: false,
        viaNpx: false,
      },
      environment,
    )
}
