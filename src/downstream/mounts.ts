// This room is other MCP servers behind us: each connected, watched and replaced on its own.
import type { ServerConfig } from '#generated/types/config.js'
import { fragment, publicName, findWireName, planFragments } from '../lazy/names/fragment.ts'
import { startChild, type Child } from './child-process.ts'
import { ChildTransport } from './child-transport.ts'
import {
  connect,
  type CallOptions,
  type CallOutcome,
  type Connection,
  type ConnectionEvents,
  type ListedTool,
} from './connection.ts'
import { mountTools, type MountedTool } from './definition.ts'
import { childEnvironment, type EnvironmentSource } from './environment.ts'
import { explainFailure } from './explain.ts'
import { MountedServer, type CallRefusal } from './mounted-server.ts'
import { ResultTexts } from './raw-result.ts'
import type { Upstream } from './upstream.ts'
import { createRemoteTransport } from './remote-transport.ts'

/** What mounting needs from outside. */
export interface MountsOptions {
  /** The configured entries; only enabled ones are started. */
  servers: Readonly<Record<string, ServerConfig>>
  /** Servers outside are never spawned or contacted. */
  allowsServer(name: string): boolean
  /** Our own client, for what servers ask of it; absent: there is none, and nothing can be asked. */
  upstream?: Upstream
  /** How we introduce ourselves. */
  clientInfo: { name: string; version: string }
  connectTimeoutMs: number
  environment: EnvironmentSource
  after(ms: number, work: () => void): () => void
  random(): number
  /** After every change of what is offered or connected. */
  onChange(): void
  /** Odd things worth a log line; holds names, never contents. */
  warn(message: string): void
}

/** A tool call's way to a mounted server. */
export type MountedCall =
  CallOutcome | CallRefusal | { kind: 'unknown_server' } | { kind: 'disabled' } | { kind: 'unknown_tool' }

/** How a call is made; `timeoutMs` counts from the beginning, the wait for a first connection included. */
export interface MountedCallOptions extends Omit<CallOptions, 'limit'> {
  timeoutMs?: number
}

/** One configured server, as people and agents are shown it. */
export interface ServerView {
  name: string
  settings: ServerConfig
  isEnabled: boolean
  isConnected: boolean
  tools: readonly MountedTool[]
  error?: string
}

/** All mounted servers. */
export interface Mounts {
  /** The configured entries, those outside the scope included. */
  readonly configured: Readonly<Record<string, ServerConfig>>
  start(): void
  /** Every configured server in scope, by name. */
  servers(): ServerView[]
  /** Every tool of every connected server in scope, by public name. */
  tools(): MountedTool[]
  /** The tool that a server's name and any accepted form of its own name mean. */
  find(server: string, tool: string): MountedTool | undefined
  /** Calls once; waits for a first connection at most `connectTimeoutMs` and five seconds. */
  call(server: string, tool: string, args: Record<string, unknown>, options: MountedCallOptions): Promise<MountedCall>
  /** Waits until the first attempt to connect has ended, as a call does; at once for a server that is not mounted. */
  whenPublished(server: string, signal?: AbortSignal): Promise<void>
  /** The connected server of this name. */
  server(name: string): MountedServer | undefined
  /** The configuration of a server in scope. */
  settingsOf(server: string): ServerConfig
  /** The tool with this public name, connected or not. */
  findPublic(name: string): MountedTool | undefined
  /** From here on nothing is connected anew; calls go on. */
  beginStop(): void
  readonly isStopping: boolean
  /** Ends every connection and child, in parallel. */
  stop(): Promise<void>
}

const stopPatience = { afterEndMs: 2000, afterTermMs: 2000 }
const extraWaitMs = 5000

export function createMounts(options: MountsOptions): Mounts {
  const { servers: entries, connectTimeoutMs, after } = options
  const inScope = Object.keys(entries)
    .filter((name) => options.allowsServer(name))
    .sort()
  const mounted = new Map<string, MountedServer>()
  for (const name of inScope) {
    const settings = entries[name]
    if (settings?.enabled) mounted.set(name, createServer(name, settings, options))
  }

  const planned = new Map<string, PlannedTools>()
  const planOf = (name: string): PlannedTools => {
    const offered = mounted.get(name)?.offer.tools ?? noTools
    let plan = planned.get(name)
    if (plan?.offered !== offered) planned.set(name, (plan = planTools(name, offered)))
    return plan
  }
  const toolsOf = (name: string) => planOf(name).tools

  const find = (server: string, tool: string): MountedTool | undefined => {
    const { byWireName, byPublicName, fragments } = planOf(server)
    const wireName = findWireName(server, tool, fragments)
    return wireName === undefined
      ? byPublicName.get(publicName(server, fragment(server, tool)))
      : byWireName.get(wireName)
  }

  /** Waits for the first attempt to connect, within its time-out and a little more. */
  const whenPublished = (server: MountedServer, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve()
      const cancel = after(connectTimeoutMs + extraWaitMs, resolve)
      const done = () => {
        cancel()
        resolve()
      }
      signal?.addEventListener('abort', done, { once: true })
      void server.published.then(done)
    })

  let isStopping = false
  const beginStop = () => {
    isStopping = true
    for (const server of mounted.values()) server.giveUp()
  }

  return {
    configured: entries,
    start: () => {
      for (const server of mounted.values()) void server.reconnect()
    },
    servers: () =>
      inScope.map((name): ServerView => {
        const server = mounted.get(name)
        const settings = entries[name] as ServerConfig
        const view = {
          name,
          settings,
          isEnabled: server !== undefined,
          isConnected: server?.state.kind === 'connected',
          tools: toolsOf(name),
        }
        return server?.state.kind === 'disconnected' ? { ...view, error: server.state.error } : view
      }),
    tools: () =>
      [...mounted.values()]
        .filter((server) => server.state.kind === 'connected')
        .flatMap((server) => toolsOf(server.name))
        .sort((a, b) => (a.publicName < b.publicName ? -1 : 1)),
    find,
    call: async (name, tool, args, { timeoutMs, ...callOptions }) => {
      const server = mounted.get(name)
      if (server === undefined)
        return { kind: entries[name] !== undefined && options.allowsServer(name) ? 'disabled' : 'unknown_server' }
      const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
      if (server.state.kind === 'connecting') await whenPublished(server, either(callOptions.signal, limit))
      const found = find(name, tool)
      if (found === undefined && server.state.kind === 'connected') return { kind: 'unknown_tool' }
      const outcome = await server.call(found?.wireName ?? tool, args, { ...callOptions, limit })
      if (outcome.kind === 'unknown' && outcome.why === 'connection_lost' && !isStopping) void server.reconnect()
      return outcome
    },
    whenPublished: async (name, signal) => {
      const server = mounted.get(name)
      if (server?.state.kind === 'connecting') await whenPublished(server, signal)
    },
    server: (name) => mounted.get(name),
    settingsOf: (name) => entries[name] ?? {},
    findPublic: (name) => {
      for (const server of mounted.keys()) {
        const tool = planOf(server).byPublicName.get(name)
        if (tool !== undefined) return tool
      }
      return undefined
    },
    beginStop,
    get isStopping() {
      return isStopping
    },
    stop: async () => {
      beginStop()
      await Promise.all([...mounted.values()].map((server) => server.stop()))
    },
  }
}

const nobody: Upstream = {
  capabilities: () => ({}),
  ask: () => Promise.reject(new Error('there is no client')),
  tell: () => {},
}

const noTools: readonly ListedTool[] = []

/** The tools of one server, found by their names; made once for each list that the server gives. */
interface PlannedTools {
  offered: readonly ListedTool[]
  tools: readonly MountedTool[]
  byWireName: ReadonlyMap<string, MountedTool>
  byPublicName: ReadonlyMap<string, MountedTool>
  fragments: ReadonlyMap<string, string>
}

function planTools(server: string, offered: readonly ListedTool[]): PlannedTools {
  const tools = mountTools(server, offered)
  return {
    offered,
    tools,
    byWireName: new Map(tools.map((tool) => [tool.wireName, tool])),
    byPublicName: new Map(tools.map((tool) => [tool.publicName, tool])),
    fragments: planFragments(
      server,
      tools.map(({ wireName }) => wireName),
    ),
  }
}

function either(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const present = signals.filter((signal) => signal !== undefined)
  return present.length > 1 ? AbortSignal.any(present) : present[0]
}

function createServer(name: string, settings: ServerConfig, options: MountsOptions): MountedServer {
  let child: Child | undefined
  const make = async (events: ConnectionEvents, signal: AbortSignal): Promise<Connection> => {
    const texts = new ResultTexts()
    const bounds = {
      timeoutMs: options.connectTimeoutMs,
      signal,
      texts,
      server: name,
      upstream: options.upstream ?? nobody,
    }
    if (settings.url !== undefined) {
      const remote = createRemoteTransport(
        {
          url: new URL(settings.url),
          transport: settings.transport ?? 'http',
          headers: settings.headers ?? {},
        },
        texts,
      )
      return connect(remote, options.clientInfo, events, bounds)
    }
    child = await startChild(
      {
        command: settings.command ?? '',
        args: settings.args ?? [],
        cwd: settings.cwd?.replace(/^~(?=$|\/)/, options.environment.home),
        env: childEnvironment(options.environment, settings.env),
      },
      options.after,
      stopPatience,
    )
    const onJunk = (count: number) => {
      if (count === 1)
        options.warn(`the mounted server ${name} writes lines to stdout that are no messages; they are skipped`)
    }
    return connect(new ChildTransport(child, texts, onJunk), options.clientInfo, events, bounds)
  }
  return new MountedServer({
    name,
    connect: make,
    explain: (error) =>
      explainFailure({ error, stderrTail: child?.stderrTail(), declaredVariables: Object.keys(settings.env ?? {}) }),
    onChange: options.onChange,
    after: options.after,
    random: options.random,
  })
}
