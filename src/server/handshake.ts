// When the client counts as initialized.
import type { AnswerKind } from './stdio-transport.ts'

/**
 * Follows `initialize` and `notifications/initialized`. The notification counts when it stands behind an `initialize` that
 * was answered with success; one that arrives while that answer is being made counts as soon as it is written.
 */
export class Handshake {
  readonly #onInitialized: () => void
  readonly #pending = new Set<number>()
  #hasAnswered = false
  #isAnnounced = false
  #isInitialized = false

  /** `onInitialized` is called once. */
  constructor(onInitialized: () => void) {
    this.#onInitialized = onInitialized
  }

  get isInitialized(): boolean {
    return this.#isInitialized
  }

  /** An `initialize` request was begun. */
  begin(requestId: number): void {
    this.#pending.add(requestId)
  }

  /** Some request's response was queued for writing. */
  answered(requestId: number, kind: AnswerKind): void {
    if (!this.#pending.delete(requestId)) return
    if (kind === 'result') this.#hasAnswered = true
    else if (this.#pending.size === 0) this.#isAnnounced = false
    this.#complete()
  }

  /** A `notifications/initialized` line came; an early one is forgotten. */
  announce(): void {
    if (this.#hasAnswered || this.#pending.size > 0) this.#isAnnounced = true
    this.#complete()
  }

  #complete(): void {
    if (this.#isInitialized || !this.#isAnnounced || !this.#hasAnswered) return
    this.#isInitialized = true
    this.#onInitialized()
  }
}
