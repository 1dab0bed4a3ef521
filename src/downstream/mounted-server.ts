import { linkSignals } from '../timing/link-signals.ts'
import type { AdmittedTool } from './admission/admit.ts'
import type { Connection, ConnectionEvents } from './connection.ts'
import type { Offer } from './offer.ts'
import { OfferKeeper } from './offer-keeper.ts'
import {
  isLost,
  type CallOptions,
  type CallOutcome,
  type CallRefusal,
  type Exchange,
  type HeldCall,
} from './outcome.ts'
import { soon, ToldFirst } from './told-first.ts'
import { Retry } from './retry.ts'
import type { MountedServerOptions } from './server-options.ts'
import { lostBecause, type ServerState } from './server-state.ts'
import { callAsTask, runsOnlyAsTask } from './task-call.ts'
import { heldReason } from './tool-review.ts'

/** One configured server over all its connections: its death is noticed at once and costs nobody else. */
export class MountedServer {
  readonly name: string
  /** The end of what its process wrote to stderr, without secrets; empty where there is none. */
  readonly lastWords: () => string
  /** What it said of its use when it was connected last; cleaned and bounded, and still untrusted. */
  instructions = ''
  /** Resolves when the first attempt to connect has ended, either way. */
  readonly published: Promise<void>
  readonly #options: MountedServerOptions
  #state: ServerState = { kind: 'connecting' }
  readonly #offers: OfferKeeper
  #connection: Connection | undefined
  #attempt: Promise<void> | undefined
  /** Connections that are no longer used, until they are closed. */
  readonly #retired = new Set<Connection>()
  readonly #retry: Retry
  #isStopped = false
  readonly #stopping = new AbortController()
  readonly #running = new Set<Promise<unknown>>()
  /** Resources that the client watches. */
  readonly #watched: Set<string>
  /** The roots changed while a connection was being made, which may have asked for them before. */
  #hasOldRoots = false
  readonly #logLevel = new ToldFirst()
  #publish = () => {}

  /**
   * `former` had the name before: what it offers is shown until this is connected, and what was watched is watched on. What nobody
   * reviewed is not shown where changes are held.
   */
  constructor(options: MountedServerOptions, former?: MountedServer) {
    this.name = options.name
    this.#options = options
    this.lastWords = () => options.lastWords()
    this.#retry = new Retry(options.clock, () => options.random())
    this.#offers = new OfferKeeper(
      { read: () => this.#readOffer(), onChange: options.onChange, clock: options.clock },
      former === undefined || former.state.kind === 'disconnected' || (options.isHolding && !former.#options.isHolding)
        ? undefined
        : former.offer,
    )
    this.#watched = new Set(former === undefined ? [] : former.#watched)
    this.published = new Promise((resolve) => {
      this.#publish = resolve
    })
  }

  get state(): ServerState {
    return this.#state
  }

  /** What the server offered last; kept while it is away. */
  get offer(): Offer {
    return this.#offers.offer
  }

  /** Connects now, or joins the attempt under way; never rejects. N failures at once make one connection. */
  reconnect(): Promise<void> {
    this.#retry.cancel()
    if (this.#connection !== undefined || this.#isStopped) return Promise.resolve()
    this.#attempt ??= this.#connect().finally(() => {
      this.#attempt = undefined
      this.#publish()
    })
    return this.#attempt
  }

  /** Sends one call, once. A lost connection is told and replaced in the background; the call is never repeated. */
  call(
    wireName: string,
    args: Record<string, unknown>,
    options: CallOptions,
  ): Promise<CallOutcome | CallRefusal | HeldCall> {
    const call = { name: wireName, arguments: args }
    return this.#onConnection<CallOutcome | CallRefusal | HeldCall>(options, (exchange) => {
      const tool = this.#toolCalled(wireName)
      if (tool?.held !== undefined) return Promise.resolve({ kind: 'held', why: tool.held })
      const send = () =>
        tool === undefined || !runsOnlyAsTask(tool.listed)
          ? exchange('tools/call', call, options)
          : callAsTask(exchange, call, options)
      return this.#logLevel.before(send)
    })
  }

  /** Any request, as a call. */
  exchange(method: string, params: Record<string, unknown>, options: CallOptions): Promise<CallOutcome | CallRefusal> {
    return this.#onConnection(options, (exchange) => exchange(method, params, options))
  }

  /** Another one after each new connection, with what the server says it can do; undefined while there is none. */
  get connection(): Pick<Connection, 'capabilities'> | undefined {
    return this.#connection
  }

  /** Watches a resource, over this connection and those that follow it. */
  async subscribe(uri: string, options: CallOptions): Promise<CallOutcome | CallRefusal> {
    const outcome = await this.exchange('resources/subscribe', { uri }, options)
    if (outcome.kind === 'result') this.#watched.add(uri)
    return outcome
  }

  /** Watches a resource no more. */
  unsubscribe(uri: string, options: CallOptions): Promise<CallOutcome | CallRefusal> {
    this.#watched.delete(uri)
    return this.exchange('resources/unsubscribe', { uri }, options)
  }

  /** The client wants other log messages; a server that is not connected hears of it when it is. */
  tellLogLevel(level: string): Promise<void> {
    return this.#logLevel.tell(this.exchange('logging/setLevel', { level }, soon()))
  }

  /** The client's roots have changed. */
  tellRootsChanged(): void {
    this.#connection?.tellRootsChanged()
    this.#hasOldRoots = this.#attempt !== undefined
  }

  /** Ends every attempt to connect, and makes no other; a present connection goes on. */
  giveUp(): void {
    this.#isStopped = true
    this.#stopping.abort()
    this.#retry.cancel()
    if (this.#connection === undefined) this.#publish()
  }

  /** Whether a call runs. */
  get isBusy(): boolean {
    return this.#running.size > 0
  }

  /** Ends as `stop` does, after the calls that run now: it waits for them so long, or until they have ended. */
  async retire(limitMs = Number.POSITIVE_INFINITY): Promise<void> {
    this.giveUp()
    if (this.isBusy) {
      await new Promise<void>((resolve) => {
        const cancel = this.#options.clock.after(limitMs, resolve)
        void Promise.allSettled(this.#running).then(() => {
          cancel()
          resolve()
        })
      })
    }
    await this.stop()
  }

  /** Ends the connection and every attempt at another. */
  async stop(): Promise<void> {
    this.giveUp()
    const connection = this.#connection
    this.#connection = undefined
    await Promise.all([connection?.close(), ...[...this.#retired].map((one) => one.close()), this.#attempt])
    this.#publish()
  }

  async #connect(): Promise<void> {
    let made: Connection | undefined
    let isStale = false
    const events: ConnectionEvents = {
      onChanged: () => {
        if (made === undefined) isStale = true
        else this.#offers.refresh()
      },
      onLost: (reason) => this.#lost(made, reason),
    }
    try {
      const connection = await this.#options.connect(events, this.#stopping.signal)
      made = connection
      if (this.#isStopped) return await connection.close()
      this.#connection = connection
      this.instructions = connection.instructions
      this.#offers.replace(connection.offer)
      this.#retry.succeeded()
      connection.watchAgain(this.#watched)
      const level = this.#options.logLevel?.()
      if (level !== undefined) void this.#logLevel.tell(connection.exchange('logging/setLevel', { level }, soon()))
      if (this.#hasOldRoots) connection.tellRootsChanged()
      this.#hasOldRoots = false
      this.#become({ kind: 'connected' })
      // What was announced while the list was being read may not be in it.
      if (isStale) this.#offers.refresh()
    } catch (error) {
      if (this.#isStopped) return
      this.#become({ kind: 'disconnected', error: this.#options.explain(error) })
      this.#retry.later(() => void this.reconnect())
    }
  }

  #lost(connection: Connection | undefined, reason?: string): void {
    if (connection === undefined || this.#connection !== connection) return
    this.#connection = undefined
    // Other calls on it may still be answered, and a child may outlive its stdout.
    this.#retired.add(connection)
    void connection.retire().finally(() => this.#retired.delete(connection))
    if (this.#isStopped) return
    this.#become(lostBecause(reason))
    this.#retry.later(() => void this.reconnect())
  }

  /** All of one call goes over one connection. Where that was lost, the next one is waited for as long as it is being made. */
  async #onConnection<T>(
    options: CallOptions,
    work: (exchange: (...asked: Parameters<Exchange>) => Promise<CallOutcome | CallRefusal>) => Promise<T>,
  ): Promise<T | CallRefusal> {
    const connection = this.#connection ?? (await this.#restored(options))
    if (connection === undefined) return this.#refusal()
    let isFirst = true
    const exchange = async (...asked: Parameters<Exchange>): Promise<CallOutcome | CallRefusal> => {
      const outcome = await connection.exchange(...asked)
      const isRestart = isFirst && outcome.kind === 'session_gone'
      isFirst = false
      if (outcome.kind === 'session_gone') {
        this.#lost(connection)
        // Nothing was carried out, so the first request of a call is sent again, once.
        if (isRestart) return this.#sendAnew(asked, options)
        void this.reconnect()
        return { kind: 'unknown', why: 'connection_lost' }
      }
      if ('why' in outcome && isLost(outcome.why)) {
        this.#lost(connection)
        void this.reconnect()
      }
      return outcome
    }
    return this.#counted(work(exchange))
  }

  async #sendAnew(asked: Parameters<Exchange>, options: CallOptions): Promise<CallOutcome | CallRefusal> {
    const connection = await this.#restored(options)
    if (connection === undefined) return this.#refusal()
    const [method, { name }] = asked
    // The new session may list another tool of this name.
    const held = method === 'tools/call' ? this.#toolCalled(name)?.held : undefined
    if (held !== undefined) return { kind: 'refused', reason: `the tool is held: ${heldReason(this.name, held)}` }
    const outcome = await connection.exchange(...asked)
    return outcome.kind === 'session_gone' ? { kind: 'refused', reason: 'it forgets every session at once' } : outcome
  }

  /** The connection in the place of a lost one; undefined when it fails or the caller gives up, or none was lost. */
  async #restored({ signal, limit }: CallOptions): Promise<Connection | undefined> {
    if (this.#state.kind !== 'disconnected' || !this.#state.isLost) return undefined
    const givenUp = linkSignals([signal, limit])
    await new Promise<void>((resolve) => {
      if (givenUp.signal.aborted) resolve()
      givenUp.signal.addEventListener('abort', () => resolve(), { once: true })
      void this.reconnect().then(resolve)
    })
    givenUp.release()
    return this.#connection
  }

  #toolCalled(name: unknown): AdmittedTool | undefined {
    return this.offer.tools.find(({ listed }) => listed.name === name)
  }

  async #readOffer(): Promise<Offer | undefined> {
    const connection = this.#connection
    const offer = await connection?.readOffer().catch(() => undefined)
    return connection === this.#connection ? offer : undefined
  }

  #counted<T>(call: Promise<T>): Promise<T> {
    this.#running.add(call)
    return call.finally(() => this.#running.delete(call))
  }

  #refusal(): CallRefusal {
    return this.#state.kind === 'disconnected'
      ? { kind: 'disconnected', error: this.#state.error }
      : { kind: 'connecting' }
  }

  #become(state: ServerState): void {
    this.#state = state
    this.#options.onChange()
  }
}
