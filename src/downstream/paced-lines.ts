import type { Clock } from '../timing/clock.ts'
import { Allowance } from './allowance.ts'

/** Where lines go, and what stops their source. */
export interface LineSink {
  /** Handles a line; gives for how many messages it counts, which is 0 for one that somebody had asked for. */
  handle(line: string): number
  /** Whether the source has to wait until `unblock` is called. */
  isBlocked(): boolean
  pause(): void
  resume(): void
  clock: Pick<Clock, 'after' | 'turn' | 'monotonicMs'>
}

/** After so many lines that nobody asked for everything else that is ready has its turn. */
const slice = 8

/** Hands lines on in order: answers at once, and what nobody asked for no faster than its allowance. */
export class PacedLines {
  readonly #sink: LineSink
  readonly #allowance: Allowance
  #lines: string[] = []
  #next = 0
  #unasked = 0
  #isRunning = false
  #isHurried = false
  /** Ends the wait for the allowance, and the one for what blocks the source. */
  #skip = () => {}
  #unblock = () => {}

  constructor(sink: LineSink) {
    this.#sink = sink
    this.#allowance = new Allowance(sink.clock)
  }

  push(lines: readonly string[]): void {
    this.#lines.push(...lines)
    if (!this.#isRunning) void this.#run()
  }

  /** The source has ended: what it wrote is bounded, and is handled without waiting. */
  hurry(): void {
    this.#isHurried = true
    this.#skip()
    this.#unblock()
  }

  /** What blocked the source is over. */
  unblock(): void {
    if (!this.#sink.isBlocked()) this.#unblock()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    let isPaused = false
    while (this.#next < this.#lines.length) {
      const line = this.#lines[this.#next++] ?? ''
      const counts = this.#sink.handle(line)
      const wait = counts === 0 ? undefined : this.#waitAfter(counts, line)
      if (wait === undefined) continue
      if (!isPaused) this.#sink.pause()
      isPaused = true
      await wait
    }
    this.#lines = []
    this.#next = 0
    this.#isRunning = false
    if (isPaused) this.#sink.resume()
  }

  #waitAfter(counts: number, { length }: string): Promise<void> | undefined {
    const waitMs = this.#allowance.spend(counts, length)
    const isTurnOver = ++this.#unasked % slice === 0
    if (this.#isHurried) return isTurnOver ? this.#sink.clock.turn() : undefined
    if (this.#sink.isBlocked()) return new Promise((resolve) => (this.#unblock = resolve))
    if (waitMs === 0) return isTurnOver ? this.#sink.clock.turn() : undefined
    return new Promise((resolve) => {
      const cancel = this.#sink.clock.after(waitMs, resolve)
      this.#skip = () => {
        cancel()
        resolve()
      }
    })
  }
}
