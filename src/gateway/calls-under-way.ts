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

  /**
   * `onLogLevel`: a call wants log messages from this level up. `askTheOne`: asks the client of a process that has a single one, for a
   * server.
   */
  constructor(onLogLevel: (level: string) => void, askTheOne: (server: string) => AskClient) {
    this.#onLogLevel = onLogLevel
    this.#askTheOne = askTheOne
  }

  /** A call goes to a server; the result says that it is over. */
  enter(server: string, source: MountedSource): () => void {
    if (source.log !== undefined && source.client.logLevel !== undefined) this.#onLogLevel(source.client.logLevel)
    const calls = this.#calls.get(server) ?? new Set()
    this.#calls.set(server, calls)
    // Its own object, because a source may make two calls.
    const call = { ...source }
    calls.add(call)
    return () => {
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
    const [only] = calls
    if (calls.length === 1 && only?.ask !== undefined) return only.ask(...asked)
    if (calls.some(({ client, ask }) => client.era === 'modern' || ask !== undefined))
      return Promise.reject(new CannotAsk())
    return this.#askTheOne(server)(...asked)
  }

  /** Passes a server's log message on to the client whose call it is; false where that is none that wants it so. */
  log(server: string, params: object): boolean {
    const calls = [...(this.#calls.get(server) ?? [])]
    if (calls.length !== 1 || calls[0]?.log === undefined) return false
    calls[0].log(params)
    return true
  }
}
