// Budgets and spending targets over HTTP.
import { ownedAgent } from '../agents/agents.ts'
import { readFields } from '../json/fields.ts'
import { readAmountCents } from '../money.ts'
import { required } from '../refusal.ts'
import { change, read, type Route } from '../route.ts'
import { parseInstant, writeInstant } from '../time/instant.ts'
import { readPeriod } from '../time/period.ts'
import { addBudget, addBudgets, budgetsOf, ownedBudget, replaceBudget, revokeBudget, type Budget } from './budgets.ts'
import { expireHolds } from './holds.ts'
import { readRecurrence, seriesPeriods } from './series.ts'
import { addTarget, isCurrent, revokeTarget, targetJson, targetsOf, targetWarnings } from './targets.ts'

/** The routes about budgets and targets. */
export const budgetRoutes: readonly Route[] = [
  change('/budgets', ({ hubu, owner, body }) => {
    const fields = readFields(body(), { keys: ['amount_cents', 'agent_id', 'starting_at', 'ending_before'] })
    const amountCents = readAmountCents(fields)
    const agent = ownedAgent(hubu.rows, owner, required(fields.optionalText('agent_id'), 'agent_id is required'))
    const budget = addBudget(hubu, agent, amountCents, readPeriod(fields, hubu.now()))
    return { budget: budgetJson(budget), spending_target_warnings: targetWarnings(hubu.rows, owner, [budget]) }
  }),
  change('/budgets/series', ({ hubu, owner, body }) => {
    const keys = ['amount_cents', 'agent_id', 'starting_at', 'recurrence', 'period_count']
    const fields = readFields(body(), { keys })
    const amountCents = readAmountCents(fields)
    const recurrence = readRecurrence(fields.text('recurrence'))
    const count = fields.integer('period_count')
    const agent = ownedAgent(hubu.rows, owner, required(fields.optionalText('agent_id'), 'agent_id is required'))
    const start = fields.optionalText('starting_at')
    const periods = seriesPeriods(
      start === undefined ? hubu.now() : parseInstant(start, 'starting_at'),
      recurrence,
      count,
    )
    const budgets = addBudgets(hubu, agent, amountCents, periods)
    return {
      budgets: budgets.map(budgetJson),
      spending_target_warnings: targetWarnings(hubu.rows, owner, budgets),
    }
  }),
  {
    method: 'GET',
    path: '/budgets',
    prepare: ({ hubu }) => expireHolds(hubu.rows, hubu.now()),
    perform: ({ hubu, owner, query }) => ({
      budgets: budgetsOf(hubu.rows, owner.id)
        .filter((budget) => query.flag('all') || budget.status === 'active')
        .map(budgetJson),
    }),
  },
  change('/budgets/revoke', ({ hubu, owner, body }) => {
    const fields = readFields(body(), { keys: ['budget_id'] })
    return { budget: budgetJson(revokeBudget(hubu.rows, ownedBudget(hubu.rows, owner, fields.text('budget_id')))) }
  }),
  change('/budgets/replace', ({ hubu, owner, body }) => {
    const fields = readFields(body(), { keys: ['budget_id', 'amount_cents'] })
    const [budgetId, amountCents] = [fields.text('budget_id'), readAmountCents(fields)]
    const { revoked, made } = replaceBudget(hubu, ownedBudget(hubu.rows, owner, budgetId), amountCents)
    return {
      revoked_budget: budgetJson(revoked),
      budget: budgetJson(made),
      spending_target_warnings: targetWarnings(hubu.rows, owner, [made]),
    }
  }),
  change('/user/spending-target', ({ hubu, owner, body }) => {
    const fields = readFields(body(), { keys: ['amount_cents', 'starting_at', 'ending_before'] })
    const now = hubu.now()
    const target = addTarget(hubu, owner, readAmountCents(fields), readPeriod(fields, now))
    return { target: targetJson(hubu.rows, target, now) }
  }),
  read('/user/spending-target', ({ hubu, owner, query }) => {
    const now = hubu.now()
    return {
      targets: targetsOf(hubu.rows, owner.id)
        .filter((target) => query.flag('all') || isCurrent(target, now))
        .map((target) => targetJson(hubu.rows, target, now)),
    }
  }),
  change('/user/spending-target/revoke', ({ hubu, owner, body }) => {
    const fields = readFields(body(), { keys: ['target_id'] })
    return { target: targetJson(hubu.rows, revokeTarget(hubu.rows, owner, fields.text('target_id')), hubu.now()) }
  }),
]

function budgetJson(budget: Budget) {
  return {
    budget_id: budget.public_id,
    agent_id: budget.agent_public_id,
    amount_limit_cents: budget.amount_limit_cents,
    currency: 'usd',
    starting_at: writeInstant(budget.starting_at),
    ending_before: budget.ending_before === null ? null : writeInstant(budget.ending_before),
    status: budget.status,
    consumed_amount_cents: budget.consumed_cents,
    frozen_amount_cents: budget.frozen_cents,
    remaining_amount_cents: budget.remaining_cents,
  }
}
