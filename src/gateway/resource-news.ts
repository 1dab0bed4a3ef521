import type { Clock } from '../timing/clock.ts'

/** So often at most the client is told of one resource. */
const restMs = 100
/** Of so many resources at once; parts of what it watches may be many. */
const mostResources = 1000

/** Where the news go. */
export interface ResourceNewsOptions {
  clock: Pick<Clock, 'after'>
  /** Tells the client; false when it should be told again later. */
  tell(uri: string): boolean
}

/** What is told of changed resources: each change at once, those that follow together, and the last one always. */
export class ResourceNews {
  readonly #options: ResourceNewsOptions
  /** Resources that were told of just now, and whether they have changed again. */
  readonly #recent = new Map<string, boolean>()

  constructor(options: ResourceNewsOptions) {
    this.#options = options
  }

  changed(uri: string): void {
    if (this.#recent.has(uri)) this.#recent.set(uri, true)
    else if (this.#recent.size < mostResources) this.#tell(uri)
  }

  #tell(uri: string): void {
    const { clock, tell } = this.#options
    this.#recent.set(uri, !tell(uri))
    clock.after(restMs, () => {
      const hasChanged = this.#recent.get(uri) === true
      this.#recent.delete(uri)
      if (hasChanged) this.#tell(uri)
    })
  }
}
