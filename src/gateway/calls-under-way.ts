import type { CallSource } from '../calls/surface.ts'
import { CannotAsk, type AskClient } from '../wire/asking.ts'

/** Whoever waits for the answer. */
export type MountedSource = Pick<CallSource, 'signal' | 'relayProgress' | 'client' | 'caller' | 'ask' | 'log'>

/**
 * Who waits for each mounted server. A server says in the name of no call what it asks and logs; where each call has a client of its
 * own, it is that of the only call that runs there, and nobody's while several do.
 */
export class CallsUnderWay {
  readonly #calls = new Map<string, Set<MountedSource>>()
  readonly #onLogLevel: (level: string) => void
  readonly #askTheOne: (server: string) => AskClient
  readonly #connectionOf: (server: string) => object | undefined
  /** Whose calls were given up on a connection; the server may still work on them, and ask. */
  readonly #givenUp = new WeakMap<object, Set<string>>()

  /**
   * `onLogLevel`: a call wants log messages from this level up. `askTheOne`: asks the client of a process that has a single one, for a
   * server. `connectionOf`: the present connection of a server, another object after each new one.
   */
  constructor(
    onLogLevel: (level: string) => void,
    askTheOne: (server: string) => AskClient,
    connectionOf: (server: string) => object | undefined,
  ) {
    this.#onLogLevel = onLogLevel
    this.#askTheOne = askTheOne
    this.#connectionOf = connectionOf
  }

  /** A call goes to a server while this work goes on. */
  async during<T extends { kind: string }>(server: string, source: MountedSource, work: () => Promise<T>): Promise<T> {
    if (source.log !== undefined && source.client.logLevel !== undefined) this.#onLogLevel(source.client.logLevel)
    const calls = this.#calls.get(server) ?? new Set()
    this.#calls.set(server, calls)
    // Its own object, because a source may make two calls.
    const call = { ...source }
    calls.add(call)
    try {
      const outcome = await work()
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
    const calls = [...(this.#calls.get(server) ?? [])]
    const only = this.#only(server)
    if (only?.ask !== undefined) return only.ask(...asked)
    if (calls.some(({ client, ask }) => client.era === 'modern' || ask !== undefined))
      return Promise.reject(new CannotAsk())
    return this.#askTheOne(server)(...asked)
  }

  /** Passes a server's log message on to the client whose call it is; false where that is none that wants it so. */
  log(server: string, params: object): boolean {
    const only = this.#only(server)
    if (only?.log === undefined) return false
    only.log(params)
    return true
  }

  /** The call that whatever a server says now belongs to. It may also be said of a call that was given up: of nobody else's. */
  #only(server: string): MountedSource | undefined {
    const [only, ...others] = this.#calls.get(server) ?? []
    const connection = this.#connectionOf(server)
    const givenUp = connection && this.#givenUp.get(connection)
    const isOthers = [...(givenUp ?? [])].some((principal) => principal !== only?.caller.principal)
    return others.length > 0 || isOthers ? undefined : only
  }

  #giveUp(server: string, principal: string): void {
    const connection = this.#connectionOf(server)
    if (connection === undefined) return
    this.#givenUp.set(connection, (this.#givenUp.get(connection) ?? new Set()).add(principal))
  }
}
