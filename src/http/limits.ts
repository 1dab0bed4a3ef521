// How much one caller, and all of them together, may have under way.

/** A place that was taken. Called once or more often, it is given back once. */
export type Release = () => void

/** Places that are counted by principal and in all. */
export class Places {
  readonly #perPrincipal: number
  readonly #inAll: number
  readonly #taken = new Map<string, number>()
  #count = 0

  constructor(perPrincipal: number, inAll: number) {
    this.#perPrincipal = perPrincipal
    this.#inAll = inAll
  }

  /** How many are taken. */
  get count(): number {
    return this.#count
  }

  /** Takes a place, or says which limit is in the way. */
  take(principal: string): Release | 'principal' | 'process' {
    const own = this.#taken.get(principal) ?? 0
    if (own >= this.#perPrincipal) return 'principal'
    if (this.#count >= this.#inAll) return 'process'
    this.#taken.set(principal, own + 1)
    this.#count++
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#count--
      const left = this.#taken.get(principal)! - 1
      if (left === 0) this.#taken.delete(principal)
      else this.#taken.set(principal, left)
    }
  }
}
