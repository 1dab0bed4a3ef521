import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../timing/clock.ts'
import type { Offer } from './offer.ts'

const nothing: Offer = { tools: [], resources: [], resourceTemplates: [], prompts: [], notes: [] }

/** A server that announces changes again and again is read at most so often, and less often the longer it goes on. */
const shortestRestMs = 2000
const longestRestMs = 60_000

/** Where a new offer is read, and who hears of it. */
export interface OfferSource {
  /** Undefined when it cannot be had now. */
  read(): Promise<Offer | undefined>
  /** Another offer has been read; an equal one is not told. */
  onChange(): void
  clock: Pick<Clock, 'after' | 'monotonicMs'>
}

/** What a server offered last, read again when it says that something has changed. */
export class OfferKeeper {
  readonly #source: OfferSource
  #offer: Offer
  #state: 'idle' | 'reading' | 'stale' = 'idle'
  #restMs = shortestRestMs
  #readAtMs = Number.NEGATIVE_INFINITY

  constructor(source: OfferSource, first: Offer = nothing) {
    this.#source = source
    this.#offer = first
  }

  get offer(): Offer {
    return this.#offer
  }

  /** A connection came with this offer. */
  replace(offer: Offer): void {
    this.#offer = offer
  }

  /** At most one reading runs or waits for its time; whatever is announced until it has begun is in it. */
  refresh(): void {
    if (this.#state !== 'idle') {
      this.#state = 'stale'
      return
    }
    const { clock } = this.#source
    this.#state = 'reading'
    const quietMs = clock.monotonicMs() - this.#readAtMs
    if (quietMs >= 2 * this.#restMs) this.#restMs = shortestRestMs
    const read = () => void this.#read()
    if (quietMs >= this.#restMs) return read()
    clock.after(this.#restMs - quietMs, read)
    this.#restMs = Math.min(this.#restMs * 2, longestRestMs)
  }

  async #read(): Promise<void> {
    this.#state = 'reading'
    const offer = await this.#source.read()
    this.#readAtMs = this.#source.clock.monotonicMs()
    if (offer !== undefined && !isDeepStrictEqual(offer, this.#offer)) {
      this.#offer = offer
      this.#source.onChange()
    }
    const isStale = this.#isStale()
    this.#state = 'idle'
    if (isStale) this.refresh()
  }

  #isStale(): boolean {
    return this.#state === 'stale'
  }
}
