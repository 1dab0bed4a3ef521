import type { Provider, ProviderResult } from './provider.ts'

/** An answer that never comes; it only rejects when nobody waits any more. */
export function never(signal: AbortSignal): Promise<ProviderResult> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('nobody waits for the provider any more')))
  })
}

/** A provider that takes the work and never answers. */
export function createHangingProvider(preflight: Provider['preflight']): Provider {
  return { preflight, invoke: (_, signal) => never(signal) }
}

/** A provider that cannot be reached, so that nobody knows what became of the work. */
export function createAmbiguousProvider(preflight: Provider['preflight']): Provider {
  return { preflight, invoke: () => Promise.resolve({ kind: 'ambiguous', code: 'timeout_unknown_outcome' }) }
}
