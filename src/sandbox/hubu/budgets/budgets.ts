// Budgets: their periods and what is left of them.
import type { Agent } from '../agents/agents.ts'
import { drawIds, type Hubu } from '../hubu.ts'
import { mostCents } from '../money.ts'
import { Refusal, required } from '../refusal.ts'
import type { Rows } from '../rows.ts'
import type { Instant } from '../time/instant.ts'
import { contains, overlap, type Period } from '../time/period.ts'
import type { User } from '../users/users.ts'

/** A budget: `amount_limit_cents` = consumed + frozen + remaining, always. */
export interface Budget extends Period {
  id: string
  public_id: string
  agent_id: string
  agent_public_id: string
  amount_limit_cents: bigint
  consumed_cents: bigint
  frozen_cents: bigint
  remaining_cents: bigint
  status: 'active' | 'exhausted' | 'expired' | 'revoked'
}

/** By how much an event moves the three balances. They add up to zero, so that the limit holds. */
export interface Movement {
  consumed?: bigint
  frozen?: bigint
  remaining?: bigint
}

const selectBudgets = `select budgets.id, budgets.public_id, agent_id, agents.public_id as agent_public_id,
  amount_limit_cents, consumed_cents, frozen_cents, remaining_cents, starting_at, ending_before, budgets.status
  from budgets join agents on agents.id = agent_id`

/** All budgets of an owner, by agent creation order, then budget creation order. */
export function budgetsOf(rows: Rows, ownerId: string): Budget[] {
  return rows.all<Budget>(
    `${selectBudgets} where owner_id = ? order by agents.created_at, agents.sequence, budgets.sequence`,
    ownerId,
  )
}

/** The budget with an internal id. */
export function budgetById(rows: Rows, id: string): Budget {
  const budget = rows.get<Budget>(`${selectBudgets} where budgets.id = ?`, id)
  if (budget === undefined) throw new Error('a stored budget is missing')
  return budget
}

/** The owner's budget with a public id; a 400 for an unknown or foreign one. */
export function ownedBudget(rows: Rows, owner: User, budgetPublicId: string): Budget {
  const found = rows.get<Budget>(
    `${selectBudgets} where budgets.public_id = ? and owner_id = ?`,
    budgetPublicId,
    owner.id,
  )
  return required(found, 'no such budget')
}

/** The agent's active budgets, oldest first. */
function activeBudgets(rows: Rows, agentId: string): Budget[] {
  return rows.all<Budget>(
    `${selectBudgets} where agent_id = ? and budgets.status = 'active' order by budgets.sequence`,
    agentId,
  )
}

/** The budget that a spend of the agent uses now: the oldest active one whose period contains the instant. */
export function usableBudget(rows: Rows, agentId: string, now: Instant): Budget | undefined {
  return activeBudgets(rows, agentId).find((budget) => contains(budget, now))
}

/** Creates a budget. A 400 when it overlaps another active budget of the agent. */
export function addBudget(hubu: Hubu, agent: Agent, amountCents: bigint, period: Period): Budget {
  const { rows } = hubu
  if (activeBudgets(rows, agent.id).some((budget) => overlap(budget, period)))
    throw new Refusal('the budget period overlaps another active budget of this agent')
  return insertBudget(hubu, agent.id, amountCents, period)
}

/** Creates budgets for periods that follow one another, or none of them. */
export function addBudgets(hubu: Hubu, agent: Agent, amountCents: bigint, periods: readonly Period[]): Budget[] {
  const [first, last] = [periods[0], periods.at(-1)]
  if (first === undefined || last === undefined) return []
  const whole: Period = { starting_at: first.starting_at, ending_before: last.ending_before }
  if (activeBudgets(hubu.rows, agent.id).some((budget) => overlap(budget, whole)))
    throw new Refusal('a budget period of the series overlaps another active budget of this agent')
  return periods.map((period) => insertBudget(hubu, agent.id, amountCents, period))
}

/** Revokes an active budget that has nothing frozen. Throws a 400 otherwise. */
export function revokeBudget(rows: Rows, budget: Budget): Budget {
  if (budget.frozen_cents !== 0n) throw new Refusal('the budget has frozen amounts')
  if (budget.status !== 'active') throw new Refusal('the budget is no longer active')
  rows.run(`update budgets set status = 'revoked' where id = ?`, budget.id)
  return budgetById(rows, budget.id)
}

/** Revokes a budget and puts one with a new amount and the rest of its period in its place. */
export function replaceBudget(hubu: Hubu, budget: Budget, amountCents: bigint): { revoked: Budget; made: Budget } {
  const now = hubu.now()
  const revoked = revokeBudget(hubu.rows, budget)
  if (budget.ending_before !== null && budget.ending_before <= now) throw new Refusal('the budget period is over')
  const period = {
    starting_at: budget.starting_at > now ? budget.starting_at : now,
    ending_before: budget.ending_before,
  }
  return { revoked, made: insertBudget(hubu, budget.agent_id, amountCents, period) }
}

/**
 * Moves a budget's balances and, on events that can use a budget up or give it something back, its status: `exhausted` when
 * nothing remains and nothing is frozen, `active` again when something remains.
 */
export function moveBalances(rows: Rows, budgetId: string, movement: Movement, mayChangeStatus: boolean): void {
  const budget = budgetById(rows, budgetId)
  const consumed = budget.consumed_cents + (movement.consumed ?? 0n)
  const frozen = budget.frozen_cents + (movement.frozen ?? 0n)
  const remaining = budget.remaining_cents + (movement.remaining ?? 0n)
  if (consumed + frozen + remaining !== budget.amount_limit_cents) throw new Error('a budget would not add up')
  if (consumed > mostCents || remaining < -mostCents) throw new Refusal('the amount is too large for the budget')
  let { status } = budget
  if (mayChangeStatus && status === 'active' && remaining <= 0n && frozen === 0n) status = 'exhausted'
  else if (mayChangeStatus && status === 'exhausted' && remaining > 0n) status = 'active'
  rows.run(
    'update budgets set consumed_cents = ?, frozen_cents = ?, remaining_cents = ?, status = ? where id = ?',
    consumed,
    frozen,
    remaining,
    status,
    budgetId,
  )
}

function insertBudget(hubu: Hubu, agentId: string, amountCents: bigint, period: Period): Budget {
  const { rows } = hubu
  const ids = drawIds(hubu, 'budgets', 'bgt')
  rows.insert('budgets', {
    ...ids,
    agent_id: agentId,
    amount_limit_cents: amountCents,
    consumed_cents: 0n,
    frozen_cents: 0n,
    remaining_cents: amountCents,
    starting_at: period.starting_at,
    ending_before: period.ending_before,
    status: 'active',
    created_at: hubu.now(),
  })
  return budgetById(rows, ids.id)
}
