import type { Waiting } from './results-file.ts'

/** One turn of the event loop is given to this much work. */
export const turnMs = 8

/** Shares the process: long work asks whether its turn is over, and counts only its own time. */
export class Pace {
  readonly #waiting: Pick<Waiting, 'monotonicMs' | 'turn'>
  #startedMs: number
  #spentMs = 0

  constructor(waiting: Pick<Waiting, 'monotonicMs' | 'turn'>) {
    this.#waiting = waiting
    this.#startedMs = waiting.monotonicMs()
  }

  get isTurnOver(): boolean {
    return this.#waiting.monotonicMs() - this.#startedMs > turnMs
  }

  /** Lets everything else run. Gives the time spent so far, without the turns of others. */
  async rest(): Promise<number> {
    this.#spentMs += this.#waiting.monotonicMs() - this.#startedMs
    await this.#waiting.turn()
    this.#startedMs = this.#waiting.monotonicMs()
    return this.#spentMs
  }
}
