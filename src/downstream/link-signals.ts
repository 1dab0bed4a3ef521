/**
 * A signal of its own that fires with the first of the given ones. Unlike AbortSignal.any it keeps a time-out among them alive,
 * and unlike the SDK, which never stops listening, it can be released: nothing listens to the given ones then.
 */
export function linkSignals(signals: readonly AbortSignal[]): { signal: AbortSignal; release(): void } {
  const linked = new AbortController()
  const fire = ({ target }: { target: unknown }) => linked.abort((target as AbortSignal).reason)
  for (const signal of signals) {
    if (signal.aborted) fire({ target: signal })
    signal.addEventListener('abort', fire, { once: true })
  }
  return {
    signal: linked.signal,
    release: () => {
      for (const signal of signals) signal.removeEventListener('abort', fire)
    },
  }
}
