import type { Offer } from './offer.ts'

const nothing: Offer = { tools: [], resources: [], resourceTemplates: [], prompts: [], notes: [] }

/** Where a new offer is read, and who hears of it. */
export interface OfferSource {
  /** Undefined when it cannot be had now. */
  read(): Promise<Offer | undefined>
  onChange(): void
}

/** What a server offered last, read again whenever it says that something has changed. */
export class OfferKeeper {
  readonly #source: OfferSource
  #offer: Offer
  #state: 'idle' | 'reading' | 'stale' = 'idle'

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

  /** At most one reading runs; what is announced meanwhile causes exactly one more. */
  async refresh(): Promise<void> {
    if (this.#state !== 'idle') {
      this.#state = 'stale'
      return
    }
    do {
      this.#state = 'reading'
      const offer = await this.#source.read()
      if (offer === undefined) continue
      this.#offer = offer
      this.#source.onChange()
    } while (this.#isStale())
    this.#state = 'idle'
  }

  #isStale(): boolean {
    return this.#state === 'stale'
  }
}
