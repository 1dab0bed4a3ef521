import { contractVersion, ownership, routingRevision, toolNames } from '#generated/ownership.js'
import type { CapabilitySnapshot } from '#generated/types/router.js'
import { reasonOf, type States } from './availability.ts'

/**
 * The object that `hubu_unified_capabilities` answers. `generatedAt` is when the newest report was applied.
 * Who names spends stands in it where it is not the harness. Holds no endpoint, token, path or text of a backend but its versions. Pure.
 */
export function toSnapshot(
  states: States,
  generatedAt: Date,
  spendIdentity: NonNullable<CapabilitySnapshot['spend_identity']> = 'harness',
): CapabilitySnapshot {
  return {
    contract_version: contractVersion,
    routing_revision: routingRevision,
    generated_at: generatedAt.toISOString(),
    backends: { hubu: states.hubu, gongbu: states.gongbu },
    operation_registry: states.registry,
    ...(spendIdentity !== 'harness' && { spend_identity: spendIdentity }),
    tools: [...toolNames].sort().map((name) => {
      const reason = reasonOf(name, states)
      return { name, owner: ownership[name].owner, available: reason === null, reason_code: reason }
    }),
  }
}
