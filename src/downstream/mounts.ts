// This room is other MCP servers behind us: each connected, watched and replaced on its own.
import type { ServerConfig } from '#generated/types/config.js'
import { linkSignals } from '../timing/link-signals.ts'
import type { AdmittedTool } from './admission/admit.ts'
import type { CreateServerOptions } from './create-server.ts'
import type { MountedTool } from './definition.ts'
import type { MountedServer } from './mounted-server.ts'
import type { CallOptions, CallOutcome, CallRefusal, HeldCall } from './outcome.ts'
import { RunningServers, type MountSettings } from './running-servers.ts'
import { ToolPlans } from './tool-plans.ts'

/** How servers are mounted: what can change, and what stays. */
export type MountsOptions = MountSettings & CreateServerOptions

/** A tool call's way to a mounted server. */
export type MountedCall =
  CallOutcome | CallRefusal | HeldCall | { kind: 'unknown_server' } | { kind: 'disabled' } | { kind: 'unknown_tool' }

/** One configured server, as people and agents are shown it. */
export interface ServerView {
  name: string
  settings: ServerConfig
  isEnabled: boolean
  isConnected: boolean
  tools: readonly MountedTool[]
  /** What it lists and clients would not take, in sentences without texts of the server. */
  notes: readonly string[]
  /** What the server says of its use, without what a reader cannot see, within bounds. */
  instructions: string
  /** Gives the end of what its process wrote to stderr, without secrets and of any form. */
  lastWords(): string
  error?: string
}

/** All mounted servers. */
export interface Mounts {
  /** The configured entries, those outside the scope included. */
  readonly configured: Readonly<Record<string, ServerConfig>>
  start(): void
  /**
   * Other settings count from now on. A server that is reached as before keeps its connection. Of the others no call is cut
   * off: the old connection is closed when the last call on it has ended.
   */
  apply(settings: MountSettings): void
  /** Every configured server in scope, by name. */
  servers(): ServerView[]
  /** One configured server in scope. */
  view(name: string): ServerView | undefined
  /** Every tool of every connected server in scope, by public name. */
  tools(): MountedTool[]
  /** The tool that a server's name and any accepted form of its own name mean. */
  find(server: string, tool: string): MountedTool | undefined
  /** Calls once; waits for a first connection at most `connectTimeoutMs` and five seconds, and no longer than the limit. */
  call(server: string, tool: string, args: Record<string, unknown>, options: CallOptions): Promise<MountedCall>
  /** The same for a tool that has been found; it is looked for again only if its server has listed others meanwhile. */
  callTool(tool: MountedTool, args: Record<string, unknown>, options: CallOptions): Promise<MountedCall>
  /** Waits until the first attempt to connect has ended, as a call does; at once for a server that is not mounted. */
  whenPublished(server: string, signal?: AbortSignal): Promise<void>
  /** The connected server of this name. */
  server(name: string): MountedServer | undefined
  /** How long one attempt to connect this server may take. */
  connectTimeoutMs(server: string): number
  /** The configuration of a server in scope. */
  settingsOf(server: string): ServerConfig
  /** The mounted server whose tools, prompts and resources go out under their own names. */
  readonly bare: string | undefined
  /** What stands before names and texts of a server; undefined for the one whose names are its own. */
  labelOf(server: string): string | undefined
  /** The tool with this public name, connected or not. */
  findPublic(name: string): MountedTool | undefined
  /** From here on nothing is connected anew; calls go on. */
  beginStop(): void
  readonly isStopping: boolean
  /** Ends every connection and child, in parallel. */
  stop(): Promise<void>
}

const extraWaitMs = 5000

export function createMounts(options: MountsOptions): Mounts {
  const running = new RunningServers(options, options)
  const isBare = (name: string) => running.settings.servers[name]?.prefix === ''
  const plans = new ToolPlans((name) => running.get(name)?.offer.tools ?? noTools, isBare)
  const find = (server: string, tool: string) => plans.of(server).find(tool)
  const isInScope = (name: string) =>
    Object.hasOwn(running.settings.servers, name) && running.settings.allowsServer(name)

  const view = (name: string): ServerView => {
    const server = running.get(name)
    return {
      name,
      settings: running.settings.servers[name] ?? {},
      isEnabled: server !== undefined,
      isConnected: server?.state.kind === 'connected',
      tools: plans.of(name).tools,
      notes: [...plans.of(name).notes, ...(server?.offer.notes ?? [])].map(
        ({ what, done }) => `the ${what} of ${name} ${done}`,
      ),
      instructions: server?.instructions ?? '',
      lastWords: () => server?.lastWords() ?? '',
      ...(server?.state.kind === 'disconnected' && { error: server.state.error }),
    }
  }

  /** Waits for the first attempt to connect, within its time-out and a little more. */
  const firstAttempt = (server: MountedServer, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve()
      const cancel = options.clock.after(running.connectTimeoutMs(server.name) + extraWaitMs, resolve)
      const done = () => {
        cancel()
        resolve()
      }
      signal?.addEventListener('abort', done, { once: true })
      void server.published.then(done)
    })

  /** Waits while the server of this name is first being connected; it may be replaced meanwhile. */
  const whenPublished = async (name: string, signal?: AbortSignal): Promise<void> => {
    let server = running.get(name)
    while (server?.state.kind === 'connecting') {
      await firstAttempt(server, signal)
      const now = running.get(name)
      if (now === server) return
      server = now
    }
  }

  const call = async (
    name: string,
    tool: string | MountedTool,
    args: Record<string, unknown>,
    callOptions: CallOptions,
  ): Promise<MountedCall> => {
    if (running.get(name)?.state.kind === 'connecting') {
      const waiting = linkSignals([callOptions.signal, callOptions.limit])
      await whenPublished(name, waiting.signal).finally(waiting.release)
    }
    // From here to the sending nothing can come in between.
    const server = running.get(name)
    if (server === undefined) return { kind: isInScope(name) ? 'disabled' : 'unknown_server' }
    const isFound = typeof tool !== 'string'
    const found = isFound ? plans.of(name).byWireName.get(tool.wireName) : find(name, tool)
    if (found === undefined && server.state.kind === 'connected') return { kind: 'unknown_tool' }
    return server.call(found?.wireName ?? (isFound ? tool.wireName : tool), args, callOptions)
  }

  return {
    get configured() {
      return running.settings.servers
    },
    start: () => running.start(),
    apply: (settings) => running.apply(settings).forEach((name) => plans.forget(name)),
    servers: () => Object.keys(running.settings.servers).filter(isInScope).sort().map(view),
    view: (name) => (isInScope(name) ? view(name) : undefined),
    tools: () =>
      [...running.all()]
        .filter(({ state }) => state.kind !== 'disconnected')
        .flatMap(({ name }) => plans.of(name).tools)
        .sort((a, b) => (a.publicName < b.publicName ? -1 : 1)),
    find,
    call,
    callTool: (tool, args, callOptions) => call(tool.server, tool, args, callOptions),
    whenPublished,
    server: (name) => running.get(name),
    connectTimeoutMs: (name) => running.connectTimeoutMs(name),
    settingsOf: (name) => running.settings.servers[name] ?? {},
    get bare() {
      for (const name of running.names()) if (isBare(name)) return name
      return undefined
    },
    labelOf: (server) => (isBare(server) ? undefined : server),
    findPublic: (name) => plans.findPublic(name, running.names()),
    beginStop: () => running.beginStop(),
    get isStopping() {
      return running.isStopping
    },
    stop: () => running.stop(),
  }
}

const noTools: readonly AdmittedTool[] = []
