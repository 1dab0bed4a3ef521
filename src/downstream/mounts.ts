// This room is other MCP servers behind us: each connected, watched and replaced on its own.
import type { ServerConfig } from '#generated/types/config.js'
import { createServer, type CreateServerOptions } from './create-server.ts'
import type { CallOptions, CallOutcome, ListedTool } from './connection.ts'
import type { MountedTool } from './definition.ts'
import { differenceOf } from './difference.ts'
import { linkSignals } from '../timing/link-signals.ts'
import type { CallRefusal, MountedServer } from './mounted-server.ts'
import { planTools, type PlannedTools } from './planned-tools.ts'

/** What can change while servers are mounted. */
export interface MountSettings {
  /** The configured entries; only enabled ones are started. */
  servers: Readonly<Record<string, ServerConfig>>
  /** Servers outside are never spawned or contacted. */
  allowsServer(name: string): boolean
  connectTimeoutMs: number
  /** The most that calls get which still run on a connection that the configuration has given up; absent: any time. */
  callTimeoutMs?: number
}

/** What mounting needs from outside. */
export type MountsOptions = MountSettings & CreateServerOptions

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
  /**
   * Other settings count from now on. A server that is reached as before keeps its connection. Of the others no call is cut
   * off: the old connection is closed when the last call on it has ended.
   */
  apply(settings: MountSettings): void
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

const extraWaitMs = 5000

export function createMounts(options: MountsOptions): Mounts {
  const { after } = options
  let present: MountSettings = options
  let isStarted = false
  let isStopping = false
  const mounted = new Map<string, MountedServer>()
  /** Given up, with calls on them or not yet ended, by what ends with them. */
  const retired = new Map<MountedServer, Promise<void>>()
  const planned = new Map<string, PlannedTools>()

  const inScope = () =>
    Object.keys(present.servers)
      .filter((name) => present.allowsServer(name))
      .sort()
  const isShown = ({ state }: MountedServer) => state.kind !== 'disconnected'

  const begin = (name: string, former: MountedServer | undefined): MountedServer => {
    const making = { ...options, connectTimeoutMs: () => present.connectTimeoutMs }
    const server = createServer(name, present.servers[name] ?? {}, making, former)
    mounted.set(name, server)
    return server
  }

  /** Two processes of one server run side by side only while a call still needs the former. */
  const whenFree = (name: string) =>
    Promise.all([...retired].filter(([server]) => server.name === name && !server.isBusy).map(([, ended]) => ended))

  const apply = (settings: MountSettings) => {
    if (isStopping) return
    const before = mountable(present)
    present = settings
    const { ended, begun } = differenceOf(before, mountable(present))
    const former = new Map(ended.map((name) => [name, mounted.get(name)]))
    for (const [name, server] of former) {
      mounted.delete(name)
      planned.delete(name)
      if (server === undefined) continue
      const ending = server.retire(present.callTimeoutMs)
      retired.set(server, ending)
      void ending.finally(() => retired.delete(server))
    }
    for (const name of begun) {
      const server = begin(name, former.get(name))
      if (isStarted) void whenFree(name).then(() => server.reconnect())
    }
  }

  for (const name of Object.keys(mountable(present))) begin(name, undefined)

  const planOf = (name: string): PlannedTools => {
    const offered = mounted.get(name)?.offer.tools ?? noTools
    let plan = planned.get(name)
    if (plan?.offered !== offered) planned.set(name, (plan = planTools(name, offered)))
    return plan
  }
  const toolsOf = (name: string) => planOf(name).tools
  const find = (server: string, tool: string) => planOf(server).find(tool)

  /** Waits for the first attempt to connect, within its time-out and a little more. */
  const firstAttempt = (server: MountedServer, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve()
      const cancel = after(present.connectTimeoutMs + extraWaitMs, resolve)
      const done = () => {
        cancel()
        resolve()
      }
      signal?.addEventListener('abort', done, { once: true })
      void server.published.then(done)
    })

  /** Waits while the server of this name is first being connected; it may be replaced meanwhile. */
  const whenPublished = async (name: string, signal?: AbortSignal): Promise<void> => {
    let server = mounted.get(name)
    while (server?.state.kind === 'connecting') {
      await firstAttempt(server, signal)
      const now = mounted.get(name)
      if (now === server) return
      server = now
    }
  }

  const beginStop = () => {
    isStopping = true
    for (const server of mounted.values()) server.giveUp()
  }

  return {
    get configured() {
      return present.servers
    },
    start: () => {
      isStarted = true
      for (const server of mounted.values()) void server.reconnect()
    },
    apply,
    servers: () =>
      inScope().map((name): ServerView => {
        const server = mounted.get(name)
        const settings = present.servers[name] as ServerConfig
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
        .filter(isShown)
        .flatMap((server) => toolsOf(server.name))
        .sort((a, b) => (a.publicName < b.publicName ? -1 : 1)),
    find,
    call: async (name, tool, args, { timeoutMs, ...callOptions }) => {
      const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
      if (mounted.get(name)?.state.kind === 'connecting') {
        const waiting = linkSignals([callOptions.signal, limit])
        await whenPublished(name, waiting.signal).finally(waiting.release)
      }
      // From here to the sending nothing can come in between.
      const server = mounted.get(name)
      if (server === undefined) return { kind: inScope().includes(name) ? 'disabled' : 'unknown_server' }
      const found = find(name, tool)
      if (found === undefined && server.state.kind === 'connected') return { kind: 'unknown_tool' }
      return server.call(found?.wireName ?? tool, args, { ...callOptions, limit })
    },
    whenPublished,
    server: (name) => mounted.get(name),
    settingsOf: (name) => present.servers[name] ?? {},
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
      await Promise.all([...mounted.values(), ...retired.keys()].map((server) => server.stop()))
      await Promise.all(retired.values())
    },
  }
}

/** The entries that get a connection. */
function mountable({ servers, allowsServer }: MountSettings): Record<string, ServerConfig> {
  return Object.fromEntries(Object.entries(servers).filter(([name, { enabled }]) => enabled && allowsServer(name)))
}

const noTools: readonly ListedTool[] = []
