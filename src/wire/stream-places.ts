// How many subscriptions and streams are open at once: what is held open for a caller costs memory for as long as it likes.
const mostOfOneCaller = 16
const mostOfAll = 1024

/** Places for what is held open. */
export class StreamPlaces {
  readonly #perCaller: number
  readonly #taken = new Map<string, number>()
  #all = 0

  constructor(perCaller: number = mostOfOneCaller) {
    this.#perCaller = perCaller
  }

  /** Gives what frees the place again, once; undefined when there is none left. */
  take(principal: string): (() => void) | undefined {
    const own = this.#taken.get(principal) ?? 0
    if (own >= this.#perCaller || this.#all >= mostOfAll) return undefined
    this.#taken.set(principal, own + 1)
    this.#all++
    let isFreed = false
    return () => {
      if (isFreed) return
      isFreed = true
      this.#all--
      const left = (this.#taken.get(principal) ?? 1) - 1
      if (left === 0) this.#taken.delete(principal)
      else this.#taken.set(principal, left)
    }
  }
}
