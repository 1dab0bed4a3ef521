import type { Clock } from './clock.ts'

/** One turn of the event loop is given to this much work. */
export const turnMs = 8

/** Shares the process: long work asks whether its turn is over, and counts only its own time. */
export class Pace {
  readonly #clock: Pick<Clock, 'monotonicMs' | 'turn'>
  #startedMs: number
  #spentMs = 0

  constructor(clock: Pick<Clock, 'monotonicMs' | 'turn'>) {
    this.#clock = clock
    this.#startedMs = clock.monotonicMs()
  }

  get isTurnOver(): boolean {
    return this.#clock.monotonicMs() - this.#startedMs > turnMs
  }

  /** Lets everything else run. Gives the time spent so far, without the turns of others. */
  async rest(): Promise<number> {
    this.#spentMs += this.#clock.monotonicMs() - this.#startedMs
    await this.#clock.turn()
    this.#startedMs = this.#clock.monotonicMs()
    return this.#spentMs
  }
}
