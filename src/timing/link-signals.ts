/**
 * A signal of its own that fires with the first of the given ones. Unlike AbortSignal.any, under which Node 20 collects a time-out
 * that then never comes, it keeps them alive, and unlike the SDK, which never stops listening, it can be released: nothing
 * listens to the given ones then.
 */
export function linkSignals(given: readonly (AbortSignal | undefined)[]): { signal: AbortSignal; release(): void } {
  const signals = given.filter((signal) => signal !== undefined)
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
