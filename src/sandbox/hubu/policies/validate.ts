// What a policy must satisfy beyond its form. Pure.
import { Refusal } from '../refusal.ts'
import { kindOf, kindOfField, type Condition, type Field, type Policy, type Value } from './policy.ts'

/** Throws a 400 `invalid policy` for the first thing that is wrong. */
export function validatePolicy(policy: Policy): void {
  if (policy.id.trim() === '') throw invalid('the policy id is blank')
  if (policy.version.trim() === '') throw invalid('the policy version is blank')
  for (const rule of policy.rules) {
    if (rule.id.trim() === '') throw invalid('a rule id is blank')
    if (rule.reason.trim() === '') throw invalid(`rule \`${rule.id}\` has a blank reason`)
    validateCondition(rule.id, rule.when)
  }
}

function validateCondition(ruleId: string, condition: Condition): void {
  switch (condition.op) {
    case 'all':
    case 'any':
      if (condition.conditions.length === 0) throw invalid(`rule \`${ruleId}\` has an empty \`${condition.op}\``)
      for (const child of condition.conditions) validateCondition(ruleId, child)
      return
    case 'not':
      return validateCondition(ruleId, condition.condition)
    case 'exists':
      return
    case 'in':
      for (const value of condition.values) validateValue(ruleId, condition.field, value)
      return
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (condition.field !== 'amount')
        throw invalid(`rule \`${ruleId}\` uses \`${condition.op}\` on \`${condition.field}\`; only amount has an order`)
      return validateValue(ruleId, condition.field, condition.value)
    case 'eq':
    case 'neq':
      return validateValue(ruleId, condition.field, condition.value)
  }
}

function validateValue(ruleId: string, field: Field, value: Value): void {
  const [expected, actual] = [kindOfField[field], kindOf(value)]
  if (expected !== actual)
    throw invalid(`rule \`${ruleId}\` compares \`${field}\` with a ${actual} value; expected ${expected}`)
}

function invalid(what: string): Refusal {
  return new Refusal(`invalid policy: ${what}`)
}
