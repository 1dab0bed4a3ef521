// Exclusive claims of executors on authorizations.
import { claimHold } from '../budgets/holds.ts'
import { drawUuid, type Hubu } from '../hubu.ts'
import { readUuid } from '../ids.ts'
import { Refusal, required } from '../refusal.ts'
import type { Rows } from '../rows.ts'
import { tokenWithId } from '../spend/decisions.ts'
import { addSeconds, writeInstant, type Instant } from '../time/instant.ts'
import { userById, type User } from '../users/users.ts'
import * as authorizations from './authorization.ts'
import { settlementOfClaim } from './settlements.ts'

/** A claim. `reconciled_by` is an internal user id. */
export interface Claim {
  id: string
  agent_id: string
  operation_key: string
  token_id: string
  status: 'claimed' | 'settled' | 'released'
  claimed_at: Instant
  expires_at: Instant
  finalized_at: Instant | null
  outcome: 'vendor_billed' | 'vendor_did_not_bill' | null
  provider_reference: string | null
  evidence: string | null
  reconciled_at: Instant | null
  reconciled_by: string | null
}

/** Whether a claim's lease is over while nobody finalized it. */
export function needsReconciliation(claim: Claim, now: Instant): boolean {
  return claim.status === 'claimed' && claim.expires_at <= now
}

/** The claim under an agent's operation key. */
export function claimUnder(rows: Rows, agentId: string, operationKey: string): Claim | undefined {
  return rows.get<Claim>('select * from claims where agent_id = ? and operation_key = ?', agentId, operationKey)
}

/** The owner's claim with an id. A 400 for a malformed, unknown or foreign one. */
export function ownedClaim(rows: Rows, owner: User, id: string): Claim {
  const claim = rows.get<Claim>(
    'select claims.* from claims join agents on agents.id = claims.agent_id where claims.id = ? and owner_id = ?',
    readUuid(id, 'claim_id'),
    owner.id,
  )
  return required(claim, 'no such executor claim')
}

/** The owner's claims whose lease is over, by its end. */
export function reconciliationQueue(rows: Rows, owner: User, now: Instant): Claim[] {
  return rows.all<Claim>(
    `select claims.* from claims join agents on agents.id = claims.agent_id
     where owner_id = ? and claims.status = 'claimed' and expires_at <= ? order by expires_at, claims.id`,
    owner.id,
    now,
  )
}

/** The authorization that a claim holds. */
export function authorizationOfClaim(rows: Rows, claim: Claim): authorizations.Authorization {
  const token = tokenWithId(rows, claim.token_id)
  if (token === undefined) throw new Error('a stored token is missing')
  return authorizations.authorizationOfToken(rows, token)
}

/** Checks an authorization for an executor without claiming it. Throws a 400. */
export function validate(hubu: Hubu, owner: User, presented: authorizations.Presented): authorizations.Authorization {
  const { authorization, matches } = authorizations.matchPresented(hubu.rows, owner, presented)
  authorizations.checkUnspent(authorization)
  if (claimOfToken(hubu.rows, authorization.token.id) !== undefined)
    throw new Refusal('spend auth token has already been claimed')
  authorizations.checkUnexpired(authorization, hubu.now())
  if (!matches) throw authorizations.scopeMismatch()
  authorizations.frozenHold(authorization)
  return authorization
}

/** Claims an authorization, or returns the claim that an equal request made before, whatever became of it. Throws a 400. */
export function claim(hubu: Hubu, owner: User, presented: authorizations.Presented): Claim {
  const { rows } = hubu
  const operationKey = presented.fields.optionalText('operation_key')?.trim() ?? ''
  if (operationKey === '') throw new Refusal('executor operation_key is required')
  const { authorization, agent, matches } = authorizations.matchPresented(rows, owner, presented)
  const { token, attempt } = authorization
  const otherScope = new Refusal('operation key was already authorized with different spend scope')
  const present = claimUnder(rows, agent.id, operationKey)
  if (present !== undefined) {
    if (present.token_id !== token.id) throw otherScope
    if (!matches) throw authorizations.scopeMismatch()
    return present
  }
  if (claimOfToken(rows, token.id) !== undefined)
    throw new Refusal('spend auth token has already been claimed by another operation')
  const now = hubu.now()
  authorizations.checkUnspent(authorization)
  authorizations.checkUnexpired(authorization, now)
  if (!matches) throw authorizations.scopeMismatch()
  if (attempt.operation_key !== operationKey) throw otherScope
  const hold = authorizations.frozenHold(authorization)

  const id = drawUuid(hubu, 'claims')
  const expiresAt = addSeconds(now, Number(token.claim_ttl_seconds))
  const made: Claim = {
    id,
    agent_id: agent.id,
    operation_key: operationKey,
    token_id: token.id,
    status: 'claimed',
    claimed_at: now,
    expires_at: expiresAt,
    finalized_at: null,
    outcome: null,
    provider_reference: null,
    evidence: null,
    reconciled_at: null,
    reconciled_by: null,
  }
  rows.insert('claims', { ...made })
  claimHold(rows, hold, expiresAt)
  return made
}

/** A claim as the executor sees it. */
export function claimJson(hubu: Hubu, claimed: Claim) {
  const { rows } = hubu
  const instant = (value: Instant | null) => (value === null ? null : writeInstant(value))
  return {
    operation_key: claimed.operation_key,
    claim_id: claimed.id,
    lease_profile: authorizationOfClaim(rows, claimed).attempt.lease_profile,
    status: claimed.status,
    claimed_at: writeInstant(claimed.claimed_at),
    claim_expires_at: writeInstant(claimed.expires_at),
    finalized_at: instant(claimed.finalized_at),
    settlement_id: settlementOfClaim(rows, claimed.id)?.id ?? null,
    reconciliation_required: needsReconciliation(claimed, hubu.now()),
    reconciliation_outcome: claimed.outcome,
    provider_reference: claimed.provider_reference,
    evidence: claimed.evidence,
    reconciled_at: instant(claimed.reconciled_at),
    reconciled_by_user_id: claimed.reconciled_by === null ? null : userById(rows, claimed.reconciled_by).public_id,
    spend: authorizations.executorSpendJson(rows, authorizationOfClaim(rows, claimed), claimed.status),
  }
}

function claimOfToken(rows: Rows, tokenId: string): Claim | undefined {
  return rows.get<Claim>('select * from claims where token_id = ?', tokenId)
}
