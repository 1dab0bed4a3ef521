import type { Clock } from '../timing/clock.ts'

/** Changes of mounted servers: counted, so that what is made from them knows whether it is old, and passed on. */
export class MountChanges {
  #count = 0
  #pass = () => {}

  get count(): number {
    return this.#count
  }

  note(): void {
    this.#count++
    this.#pass()
  }

  /** From now on each change is passed on. */
  onEach(pass: () => void): void {
    this.#pass = pass
  }
}

/** Where the list comes from, and who is told of another one. */
export interface ListWatchOptions {
  clock: Pick<Clock, 'after'>
  /** Another text whenever `tools/list` answers differently. */
  fingerprint(): string
  /** Called whenever changes have come to rest. */
  onRest(): void
  /** `tools/list` answers differently now. */
  onChange(): void
}

/** Changes that come together are told together. */
const mergeMs = 10

/** Tells whether `tools/list` would answer otherwise than it did. */
export class ListWatch {
  readonly #options: ListWatchOptions
  #told = ''
  #cancel: (() => void) | undefined

  constructor(options: ListWatchOptions) {
    this.#options = options
  }

  /** Whether the list is another one than when this was asked last. */
  hasChanged(): boolean {
    const now = this.#options.fingerprint()
    const hasChanged = now !== this.#told
    this.#told = now
    return hasChanged
  }

  /** Something may have changed: the list is compared soon, and a change is told. */
  check(): void {
    this.#cancel ??= this.#options.clock.after(mergeMs, () => {
      this.#cancel = undefined
      this.#options.onRest()
      if (this.hasChanged()) this.#options.onChange()
    })
  }

  stop(): void {
    this.#cancel?.()
  }
}
