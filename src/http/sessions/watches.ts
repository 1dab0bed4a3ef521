// The resources that one session watches in this process.
import { invalidParams } from '../../answers/refusals.ts'
import type { WatchedResource } from '../../wire/news.ts'
import type { KeptWatches } from '../../wire/request.ts'

const mostUris = 1000

/** Each resource is watched once, however often it is subscribed to. */
export class Watches implements KeptWatches {
  readonly #watched = new Map<string, Promise<WatchedResource>>()
  readonly #onUpdated: (uri: string) => void

  constructor(onUpdated: (uri: string) => void) {
    this.#onUpdated = onUpdated
  }

  /** Rejects as `watch` does, and with `params_invalid` when there are too many. */
  async add(uri: string, watch: (onUpdated: (uri: string) => void) => Promise<WatchedResource>): Promise<void> {
    const known = this.#watched.get(uri)
    if (known !== undefined) return void (await known)
    if (this.#watched.size >= mostUris) throw invalidParams(`a session may watch ${mostUris} resources at most`)
    const begun = watch(this.#onUpdated)
    this.#watched.set(uri, begun)
    try {
      await begun
    } catch (error) {
      if (this.#watched.get(uri) === begun) this.#watched.delete(uri)
      throw error
    }
  }

  remove(uri: string): void {
    const known = this.#watched.get(uri)
    this.#watched.delete(uri)
    known?.then((watched) => watched.end()).catch(() => {})
  }

  /** Nothing is watched any more. */
  end(): void {
    for (const uri of [...this.#watched.keys()]) this.remove(uri)
  }
}
