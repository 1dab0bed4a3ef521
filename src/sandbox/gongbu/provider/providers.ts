// The providers that targets can be bound to.
import type { ProviderBehaviour } from '../admission/targets.ts'
import type { BehaviourOf } from '../behaviour/behaviour.ts'
import { withBehaviours, withProviderFaults, type ProviderFaults } from './faults.ts'
import { createFixtureProvider, type FixtureOptions } from './fixture.ts'
import { checkImageInput } from './input-check.ts'
import { createAmbiguousProvider, createHangingProvider } from './unanswered.ts'
import type { Provider } from './provider.ts'
import { createScriptedProvider } from './scripted.ts'

/** Creates all of them; `faults` touch the fixture only, what single executions are made to do touches all. */
export function createProviders(
  options: FixtureOptions & { faults: ProviderFaults; behaviourOf: BehaviourOf },
): Record<ProviderBehaviour, Provider> {
  const preflight: Provider['preflight'] = ({ input, inputSchemaVersion }) => checkImageInput(input, inputSchemaVersion)
  const behaving = (provider: Provider) => withBehaviours(provider, options.behaviourOf, options.after)
  return {
    fixture: behaving(withProviderFaults(createFixtureProvider(options), options.faults)),
    scripted: behaving(createScriptedProvider()),
    ambiguous: behaving(createAmbiguousProvider(preflight)),
    hanging: behaving(createHangingProvider(preflight)),
  }
}
