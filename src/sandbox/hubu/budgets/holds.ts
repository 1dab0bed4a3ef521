// Holds: parts of a budget that an authorization keeps for itself.
import { drawUuid, type Hubu } from '../hubu.ts'
import type { Rows } from '../rows.ts'
import type { Instant } from '../time/instant.ts'
import { budgetById, moveBalances, usableBudget } from './budgets.ts'

/** A hold of one decision on one budget. */
export interface Hold {
  id: string
  decision_id: string
  budget_id: string
  amount_cents: bigint
  status: 'frozen' | 'claimed' | 'settled' | 'released' | 'expired'
  expires_at: Instant
}

/** The two ways a budget cannot carry a spend, as clients see them. */
export type BudgetShortage = 'no active USD budget found for agent' | 'budget does not have enough remaining balance'

/** The reason that a replayed budget denial always gives. */
export const notEnoughRemaining: BudgetShortage = 'budget does not have enough remaining balance'

/** The hold of a decision. */
export function holdOfDecision(rows: Rows, decisionId: string): Hold | undefined {
  return rows.get<Hold>('select * from holds where decision_id = ?', decisionId)
}

/** Freezes an amount in the agent's usable budget, or says why that cannot be. */
export function reserve(
  hubu: Hubu,
  wanted: { agentId: string; decisionId: string; amountCents: bigint; expiresAt: Instant; now: Instant },
): Hold | BudgetShortage {
  const { rows } = hubu
  const budget = usableBudget(rows, wanted.agentId, wanted.now)
  if (budget === undefined) return 'no active USD budget found for agent'
  if (budget.remaining_cents < wanted.amountCents) return notEnoughRemaining
  const id = drawUuid(hubu, 'holds')
  const hold: Hold = {
    id,
    decision_id: wanted.decisionId,
    budget_id: budget.id,
    amount_cents: wanted.amountCents,
    status: 'frozen',
    expires_at: wanted.expiresAt,
  }
  rows.insert('holds', { ...hold })
  moveBalances(rows, budget.id, { frozen: wanted.amountCents, remaining: -wanted.amountCents }, false)
  return hold
}

/** Gives a frozen hold to an executor until the end of its lease. */
export function claimHold(rows: Rows, hold: Hold, leaseEnd: Instant): void {
  rows.run(`update holds set status = 'claimed', expires_at = ? where id = ?`, leaseEnd, hold.id)
}

/** Consumes a charge out of a hold; what the hold has more goes back, what it has less is overrun. */
export function settleHold(rows: Rows, hold: Hold, chargeCents: bigint): void {
  setStatus(rows, hold, 'settled')
  const movement = { frozen: -hold.amount_cents, consumed: chargeCents, remaining: hold.amount_cents - chargeCents }
  moveBalances(rows, hold.budget_id, movement, true)
}

/** Gives a hold's whole amount back. */
export function releaseHold(rows: Rows, hold: Hold, status: 'released' | 'expired' = 'released'): void {
  setStatus(rows, hold, status)
  moveBalances(rows, hold.budget_id, { frozen: -hold.amount_cents, remaining: hold.amount_cents }, true)
}

/** Expires every frozen hold whose time is up, whoever it belongs to. Claimed holds stay. */
export function expireHolds(rows: Rows, now: Instant): void {
  const overdue = rows.all<Hold>(`select * from holds where status = 'frozen' and expires_at <= ?`, now)
  for (const hold of overdue) releaseHold(rows, hold, 'expired')
}

/** A hold with the totals of its budget now, as spend and executor answers embed it. */
export function holdJson(rows: Rows, hold: Hold) {
  const budget = budgetById(rows, hold.budget_id)
  return {
    hold_id: hold.id,
    budget_id: budget.public_id,
    status: hold.status,
    amount_cents: hold.amount_cents,
    consumed_amount_cents: budget.consumed_cents,
    frozen_amount_cents: budget.frozen_cents,
    remaining_amount_cents: budget.remaining_cents,
  }
}

function setStatus(rows: Rows, hold: Hold, status: Hold['status']): void {
  rows.run('update holds set status = ? where id = ?', status, hold.id)
}
