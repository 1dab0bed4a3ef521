// Signs of life for calls that take long.
import type { Clock } from '../timing/clock.ts'

const intervalMs = 1000

/** Whose progress it is and where it goes. `token` is raw JSON text, so that the client gets back what it sent, digit for digit. */
export interface ProgressOptions {
  token: string
  clock: Pick<Clock, 'after'>
  /** Whether a notification should be left out this time. */
  isOutputFull(): boolean
  notify(method: string, paramsJson: string): void
}

/**
 * One call's progress notifications: one a second, beginning after the first, with a count of seconds that grows. As soon as
 * there is progress of somebody else to pass on, only that is told.
 */
export class Progress {
  readonly #options: ProgressOptions
  #message: string | undefined
  #ticks = 0
  #cancelTimer: (() => void) | undefined
  #isStopped = false

  constructor(options: ProgressOptions) {
    this.#options = options
    this.#wait()
  }

  /** The text of the next notifications; undefined keeps the last one. */
  say(message: string | undefined): void {
    if (message !== undefined) this.#message = message
  }

  /** Passes on what a mounted server reports, under the client's own token. */
  relay({ progressToken: _theirs, ...progress }: Record<string, unknown>): void {
    if (this.#isStopped) return
    this.#endTicks()
    if (this.#options.isOutputFull()) return
    const rest = JSON.stringify(progress).slice(1)
    this.#options.notify(
      'notifications/progress',
      `{"progressToken":${this.#options.token}${rest === '}' ? '' : ','}${rest}`,
    )
  }

  /** No notification from here on. */
  stop(): void {
    this.#isStopped = true
    this.#endTicks()
  }

  #endTicks(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  #wait(): void {
    this.#cancelTimer = this.#options.clock.after(intervalMs, () => {
      this.#ticks++
      this.#wait()
      if (!this.#options.isOutputFull()) this.#options.notify('notifications/progress', this.#params())
    })
  }

  #params(): string {
    const message = this.#message === undefined ? '' : `,"message":${JSON.stringify(this.#message)}`
    return `{"progressToken":${this.#options.token},"progress":${this.#ticks}${message}}`
  }
}
