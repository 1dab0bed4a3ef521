import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ProgressNotificationSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { member } from '../json/read.ts'
import { linkSignals } from '../timing/link-signals.ts'
import type { CallOptions, CallOutcome, SessionGone } from './outcome.ts'
import type { TappedTransport, WatchedRequest } from './tapped-transport.ts'

/** The longest time-out that a timer can hold: our own deadlines are tighter. */
const noTimeoutMs = 2 ** 31 - 1

/** A subscription of the modern era. */
export interface OpenSubscription {
  /** Resolves with the resources that the server says it watches, when it says so; maybe never. */
  acknowledged: Promise<readonly string[]>
  /** Resolves when it is over, with the server's error if there was one. */
  ended: Promise<CallOutcome | undefined>
  end(): void
}

const subscriptionKey = 'io.modelcontextprotocol/subscriptionId'

/** The requests on one connection: what was asked, what was answered, and what is still under way. */
export class Exchanges {
  readonly #client: Client
  readonly #transport: TappedTransport
  readonly #progress = new Map<string, (progress: Record<string, unknown>) => void>()
  readonly #underWay = new Set<Promise<CallOutcome | SessionGone>>()
  readonly #opening = new Set<{ watched: WatchedRequest; acknowledge(uris: readonly string[]): void }>()
  #nextToken = 0

  constructor(client: Client, transport: TappedTransport) {
    this.#client = client
    this.#transport = transport
    client.setNotificationHandler(ProgressNotificationSchema, ({ params }) =>
      this.#progress.get(String(params.progressToken))?.(params),
    )
    client.fallbackNotificationHandler = ({ method, params }) => {
      if (method === 'notifications/subscriptions/acknowledged') this.#acknowledge(params)
      return Promise.resolve()
    }
  }

  /** Asks and gives the result's value. Rejects when there is none, also when one of the signals fires. */
  async ask(
    method: string,
    params: Record<string, unknown>,
    signals: readonly (AbortSignal | undefined)[],
  ): Promise<Record<string, unknown>> {
    const { signal, release } = linkSignals(signals)
    const asked = this.#client.request({ method, params }, ResultSchema, { signal, timeout: noTimeoutMs })
    return (await asked.finally(release)) as Record<string, unknown>
  }

  /** Opens a subscription. */
  listen(params: Record<string, unknown>): OpenSubscription {
    const own = new AbortController()
    const watched = this.#transport.watch(params)
    const opening = { watched, acknowledge: (_uris: readonly string[]) => {} }
    const acknowledged = new Promise<readonly string[]>((resolve) => (opening.acknowledge = resolve))
    this.#opening.add(opening)
    const ended = this.ask('subscriptions/listen', params, [own.signal]).then(
      () => undefined,
      (): CallOutcome | undefined => (watched.answer?.kind === 'error' ? watched.answer : undefined),
    )
    void ended.then(() => this.#opening.delete(opening))
    return { acknowledged, ended, end: () => own.abort() }
  }

  #acknowledge(params: unknown): void {
    const id = member(member(params, '_meta'), subscriptionKey)
    const uris = member(member(params, 'notifications'), 'resourceSubscriptions')
    for (const { watched, acknowledge } of this.#opening)
      if (String(watched.id) === String(id))
        acknowledge(Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [])
  }

  /** Sends one request and gives its answer, or why there is none; never rejects. */
  exchange(method: string, members: Record<string, unknown>, options: CallOptions): Promise<CallOutcome | SessionGone> {
    const exchanged = this.#exchange(method, members, options).finally(() => this.#underWay.delete(exchanged))
    this.#underWay.add(exchanged)
    return exchanged
  }

  /** Resolves when every exchange has ended. */
  async whenIdle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  async #exchange(
    method: string,
    members: Record<string, unknown>,
    options: CallOptions,
  ): Promise<CallOutcome | SessionGone> {
    const { limit, onProgress } = options
    const token = `hubu-${++this.#nextToken}`
    const { progressToken: _theirs, ...meta } = options.meta ?? {}
    const params = {
      ...members,
      ...((onProgress !== undefined || Object.keys(meta).length > 0) && {
        _meta: { ...meta, ...(onProgress !== undefined && { progressToken: token }) },
      }),
    }
    if (onProgress !== undefined) this.#progress.set(token, onProgress)
    const watched = this.#transport.watch(params)
    const asked = this.ask(method, params, [options.signal, limit])
    try {
      // The SDK waits for ever when an answer has not quite the form of one.
      await Promise.race([asked, watched.answered])
    } catch {
      // What the server said, if it said anything, stands in `watched`.
    } finally {
      this.#progress.delete(token)
    }
    if (watched.answer !== undefined) return watched.answer
    if (watched.isTooLong) return { kind: 'unknown', why: 'too_long' }
    const isOver = limit?.aborted === true || isTimeOut(options.signal?.reason)
    const why = isOver ? 'timed_out' : options.signal?.aborted ? 'cancelled' : 'connection_lost'
    if (!watched.wasSent) return { kind: 'not_sent', why }
    const isTooLong = why === 'connection_lost' && this.#transport.broken?.isTooLong === true
    return { kind: 'unknown', why: isTooLong ? 'line_too_long' : why }
  }
}

/** A caller whose own time is over cancels nothing. */
const isTimeOut = (reason: unknown) => reason instanceof DOMException && reason.name === 'TimeoutError'
