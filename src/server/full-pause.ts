import type { Clock } from '../timing/clock.ts'

const pauseMs = 1000

/**
 * Whether reading pauses for an output that is full: for a second, so that a client that reads late is held back. One that never
 * reads would never be seen to end either, so what it writes is read from then on, and waits.
 */
export class FullPause {
  readonly #clock: Pick<Clock, 'after'>
  readonly #onOver: () => void
  #cancel: (() => void) | undefined
  #isOver = false

  constructor(clock: Pick<Clock, 'after'>, onOver: () => void) {
    this.#clock = clock
    this.#onOver = onOver
  }

  /** Told how the output is now. */
  pauses(isFull: boolean): boolean {
    if (!isFull) this.end()
    else
      this.#cancel ??= this.#clock.after(pauseMs, () => {
        this.#isOver = true
        this.#onOver()
      })
    return isFull && !this.#isOver
  }

  /** Leaves no timer. */
  end(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#isOver = false
  }
}
