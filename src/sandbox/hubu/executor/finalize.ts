// Settling and releasing claims, by the executor or by a human after the lease.
import { releaseHold, settleHold } from '../budgets/holds.ts'
import { drawUuid, type Hubu } from '../hubu.ts'
import { ledgerAccount } from '../ledger/ledger.ts'
import { Refusal } from '../refusal.ts'
import { revokeToken, useToken } from '../spend/decisions.ts'
import type { Instant } from '../time/instant.ts'
import type { User } from '../users/users.ts'
import { authorizationOfClaim, needsReconciliation, ownedClaim, type Claim } from './claims.ts'
import type { Receipt } from './receipt.ts'
import { sameReceipt, settlementOfClaim, type Settlement } from './settlements.ts'

/** What a human found out at the provider. */
export interface Evidence {
  providerReference: string
  evidence: string
}

/** What is to become of a claim. With evidence it is a human's reconciliation. */
export type Finalization =
  { kind: 'settle'; receipt: Receipt; found?: Evidence } | { kind: 'release'; found?: Evidence }

/**
 * Finalizes the owner's claim, or returns it as it is when the same was done before. Claim, token, hold, receipt, balance and
 * posting change together. Throws a 400 for everything else.
 */
export function finalize(hubu: Hubu, owner: User, claim: Claim, wanted: Finalization): Claim {
  const now = hubu.now()
  if (claim.status === 'claimed') {
    const leaseOver = needsReconciliation(claim, now)
    if (wanted.found === undefined && leaseOver) throw new Refusal('executor claim expired and requires reconciliation')
    if (wanted.found !== undefined && !leaseOver)
      throw new Refusal('executor claim is still active and needs no reconciliation')
    if (wanted.kind === 'settle') settle(hubu, owner, claim, wanted, now)
    else release(hubu, owner, claim, wanted, now)
    return ownedClaim(hubu.rows, owner, claim.id)
  }
  if (claim.status === 'settled') {
    if (wanted.kind === 'release') throw new Refusal('executor claim has already been settled')
    const settlement = settlementOfClaim(hubu.rows, claim.id)
    if (settlement === undefined || !sameReceipt(settlement, wanted.receipt))
      throw new Refusal('settlement receipt does not match the original settlement')
  } else if (wanted.kind === 'settle') throw new Refusal('executor claim has already been released')
  if (wanted.found !== undefined && !sameReconciliation(claim, owner, wanted.found))
    throw new Refusal('executor claim was finalized by its executor or reconciled with different evidence')
  return claim
}

function settle(
  hubu: Hubu,
  owner: User,
  claim: Claim,
  { receipt, found }: Extract<Finalization, { kind: 'settle' }>,
  now: Instant,
): void {
  const { rows } = hubu
  const { token, attempt, hold } = authorizationOfClaim(rows, claim)
  if (hold === undefined) throw new Error('a stored hold is missing')
  const { chargeCents } = receipt
  const most = attempt.amount_cents
  // Only a human who saw the bill may record more than was authorized.
  if (chargeCents > most && found === undefined) throw new Refusal('actual vendor cost exceeds the authorized maximum')
  const settlement: Settlement = {
    id: drawUuid(hubu, 'settlements'),
    claim_id: claim.id,
    authorized_max_cents: most,
    cost_amount: receipt.costAmount,
    cost_scale: receipt.costScale,
    charge_cents: chargeCents,
    released_cents: chargeCents > most ? 0n : most - chargeCents,
    overrun_cents: chargeCents > most ? chargeCents - most : 0n,
    provider_request_id: receipt.providerRequestId,
    price_model_snapshot: receipt.priceModelSnapshot,
    artifact_reference: receipt.artifactReference,
    created_at: now,
  }
  rows.insert('settlements', { ...settlement })
  settleHold(rows, hold, chargeCents)
  useToken(rows, token, settlement.id, now)
  postSettlement(hubu, owner, settlement)
  conclude(hubu, owner, claim, 'settled', found, now)
}

function release(hubu: Hubu, owner: User, claim: Claim, { found }: Finalization, now: Instant): void {
  const { token, hold } = authorizationOfClaim(hubu.rows, claim)
  if (hold === undefined) throw new Error('a stored hold is missing')
  releaseHold(hubu.rows, hold)
  revokeToken(hubu.rows, token, now)
  conclude(hubu, owner, claim, 'released', found, now)
}

function conclude(
  hubu: Hubu,
  owner: User,
  claim: Claim,
  status: 'settled' | 'released',
  found: Evidence | undefined,
  now: Instant,
): void {
  hubu.rows.run('update claims set status = ?, finalized_at = ? where id = ?', status, now, claim.id)
  if (found === undefined) return
  hubu.rows.run(
    `update claims set outcome = ?, provider_reference = ?, evidence = ?, reconciled_at = ?, reconciled_by = ? where id = ?`,
    status === 'settled' ? 'vendor_billed' : 'vendor_did_not_bill',
    found.providerReference,
    found.evidence,
    now,
    owner.id,
    claim.id,
  )
}

function sameReconciliation(claim: Claim, owner: User, found: Evidence): boolean {
  return (
    claim.reconciled_by === owner.id &&
    claim.provider_reference === found.providerReference &&
    claim.evidence === found.evidence
  )
}

/** Posts a settlement once, with the exact cost: spend expense against what is owed to the provider. */
function postSettlement(hubu: Hubu, owner: User, settlement: Settlement): void {
  hubu.rows.insert('provider_postings', {
    id: drawUuid(hubu, 'provider_postings'),
    settlement_id: settlement.id,
    owner_id: owner.id,
    debit_entry_id: drawUuid(hubu, 'provider_postings', 'debit_entry_id'),
    debit_account_id: ledgerAccount(hubu, owner, 'AgentSpendExpense'),
    credit_entry_id: drawUuid(hubu, 'provider_postings', 'credit_entry_id'),
    credit_account_id: ledgerAccount(hubu, owner, 'ExternalProviderPayable'),
    created_at: settlement.created_at,
  })
}
