// The one subscription with a server of the modern era: everything that is wanted of it, kept open while the connection lives.
import type { Clock } from '../timing/clock.ts'
import type { OpenSubscription } from './exchanges.ts'
import type { CallOutcome } from './outcome.ts'
import { Retry } from './retry.ts'

/** Where a subscription is opened, and who hears of what was missed without one. */
export interface ListeningOptions {
  /** Opens one; its parameters are complete. */
  open(params: Record<string, unknown>): OpenSubscription
  /** What each request says of itself. */
  claim: Record<string, unknown>
  /** There was a time without a subscription: anything may have changed, these resources too. */
  onMissed(uris: readonly string[]): void
  clock: Pick<Clock, 'turn' | 'after'>
  /** In [0, 1). */
  random(): number
}

/** What came of one opening: the resources that are watched, or why there is none. */
type Opened = { uris: ReadonlySet<string> } | { why: CallOutcome }

const done: CallOutcome = { kind: 'result', json: '{}', value: {} }
const notWatched: CallOutcome = {
  kind: 'error',
  code: -32602,
  message: 'the server does not tell when this resource changes',
}
const notAnswered: CallOutcome = { kind: 'error', code: -32603, message: 'the server did not say what it watches' }
/** So long a server may take to say what it watches. */
const acknowledgedMs = 5000
const methodNotFound = -32601

/** One subscription, opened anew with a growing pause when it ends and once for all resources that come together. */
export class Listening {
  readonly #options: ListeningOptions
  readonly #retry: Retry
  readonly #uris = new Set<string>()
  #present: OpenSubscription | undefined
  #next: Promise<Opened> | undefined
  /** One follows the other, so that each ends the one before it. */
  #opening: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(options: ListeningOptions) {
    this.#options = options
    this.#retry = new Retry(options.clock, () => options.random())
  }

  /** Watches this resource, too; gives the server's refusal where it does not. */
  async add(uri: string): Promise<CallOutcome> {
    if (this.#uris.has(uri)) return done
    this.#uris.add(uri)
    const opened = await this.open()
    if ('uris' in opened && opened.uris.has(uri)) return done
    this.#uris.delete(uri)
    return 'why' in opened ? opened.why : notWatched
  }

  remove(uri: string): void {
    this.#uris.delete(uri)
  }

  /** Opens it, or joins an opening that is about to begin. */
  open(): Promise<Opened> {
    this.#next ??= this.#opening
      .then(() => this.#options.clock.turn())
      .then(() => {
        this.#next = undefined
        return this.#open()
      })
    this.#opening = this.#next
    return this.#next
  }

  /** Nothing is opened any more. */
  close(): void {
    this.#isClosed = true
    this.#retry.cancel()
    this.#present?.end()
  }

  async #open(): Promise<Opened> {
    if (this.#isClosed) return { why: notAnswered }
    this.#retry.cancel()
    const { claim, clock, open } = this.#options
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      ...(this.#uris.size > 0 && { resourceSubscriptions: [...this.#uris] }),
    }
    const before = this.#present
    const one = open({ notifications, _meta: claim })
    const opened = await new Promise<Opened>((resolve) => {
      const cancel = clock.after(acknowledgedMs, () => resolve({ why: notAnswered }))
      const settle = (what: Opened) => {
        cancel()
        resolve(what)
      }
      void one.acknowledged.then((uris) => settle({ uris: new Set(uris) }))
      void one.ended.then((error) => settle({ why: error ?? notAnswered }))
    })
    const isRefused = 'why' in opened && opened.why !== notAnswered
    if (isRefused && before !== undefined) return opened
    this.#present = one
    // The next one is open before the former ends, so that no change falls between.
    before?.end()
    if (!isRefused) this.#retry.succeeded()
    void one.ended.then((error) => this.#ended(one, error))
    return opened
  }

  #ended(one: OpenSubscription, error: CallOutcome | undefined): void {
    if (this.#isClosed || this.#present !== one) return
    this.#present = undefined
    if (error?.kind === 'error' && error.code === methodNotFound) return
    this.#retry.later(
      () =>
        void this.open().then((opened) => {
          if ('uris' in opened) this.#options.onMissed([...this.#uris])
        }),
    )
  }
}
