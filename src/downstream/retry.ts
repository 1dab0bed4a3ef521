import type { Clock } from '../timing/clock.ts'

const firstDelayMs = 1000
const longestDelayMs = 60_000

/** The next attempt at a connection: from a second to a minute later, longer after each that failed. */
export class Retry {
  readonly #clock: Pick<Clock, 'after'>
  readonly #random: () => number
  #delayMs = firstDelayMs
  #cancel = () => {}

  /** `random` gives numbers in [0, 1): each wait is spread by a fifth, so that several routers do not knock together. */
  constructor(clock: Pick<Clock, 'after'>, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  later(attempt: () => void): void {
    this.#cancel = this.#clock.after(this.#delayMs * (0.8 + 0.4 * this.#random()), attempt)
    this.#delayMs = Math.min(this.#delayMs * 2, longestDelayMs)
  }

  cancel(): void {
    this.#cancel()
  }

  /** An attempt was successful. */
  succeeded(): void {
    this.#delayMs = firstDelayMs
  }
}
