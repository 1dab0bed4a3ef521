/** The requests of sessions that are under way in this process, so that their client can take them back. */
export class SessionCalls {
  /** By session, and there by the raw text of their ids. */
  readonly #calls = new Map<string, Map<string, Set<AbortController>>>()

  /** A request begins; the signal fires when its client takes it back. The result's `end` says that it is over. */
  begin(session: string, rawId: string): { cancelled: AbortSignal; end(): void } {
    const own = this.#calls.get(session) ?? new Map<string, Set<AbortController>>()
    this.#calls.set(session, own)
    const same = own.get(rawId) ?? new Set<AbortController>()
    own.set(rawId, same)
    const call = new AbortController()
    same.add(call)
    return {
      cancelled: call.signal,
      end: () => {
        same.delete(call)
        if (same.size === 0 && own.get(rawId) === same) own.delete(rawId)
        if (own.size === 0 && this.#calls.get(session) === own) this.#calls.delete(session)
      },
    }
  }

  /** Takes back what is under way under this id in this session. */
  cancel(session: string, rawId: string): void {
    for (const call of this.#calls.get(session)?.get(rawId) ?? []) call.abort()
  }
}
