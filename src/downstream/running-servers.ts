import type { ServerConfig } from '#generated/types/config.js'
import { createServer, type CreateServerOptions } from './create-server.ts'
import { differenceOf } from './difference.ts'
import type { MountedServer } from './mounted-server.ts'

/** What can change while servers are mounted. */
export interface MountSettings {
  /** The configured entries; only enabled ones are started. */
  servers: Readonly<Record<string, ServerConfig>>
  /** Servers outside are never spawned or contacted. */
  allowsServer(name: string): boolean
  connectTimeoutMs: number
  /** Of servers with a time of their own, by name. */
  connectTimeoutsMs?: Readonly<Record<string, number>>
  /** The most that calls get which still run on a connection that the configuration has given up; absent: any time. */
  callTimeoutMs?: number
}

/** The servers that have a connection, or shall have one: as many as the settings say, each begun and ended once. */
export class RunningServers {
  readonly #options: CreateServerOptions
  #settings: MountSettings
  readonly #running = new Map<string, MountedServer>()
  /** Given up, with calls on them or not yet ended, by what ends with them. */
  readonly #retired = new Map<MountedServer, Promise<void>>()
  #isStarted = false
  #isStopping = false

  constructor(options: CreateServerOptions, settings: MountSettings) {
    this.#options = options
    this.#settings = settings
    for (const name of Object.keys(mountable(settings))) this.#begin(name, undefined)
  }

  get settings(): MountSettings {
    return this.#settings
  }

  /** How long one attempt to connect a server may take. */
  connectTimeoutMs(name: string): number {
    return this.#settings.connectTimeoutsMs?.[name] ?? this.#settings.connectTimeoutMs
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  get(name: string): MountedServer | undefined {
    return this.#running.get(name)
  }

  all(): Iterable<MountedServer> {
    return this.#running.values()
  }

  names(): Iterable<string> {
    return this.#running.keys()
  }

  start(): void {
    this.#isStarted = true
    for (const server of this.#running.values()) void server.reconnect()
  }

  /** Other settings count from now on; gives the names of the servers whose former connection is given up. */
  apply(settings: MountSettings): string[] {
    if (this.#isStopping) return []
    const before = mountable(this.#settings)
    this.#settings = settings
    const { ended, begun } = differenceOf(before, mountable(settings))
    const former = new Map(ended.map((name) => [name, this.#running.get(name)]))
    for (const [name, server] of former) {
      this.#running.delete(name)
      if (server !== undefined) this.#retire(server)
    }
    for (const name of begun) {
      const server = this.#begin(name, former.get(name))
      if (this.#isStarted) void this.#whenFree(name).then(() => server.reconnect())
    }
    return ended
  }

  /** From here on nothing is connected anew; calls go on. */
  beginStop(): void {
    this.#isStopping = true
    for (const server of this.#running.values()) server.giveUp()
  }

  /** Ends every connection and child, in parallel. */
  async stop(): Promise<void> {
    this.beginStop()
    await Promise.all([...this.#running.values(), ...this.#retired.keys()].map((server) => server.stop()))
    await Promise.all(this.#retired.values())
  }

  #begin(name: string, former: MountedServer | undefined): MountedServer {
    const options = { ...this.#options, connectTimeoutMs: () => this.connectTimeoutMs(name) }
    const server = createServer(name, this.#settings.servers[name] ?? {}, options, former)
    this.#running.set(name, server)
    return server
  }

  #retire(server: MountedServer): void {
    const ending = server.retire(this.#settings.callTimeoutMs)
    this.#retired.set(server, ending)
    void ending.finally(() => this.#retired.delete(server))
  }

  /** Two processes of one server run side by side only while a call still needs the former. */
  async #whenFree(name: string): Promise<void> {
    const idle = [...this.#retired].filter(([server]) => server.name === name && !server.isBusy)
    await Promise.all(idle.map(([, ended]) => ended))
  }
}

/** The entries that get a connection. */
function mountable({ servers, allowsServer }: MountSettings): Record<string, ServerConfig> {
  return Object.fromEntries(Object.entries(servers).filter(([name, { enabled }]) => enabled && allowsServer(name)))
}
