// Stored decisions and the authorization tokens they issued.
import { drawUuid, type Hubu } from '../hubu.ts'
import type { DecisiveCondition, Evaluation } from '../policies/evaluate.ts'
import type { Effect } from '../policies/policy.ts'
import type { StoredPolicy } from '../policies/policies.ts'
import type { Rows } from '../rows.ts'
import type { Instant } from '../time/instant.ts'
import type { Attempt } from './attempts.ts'

/** A policy's answer to one attempt, as stored. */
export interface Decision {
  id: string
  attempt_sequence: bigint
  policy_decision: Effect
  reasons: string[]
  summary: string
  decisive: DecisiveCondition[]
}

/** A spend authorization. */
export interface Token {
  id: string
  decision_id: string
  expires_at: Instant
  claim_ttl_seconds: bigint
  used_at: Instant | null
  used_by: string | null
  revoked_at: Instant | null
}

type DecisionRow = Omit<Decision, 'reasons' | 'decisive'> & { reasons: string; decisive_conditions: string }

/** The decision of an attempt; undefined if the attempt was journaled and never decided. */
export function decisionOf(rows: Rows, attempt: Attempt): Decision | undefined {
  return toDecision(rows.get<DecisionRow>('select * from decisions where attempt_sequence = ?', attempt.sequence))
}

/** The decision with an id. */
export function decisionWithId(rows: Rows, id: string): Decision | undefined {
  return toDecision(rows.get<DecisionRow>('select * from decisions where id = ?', id))
}

/** Stores what a policy said about an attempt. */
export function storeDecision(hubu: Hubu, attempt: Attempt, policy: StoredPolicy, evaluation: Evaluation): Decision {
  const { rows } = hubu
  const id = drawUuid(hubu, 'decisions')
  rows.insert('decisions', {
    id,
    attempt_sequence: attempt.sequence,
    policy_id: policy.id,
    policy_revision: policy.revision,
    policy_decision: evaluation.decision,
    reasons: JSON.stringify(evaluation.reasons),
    summary: evaluation.summary,
    decisive_conditions: JSON.stringify(evaluation.decisive),
    created_at: hubu.now(),
  })
  const { reasons, summary, decisive } = evaluation
  return { id, attempt_sequence: attempt.sequence, policy_decision: evaluation.decision, reasons, summary, decisive }
}

/** Issues the token of a decision; the claim lifetime is fixed now, whatever is configured later. */
export function issueToken(hubu: Hubu, decision: Decision, expiresAt: Instant, claimTtlSeconds: number): Token {
  const { rows } = hubu
  const id = drawUuid(hubu, 'tokens')
  const token: Token = {
    id,
    decision_id: decision.id,
    expires_at: expiresAt,
    claim_ttl_seconds: BigInt(claimTtlSeconds),
    used_at: null,
    used_by: null,
    revoked_at: null,
  }
  rows.insert('tokens', { ...token })
  return token
}

/** The token of a decision. */
export function tokenOf(rows: Rows, decisionId: string): Token | undefined {
  return rows.get<Token>('select * from tokens where decision_id = ?', decisionId)
}

/** The token with an id. */
export function tokenWithId(rows: Rows, id: string): Token | undefined {
  return rows.get<Token>('select * from tokens where id = ?', id)
}

/** Marks a token used by a payment or a settlement. */
export function useToken(rows: Rows, token: Token, usedBy: string, now: Instant): void {
  rows.run('update tokens set used_at = ?, used_by = ? where id = ?', now, usedBy, token.id)
}

/** Revokes a token, which a release does. */
export function revokeToken(rows: Rows, token: Token, now: Instant): void {
  rows.run('update tokens set revoked_at = ? where id = ?', now, token.id)
}

function toDecision(row: DecisionRow | undefined): Decision | undefined {
  if (row === undefined) return undefined
  return {
    id: row.id,
    attempt_sequence: row.attempt_sequence,
    policy_decision: row.policy_decision,
    reasons: JSON.parse(row.reasons) as string[],
    summary: row.summary,
    decisive: JSON.parse(row.decisive_conditions) as DecisiveCondition[],
  }
}
