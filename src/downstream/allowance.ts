import type { Clock } from '../timing/clock.ts'

/** So many messages may come at once, and so many each millisecond after that. */
const burst = 1000
const perMs = 0.5
/** A message of so many bytes counts as one more. */
const bytesOfOne = 5000
/** A shorter wait is not worth a timer. */
const shortestWaitMs = 10

/**
 * How much a server may send without having been asked: whoever reads it waits as long as it is told to, so that one server that
 * floods us leaves the process to everybody else.
 */
export class Allowance {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  #level = 0
  #atMs: number

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
    this.#atMs = clock.monotonicMs()
  }

  /** Counts `messages` of so many bytes together. Gives how long nothing more should be read, in milliseconds. */
  spend(messages: number, bytes: number): number {
    const nowMs = this.#clock.monotonicMs()
    this.#level = Math.max(0, this.#level - (nowMs - this.#atMs) * perMs) + messages + bytes / bytesOfOne
    this.#atMs = nowMs
    const over = this.#level - burst
    return over <= 0 ? 0 : Math.max(shortestWaitMs, over / perMs)
  }
}
