/** So many values by key; the one that was used least recently goes first. */
export class RecentValues<Value> {
  readonly #most: number
  readonly #entries = new Map<string, { value: Value; untilMs: number }>()

  constructor(most: number) {
    this.#most = most
  }

  /** Undefined for what was never kept, has gone, or is over. */
  get(key: string, nowMs: number): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    if (nowMs >= entry.untilMs) return undefined
    this.#entries.set(key, entry)
    return entry.value
  }

  keep(key: string, value: Value, untilMs: number): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, untilMs })
    if (this.#entries.size <= this.#most) return
    const [oldest] = this.#entries.keys()
    this.#entries.delete(oldest!)
  }
}
