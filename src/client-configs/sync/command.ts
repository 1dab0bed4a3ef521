// `sync`, `offload` and `agents` as functions of their arguments, streams and surroundings; the exit code comes back.
import { type ParsedDocument } from '../../documents/format.ts'
import { nodeAt, toLoose } from '../../documents/tree.ts'
import { type Client } from '../clients/client.ts'
import { entryName, serverEntry, type ServerEntry } from '../entry/server-entry.ts'
import { type Environment, requireHome } from '../environment.ts'
import { openJournals } from '../journal/journal.ts'
import { exitCodeOfRun, openOutput, type Output, type OutputFlags, type Streams } from '../output.ts'
import { agentsText, listAgents } from './agents-list.ts'
import { type ConfiguredAgent, desiredEntries, hasRouting, type SyncConfig } from './desired.ts'
import { importAgents, importJson, type ImportServices, importText } from './from-agents.ts'
import { clientWishes } from './client-wishes.ts'
import { type KeptEntry, keptEntry } from './kept-entry.ts'
import { entryPathOf, type SyncKind, syncKinds } from './kind.ts'
import { type ClientWishes, syncClient } from './sync-client.ts'
import { resultJson, resultsText, rollbackText } from './report.ts'
import { agentOf, rollBack } from './rollback.ts'
import { type SyncOptions, type SyncServices } from './services.ts'
import { type AgentResult, expandHome, syncAgent, type SyncContext, type Want } from './sync-agent.ts'
import { openSyncState } from './sync-state.ts'

/** Runs `sync`: 0 done or previewed, 1 when an agent failed, 2 wrong arguments. */
export async function runSync(
  options: SyncOptions,
  streams: Streams,
  environment: Environment,
  services: SyncServices,
): Promise<number> {
  const output = openOutput(streams, options)
  return exitCodeOfRun(output, async () => {
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
    const wishes = await clientWishes(options, environment, services)
    const bring: Bring = (name, agent, how) => {
      const client = agent.mode === 'direct' ? undefined : clientOf(agent, environment)
      if (client !== undefined) return syncClient(name, agent, client, wishes, how)
      const want: Want = (owned, document, kind) => {
        const entry = () => gatewayEntry(name, agent, wishes, environment, currentEntry(document, kind))
        return { desired: desiredEntries(agent, servers, entry), removable: owned }
      }
      return syncAgent(name, agent, want, how)
    }
    const results =
      options.resume === undefined
        ? syncAgents(options.agents, agents, bring, context)
        : syncAgents([agentOf(options.resume)], agents, bring, { ...context, write: true })
    return tellResults(results, context.write || options.resume !== undefined, output, options.full)
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
    const bring: Bring = (name, agent, how) => {
      const want: Want = (owned, document, kind) => {
        if (agent.mode === 'direct') return 'it is in direct mode'
        if (nodeAt(document.root, entryPathOf(kind, entryName)) === undefined)
          return `its file has no entry ${entryName}; run sync first`
        const removable = owned.filter((each) => each !== entryName && servers[each]?.enabled === true)
        return { desired: new Map(), removable }
      }
      return syncAgent(name, agent, want, how)
    }
    const context = contextOf(options, environment, services)
    return tellResults(syncAgents(options.agents, agents, bring, context), context.write, output)
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
  bring: Bring,
  context: SyncContext,
): AgentResult[] {
  const names = named === undefined || named.length === 0 ? Object.keys(agents) : named
  return names.map((name): AgentResult => {
    const agent = Object.hasOwn(agents, name) ? agents[name] : undefined
    if (agent === undefined)
      return { agent: name, changes: [], applied: false, error: 'there is no agent of that name in the configuration' }
    return bring(name, agent, context)
  })
}

/** Tells the results; 1 when one of them failed. */
function tellResults(results: readonly AgentResult[], wasWritten: boolean, output: Output, isFull = false): number {
  output.tell({
    text: (look) => resultsText(results, wasWritten, look, isFull),
    data: () => ({ results: results.map(resultJson) }),
  })
  const failed = results.filter((result) => result.error !== undefined)
  for (const { agent, error } of failed) output.complain(`${agent}: ${error}`)
  return failed.length > 0 ? 1 : 0
}

/** Brings one agent's file in line. */
type Bring = (name: string, agent: ConfiguredAgent, context: SyncContext) => AgentResult

/** The client that `init` knows for an agent. */
function clientOf({ type }: ConfiguredAgent, environment: Environment): Client | undefined {
  return syncKinds(environment).find((kind) => kind.name === type || kind.aliases.includes(type))?.client
}

/** The entry for an agent of a kind that only `sync` knows: nothing is known of its approvals, so it is never trusted. */
function gatewayEntry(
  name: string,
  agent: ConfiguredAgent,
  { request, connection }: ClientWishes,
  environment: Environment,
  kept: KeptEntry | undefined,
): ServerEntry {
  const named = hasRouting(agent) ? { agent: name } : {}
  const given = { ...request, ...connection(kept), ...named, trustsClientApproval: false }
  return serverEntry(given, environment)
}

function currentEntry(document: ParsedDocument, kind: SyncKind): KeptEntry | undefined {
  const node = nodeAt(document.root, entryPathOf(kind, entryName))
  const server = node && kind.shape.read(toLoose(node))
  return server && keptEntry(server)
}
