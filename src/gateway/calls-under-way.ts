import { AsyncLocalStorage } from 'node:async_hooks'
import type { CallSource } from '../calls/surface.ts'
import { CannotAsk, type AskClient } from '../wire/asking.ts'

/** Whoever waits for the answer. */
export type MountedSource = Pick<
  CallSource,
  'signal' | 'cancelled' | 'relayProgress' | 'client' | 'caller' | 'ask' | 'log'
>

/** What ends the work of a mounted server. */
export const endOf = ({ signal, cancelled }: Pick<MountedSource, 'signal' | 'cancelled'>): AbortSignal =>
  cancelled ?? signal

/**
 * Who waits for each mounted server. A server says in the name of no call what it asks and logs. Over HTTP it is that of the call on
 * whose stream it comes; else, where each call has a client of its own, that of the only call that runs there, and nobody's while
 * several do.
 */
export class CallsUnderWay {
  readonly #calls = new Map<string, Set<MountedSource>>()
  /** Whose stream is being read. */
  readonly #onStream = new AsyncLocalStorage<MountedSource>()
  readonly #onLogLevel: (level: string) => void
  readonly #isRemote: (server: string) => boolean
  readonly #askTheOne: (server: string) => AskClient
  readonly #connectionOf: (server: string) => object | undefined
  /** Whose calls were given up on a connection; the server may still work on them, and ask. */
  readonly #givenUp = new WeakMap<object, Set<string>>()

  /**
   * `onLogLevel`: a call wants log messages from this level up. `askTheOne`: asks the client of a process that has a single one, for a
   * server. `connectionOf`: the present connection of a server, another object after each new one. `isRemote`: each call to this server
   * has a stream of its own.
   */
  constructor(how: {
    onLogLevel(level: string): void
    askTheOne(server: string): AskClient
    connectionOf(server: string): object | undefined
    isRemote(server: string): boolean
  }) {
    this.#onLogLevel = (level) => how.onLogLevel(level)
    this.#askTheOne = (server) => how.askTheOne(server)
    this.#connectionOf = (server) => how.connectionOf(server)
    this.#isRemote = (server) => how.isRemote(server)
  }

  /** Makes a call of a server; while it runs, the server's questions and log may be those of its client. */
  async during<T extends { kind: string }>(server: string, source: MountedSource, work: () => Promise<T>): Promise<T> {
    if (source.log !== undefined && source.client.logLevel !== undefined) this.#onLogLevel(source.client.logLevel)
    const calls = this.#calls.get(server) ?? new Set()
    this.#calls.set(server, calls)
    // Its own object, because a source may make two calls.
    const call = { ...source }
    calls.add(call)
    try {
      const outcome = await (this.#isRemote(server) ? this.#onStream.run(call, work) : work())
      if (outcome.kind === 'unknown') this.#giveUp(server, source.caller.principal)
      return outcome
    } finally {
      calls.delete(call)
      if (calls.size === 0 && this.#calls.get(server) === calls) this.#calls.delete(server)
    }
  }

  /** Asks the client of a call; undefined where it cannot be asked in the middle of one. */
  askerOf({ ask, client }: MountedSource, server: string): AskClient | undefined {
    return ask ?? (client.era === 'legacy' ? this.#askTheOne(server) : undefined)
  }

  /** Asks the client whose call it is, or the one client of the process, whatever runs. */
  ask(server: string, ...asked: Parameters<AskClient>): Promise<object> {
    const own = this.#callOf(server)
    if (own?.ask !== undefined) return own.ask(...asked)
    const calls = [...(this.#calls.get(server) ?? [])]
    if (calls.some(({ client, ask }) => client.era === 'modern' || ask !== undefined))
      return Promise.reject(new CannotAsk())
    return this.#askTheOne(server)(...asked)
  }

  /**
   * Passes a server's log message on to the client whose call it is. One that is no single call's goes to `others`, with whose calls
   * run, and to nobody while those of several principals do. False when it should be told again later.
   */
  log(server: string, params: object, others: (principal: string | undefined) => boolean): boolean {
    const own = this.#callOf(server)
    if (own?.log !== undefined) {
      own.log(params)
      return true
    }
    const running = [...(this.#calls.get(server) ?? [])].map(({ caller }) => caller.principal)
    const principals = new Set([...running, ...this.#givenUpBy(server)])
    return principals.size > 1 || others([...principals][0])
  }

  /**
   * The call that whatever a server says now belongs to: the one on whose stream it comes, or the only one that runs. On a shared
   * stream it may also be said of a call that was given up: of nobody else's.
   */
  #callOf(server: string): MountedSource | undefined {
    const calls = this.#calls.get(server) ?? new Set<MountedSource>()
    const onStream = this.#isRemote(server) ? this.#onStream.getStore() : undefined
    if (onStream !== undefined && calls.has(onStream)) return onStream
    const [only, ...others] = calls
    const isOthers = this.#givenUpBy(server).some((principal) => principal !== only?.caller.principal)
    return others.length > 0 || isOthers ? undefined : only
  }

  #givenUpBy(server: string): string[] {
    const connection = this.#connectionOf(server)
    return [...((connection && this.#givenUp.get(connection)) ?? [])]
  }

  #giveUp(server: string, principal: string): void {
    const connection = this.#connectionOf(server)
    if (connection === undefined) return
    this.#givenUp.set(connection, (this.#givenUp.get(connection) ?? new Set()).add(principal))
  }
}
