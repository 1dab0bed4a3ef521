import { isPart, parseAddress } from '../names/resource-address.ts'
import type { Clock } from '../timing/clock.ts'
import type { ListDigests, News, ServerLog, WatchedResource } from './news.ts'
import type { Caller } from './request.ts'

/** What the hub tells of, and how resources are watched. */
export interface NewsSources {
  digests(caller: Caller): ListDigests
  /** Begins to watch a resource for a caller; rejects where it cannot be watched. Absent: none can. */
  subscribe?(uri: string, caller: Caller, signal: AbortSignal): Promise<unknown>
  /** Whether a caller may see what a mounted server says. Absent: nobody. */
  sees?(caller: Caller, server: string): boolean
  /** Watches it no more; a fault costs nothing but what is told in vain. */
  unsubscribe?(uri: string): Promise<unknown>
  clock: Pick<Clock, 'after'>
}

/** Changes that come together are told together. */
const mergeMs = 10

type OnUpdated = (uri: string) => void

/** Passes changes on to everybody who listens; each resource is watched once, however many listen. */
export class NewsHub implements News {
  readonly #sources: NewsSources
  readonly #listeners = new Set<() => void>()
  readonly #watchers = new Map<string, Set<OnUpdated>>()
  readonly #logListeners = new Set<(message: ServerLog) => void>()
  #isDue = false

  constructor(sources: NewsSources) {
    this.#sources = sources
  }

  digests(caller: Caller): ListDigests {
    return this.#sources.digests(caller)
  }

  /** Some list may be another one now. */
  changed(): void {
    if (this.#isDue || this.#listeners.size === 0) return
    this.#isDue = true
    this.#sources.clock.after(mergeMs, () => {
      this.#isDue = false
      for (const listener of this.#listeners) listener()
    })
  }

  /** A resource, or something that is a part of one, is another one now. Says whether anybody was told. */
  updated(uri: string): boolean {
    const exact = this.#watchers.get(uri)
    const heard = exact ?? [...this.#watchers].flatMap(([whole, all]) => (isPartOf(uri, whole) ? [...all] : []))
    for (const tell of heard) tell(uri)
    return [...heard].length > 0
  }

  /** A mounted server logged something that belongs to no single call. Says whether somebody listens to such. */
  logged(message: ServerLog): boolean {
    for (const listener of this.#logListeners) listener(message)
    return this.#logListeners.size > 0
  }

  onLog(caller: Caller, listener: (params: object) => void): () => void {
    const hear = ({ server, params, principal }: ServerLog) => {
      const isTheirs = principal === undefined || principal === caller.principal
      if (isTheirs && this.#sources.sees?.(caller, server) === true) listener(params)
    }
    this.#logListeners.add(hear)
    return () => void this.#logListeners.delete(hear)
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async watch(uri: string, { caller, signal, onUpdated }: Parameters<News['watch']>[1]): Promise<WatchedResource> {
    // A function of its own, because two may pass the same one.
    const tell: OnUpdated = (changed) => onUpdated(changed)
    const watchers = this.#watchers.get(uri) ?? new Set()
    this.#watchers.set(uri, watchers.add(tell))
    const end = () => {
      watchers.delete(tell)
      if (watchers.size > 0 || this.#watchers.get(uri) !== watchers) return
      this.#watchers.delete(uri)
      this.#sources.unsubscribe?.(uri).catch(() => {})
    }
    try {
      if (this.#sources.subscribe === undefined) throw new Error('nothing can be watched here')
      await this.#sources.subscribe(uri, caller, signal)
      return { end }
    } catch (error) {
      watchers.delete(tell)
      if (watchers.size === 0) this.#watchers.delete(uri)
      throw error
    }
  }
}

/** Whether the resource of one address is a part of that of the other: the server's own addresses say that, and ours hide their borders. */
function isPartOf(address: string, wholeAddress: string): boolean {
  const [part, whole] = [parseAddress(address), parseAddress(wholeAddress)]
  if (part === undefined || whole === undefined) return part === whole && isPart(address, wholeAddress)
  return part.server === whole.server && isPart(part.uri, whole.uri)
}
