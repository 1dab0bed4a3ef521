import type { Clock } from '../timing/clock.ts'

/** Reasons to begin nothing, each for a while. */
export class Holds {
  readonly #clock: Pick<Clock, 'after'>
  readonly #onFree: () => void
  #count = 0

  constructor(clock: Pick<Clock, 'after'>, onFree: () => void) {
    this.#clock = clock
    this.#onFree = onFree
  }

  get isFree(): boolean {
    return this.#count === 0
  }

  /** Holds until `until` settles, but for at most `maxMs`. */
  add(until: Promise<unknown>, maxMs: number): void {
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      cancelTimer()
      this.#count--
      this.#onFree()
    }
    this.#count++
    const cancelTimer = this.#clock.after(maxMs, release)
    until.then(release, release)
  }
}
