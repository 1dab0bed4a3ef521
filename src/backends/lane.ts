// How many requests of one kind are with a backend at a time. A backend may handle them one after the other: then each
// further one waits in the backend, where its time-out runs, instead of here, where none does.
import type { Clock } from '../timing/clock.ts'
import type { HttpOutcome } from './exchange.ts'

/** The bounds of a lane. */
export interface LaneLimits {
  /** So many are sent at once to a backend of which nothing is known. */
  readonly first: number
  /** Never more than so many, however quick the answers are. */
  readonly most: number
  /** How long an answer may take before it counts as lost. */
  readonly totalTimeoutMs: number
  /** Who has waited so long is told that nothing was sent. */
  readonly maxWaitMs: number
}

type Turn = { readonly kind: 'go' } | Extract<HttpOutcome, { kind: 'cancelled' | 'not_connected' }>

/** An answer within this part of the time-out shows that the backend can take more at once; */
const quickPart = 1 / 12
/** one that took more than this part, that it has too many; */
const slowPart = 1 / 4
/** below the first limit, where lost answers led, one within this part is reason enough to go back up. */
const tolerablePart = 1 / 2

/**
 * Lets requests through in order, a bounded number at a time. The bound grows while answers come quickly although it is
 * reached, falls when they become slow, and is halved when one is lost.
 */
export class Lane {
  readonly #limits: LaneLimits
  readonly #clock: Pick<Clock, 'monotonicMs' | 'after'>
  #limit: number
  #inFlight = 0
  #isClosed = false
  /** Requests sent before the last fall tell of the bound before it. */
  #fellAtMs = Number.NEGATIVE_INFINITY
  /** Who waits, in order; each is called with its turn. */
  readonly #waiting = new Set<(turn: Turn) => void>()

  constructor(limits: LaneLimits, clock: Pick<Clock, 'monotonicMs' | 'after'>) {
    this.#limits = limits
    this.#clock = clock
    this.#limit = limits.first
  }

  /**
   * Sends when it is this request's turn, and answers what became of it: `cancelled` when the signal came first,
   * `not_connected` when it waited too long or the lane was closed, since nothing was sent.
   */
  async pass(send: () => Promise<HttpOutcome>, signal?: AbortSignal): Promise<HttpOutcome> {
    const turn = this.#inFlight < this.#limit ? undefined : await this.#turn(signal)
    // Whoever gave a waiting request its turn has counted it already.
    if (turn === undefined) this.#inFlight++
    else if (turn.kind !== 'go') return turn
    const isFull = this.#inFlight >= this.#limit
    const sentAtMs = this.#clock.monotonicMs()
    try {
      const outcome = await send()
      this.#learn(outcome, sentAtMs, isFull)
      return outcome
    } finally {
      this.#inFlight--
      this.#next()
    }
  }

  /** Everybody who waits is told that nothing was sent. */
  close(): void {
    this.#isClosed = true
    for (const wake of this.#waiting) wake(notSent('the connections are closed'))
  }

  #turn(signal: AbortSignal | undefined): Promise<Turn> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve({ kind: 'cancelled' })
      if (this.#isClosed) return resolve(notSent('the connections are closed'))
      const wake = (turn: Turn) => {
        this.#waiting.delete(wake)
        cancelTimer()
        signal?.removeEventListener('abort', cancel)
        resolve(turn)
      }
      const cancel = () => wake({ kind: 'cancelled' })
      const { maxWaitMs } = this.#limits
      const cancelTimer = this.#clock.after(maxWaitMs, () => wake(notSent(`not sent within ${maxWaitMs} ms`)))
      signal?.addEventListener('abort', cancel, { once: true })
      this.#waiting.add(wake)
    })
  }

  #next(): void {
    for (const wake of this.#waiting) {
      if (this.#inFlight >= this.#limit) return
      this.#inFlight++
      wake({ kind: 'go' })
    }
  }

  #learn({ kind }: HttpOutcome, sentAtMs: number, wasFull: boolean): void {
    const { first, most, totalTimeoutMs } = this.#limits
    const tookMs = this.#clock.monotonicMs() - sentAtMs
    if (kind === 'no_answer' || kind === 'cut') {
      // One that broke at once was not lost in a backlog.
      if (tookMs > totalTimeoutMs * slowPart) this.#fall(sentAtMs, Math.max(1, Math.floor(this.#limit / 2)))
    } else if (kind !== 'answer' && kind !== 'too_large') return
    else if (this.#limit < first) this.#limit += tookMs <= totalTimeoutMs * tolerablePart ? 1 : 0
    else if (tookMs > totalTimeoutMs * slowPart) this.#fall(sentAtMs, Math.max(first, Math.floor(this.#limit / 2)))
    else if (wasFull && tookMs <= totalTimeoutMs * quickPart) this.#limit = Math.min(most, this.#limit + 1)
  }

  #fall(sentAtMs: number, limit: number): void {
    if (sentAtMs <= this.#fellAtMs) return
    this.#fellAtMs = this.#clock.monotonicMs()
    this.#limit = limit
  }
}

function notSent(why: string): Turn {
  return Object.defineProperty({ kind: 'not_connected' } as const, 'cause', {
    value: new Error(why),
    enumerable: false,
  })
}
