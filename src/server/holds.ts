import type { Clock } from '../timing/clock.ts'

/** Reasons to begin nothing, each for a while; the first one is that nobody is there yet who would answer. */
export class Holds {
  readonly #clock: Pick<Clock, 'after'>
  readonly #onFree: () => void
  #count = 1

  constructor(clock: Pick<Clock, 'after'>, onFree: () => void) {
    this.#clock = clock
    this.#onFree = onFree
  }

  get isFree(): boolean {
    return this.#count === 0
  }

  /** The first reason is gone. */
  begin(): void {
    this.#count--
    this.#onFree()
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
