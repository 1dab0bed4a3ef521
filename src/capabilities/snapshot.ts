import { contractVersion, ownership, routingRevision, toolNames } from '#generated/ownership.js'
import type { CapabilitySnapshot } from '#generated/types/router.js'
import { reasonOf, type States } from './availability.ts'

/**
 * The object that `hubu_unified_capabilities` answers. `generatedAt` is when the newest report was applied.
 * Holds no endpoint, token, path or text of a backend but its versions. Pure.
 */
export function toSnapshot(states: States, generatedAt: Date): CapabilitySnapshot {
  return {
    contract_version: contractVersion,
    routing_revision: routingRevision,
    generated_at: generatedAt.toISOString(),
    backends: { hubu: states.hubu, gongbu: states.gongbu },
    operation_registry: states.registry,
    tools: [...toolNames].sort().map((name) => {
      const reason = reasonOf(name, states)
      return { name, owner: ownership[name].owner, available: reason === null, reason_code: reason }
    }),
  }
}
