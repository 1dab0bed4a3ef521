// Pure: conditions in words.
import { heldBy, type Condition, type Value } from './policy.ts'

const verbs = {
  eq: 'equals',
  neq: 'does not equal',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
} as const

/** The text of a condition as clients see it in `decisive_conditions`. */
export function describeCondition(condition: Condition): string {
  switch (condition.op) {
    case 'all':
    case 'any':
      return `${condition.op} of (${condition.conditions.map(describeCondition).join('; ')})`
    case 'not':
      return `not (${describeCondition(condition.condition)})`
    case 'in':
      return `${condition.field} is one of ${condition.values.map(describeValue).join(', ')}`
    case 'exists':
      return `${condition.field} is supplied`
    case 'eq':
    case 'neq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return `${condition.field} ${verbs[condition.op]} ${describeValue(condition.value)}`
  }
}

function describeValue(value: Value): string {
  if ('string' in value) return `\`${value.string}\``
  if ('money_cents' in value) return `${value.money_cents} minor units`
  return String(heldBy(value))
}
