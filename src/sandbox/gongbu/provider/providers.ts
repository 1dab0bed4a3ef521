// The providers that targets can be bound to.
import type { ProviderBehaviour } from '../admission/targets.ts'
import type { After } from '../settings.ts'
import { withProviderFaults, type ProviderFaults } from './faults.ts'
import { createFixtureProvider } from './fixture.ts'
import { checkImageInput } from './input-check.ts'
import { createAmbiguousProvider, createHangingProvider } from './unanswered.ts'
import type { Provider } from './provider.ts'
import { createScriptedProvider } from './scripted.ts'

/** Creates all of them; `faults` touch the fixture only. */
export function createProviders(options: {
  delayMs: number
  faults: ProviderFaults
  after: After
}): Record<ProviderBehaviour, Provider> {
  const preflight: Provider['preflight'] = ({ input, inputSchemaVersion }) => checkImageInput(input, inputSchemaVersion)
  return {
    fixture: withProviderFaults(createFixtureProvider(options), options.faults),
    scripted: createScriptedProvider(),
    ambiguous: createAmbiguousProvider(preflight),
    hanging: createHangingProvider(preflight),
  }
}
