import type { Readable } from 'node:stream'
import type { Clock } from '../timing/clock.ts'
import { FullPause } from './full-pause.ts'

/** How much may wait before reading pauses. */
export interface InputLimits {
  waitingFrames: number
  waitingBytes: number
}

/** Reads on or pauses, by what waits and whether the output is full. */
export class InputFlow {
  readonly #stdin: Readable
  readonly #limits: InputLimits
  readonly #fullPause: FullPause
  #isPaused = false

  /** `onOver`: the pause for a full output is over, so it has to be balanced again. */
  constructor(stdin: Readable, limits: InputLimits, clock: Pick<Clock, 'after'>, onOver: () => void) {
    this.#stdin = stdin
    this.#limits = limits
    this.#fullPause = new FullPause(clock, onOver)
  }

  balance(isFull: boolean, waiting: { size: number; bytes: number }): void {
    const { waitingFrames, waitingBytes } = this.#limits
    const isBehind = this.#fullPause.pauses(isFull) || waiting.size > waitingFrames || waiting.bytes > waitingBytes
    if (isBehind === this.#isPaused) return
    this.#isPaused = isBehind
    if (isBehind) this.#stdin.pause()
    else this.#stdin.resume()
  }

  /** Leaves no timer. */
  end(): void {
    this.#fullPause.end()
  }
}
