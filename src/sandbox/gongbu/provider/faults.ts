// Failure injection on the provider's side.
import type { BehaviourOf } from '../behaviour/behaviour.ts'
import { pauseFor, type After } from '../timing/timer.ts'
import type { Provider, ProviderResult } from './provider.ts'
import { never } from './unanswered.ts'

/** What the provider is made to do. `scenario` and `execution` exclude each other. */
export interface ProviderFaults {
  scenario?: 'success' | 'proven_rejection' | 'timeout_ambiguous' | 'malformed_response'
  execution?: 'none' | 'proven_before_mutation' | 'commit_then_disconnect'
}

const rejected: ProviderResult = { kind: 'failed', code: 'mock_provider_rejected' }
const unclear: ProviderResult = { kind: 'ambiguous', code: 'mock_provider_delivery_ambiguous' }
const malformed: ProviderResult = { kind: 'ambiguous', code: 'mock_provider_malformed_response' }

/** The provider with faults; without any it is the provider itself. */
export function withProviderFaults(provider: Provider, faults: ProviderFaults): Provider {
  const forced = forcedResult(faults)
  if (forced === undefined) return provider
  return {
    preflight: (work) => provider.preflight(work),
    async invoke(work, signal) {
      // A lost answer is lost after the work was done.
      if (faults.execution === 'commit_then_disconnect') await provider.invoke(work, signal)
      return forced
    },
  }
}

function forcedResult({ scenario = 'success', execution = 'none' }: ProviderFaults): ProviderResult | undefined {
  if (scenario === 'proven_rejection' || execution === 'proven_before_mutation') return rejected
  if (scenario === 'timeout_ambiguous' || execution === 'commit_then_disconnect') return unclear
  return scenario === 'malformed_response' ? malformed : undefined
}

/** The provider with what single executions are made to do. */
export function withBehaviours(provider: Provider, behaviourOf: BehaviourOf, after: After): Provider {
  return {
    preflight: (work) => provider.preflight(work),
    async invoke(work, signal) {
      const { slowMs = 0, provider: outcome } = behaviourOf(work)
      await pauseFor(slowMs, after, signal)
      switch (outcome) {
        case undefined:
          return provider.invoke(work, signal)
        case 'rejected':
          return rejected
        case 'reconciliation':
          await provider.invoke(work, signal)
          return unclear
        case 'malformed':
          return malformed
        case 'hang':
          return never(signal)
      }
    },
  }
}
