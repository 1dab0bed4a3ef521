// Stored settlements.
import { RawJson } from '../json/write.ts'
import type { Rows } from '../rows.ts'
import { writeInstant, type Instant } from '../time/instant.ts'
import { sameSnapshot, type Receipt } from './receipt.ts'

/** The settlement of a claim. */
export interface Settlement {
  id: string
  claim_id: string
  authorized_max_cents: bigint
  cost_amount: bigint
  cost_scale: bigint
  charge_cents: bigint
  released_cents: bigint
  overrun_cents: bigint
  provider_request_id: string
  price_model_snapshot: string
  artifact_reference: string
  created_at: Instant
}

/** The settlement of a claim, if it was settled. */
export function settlementOfClaim(rows: Rows, claimId: string): Settlement | undefined {
  return rows.get<Settlement>('select * from settlements where claim_id = ?', claimId)
}

/** Whether a receipt says what a settlement stored. An equal cost at another scale is different. */
export function sameReceipt(settlement: Settlement, receipt: Receipt): boolean {
  return (
    settlement.cost_amount === receipt.costAmount &&
    settlement.cost_scale === receipt.costScale &&
    settlement.provider_request_id === receipt.providerRequestId &&
    settlement.artifact_reference === receipt.artifactReference &&
    sameSnapshot(settlement.price_model_snapshot, receipt.priceModelSnapshot)
  )
}

/** A settlement's receipt as clients see it. */
export function receiptJson(settlement: Settlement) {
  return {
    authorized_max_cents: settlement.authorized_max_cents,
    actual_vendor_cost: { amount: settlement.cost_amount, scale: settlement.cost_scale, currency: 'usd' },
    budget_charge_cents: settlement.charge_cents,
    actual_vendor_cost_cents: settlement.charge_cents,
    released_amount_cents: settlement.released_cents,
    overrun_amount_cents: settlement.overrun_cents,
    currency: 'usd',
    provider_request_id: settlement.provider_request_id,
    price_model_snapshot: new RawJson(settlement.price_model_snapshot),
    artifact_reference: settlement.artifact_reference,
    created_at: writeInstant(settlement.created_at),
  }
}
