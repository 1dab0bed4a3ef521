// Pure: a policy and the facts of a spend in, a decision with its reasons out.
import { describeCondition } from './describe.ts'
import { heldBy, type Condition, type Effect, type Field, type Policy, type Rule } from './policy.ts'

/** What is known about a spend; an absent field is undefined. */
export type Facts = Readonly<Partial<Record<Field, string | bigint>>>

/** A rule that explains a decision. */
export interface DecisiveCondition {
  rule_id: string
  effect: Effect
  matched: boolean
  condition: string
}

/** What a policy says about a spend. */
export interface Evaluation {
  decision: Effect
  /** Reasons of all matched rules in rule order, whatever their effect. */
  reasons: string[]
  summary: string
  decisive: DecisiveCondition[]
}

/** Evaluates every rule and merges the effects of the matched ones: deny beats needs_approval beats allow. */
export function evaluatePolicy(policy: Policy, facts: Facts): Evaluation {
  const matched = policy.rules.filter((rule) => holds(rule.when, facts))
  const has = (effect: Effect) => matched.some((rule) => rule.effect === effect)
  const decision: Effect = has('deny')
    ? 'deny'
    : has('needs_approval')
      ? 'needs_approval'
      : has('allow')
        ? 'allow'
        : policy.default_effect
  const deciding = matched.filter((rule) => rule.effect === decision)
  const unmatchedAllows =
    deciding.length === 0 && decision === 'needs_approval' ? policy.rules.filter((rule) => rule.effect === 'allow') : []
  return {
    decision,
    reasons: matched.map((rule) => rule.reason),
    summary: summarize(decision, deciding),
    decisive: [
      ...deciding.map((rule) => decisive(rule, true)),
      ...unmatchedAllows.map((rule) => decisive(rule, false)),
    ],
  }
}

function holds(condition: Condition, facts: Facts): boolean {
  switch (condition.op) {
    case 'all':
      return condition.conditions.every((child) => holds(child, facts))
    case 'any':
      return condition.conditions.some((child) => holds(child, facts))
    case 'not':
      return !holds(condition.condition, facts)
    case 'exists':
      return facts[condition.field] !== undefined
    case 'in': {
      const fact = facts[condition.field]
      return fact !== undefined && condition.values.some((value) => heldBy(value) === fact)
    }
    case 'eq':
    case 'neq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      const fact = facts[condition.field]
      return fact !== undefined && compares(condition.op, fact, heldBy(condition.value))
    }
  }
}

function compares(
  op: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte',
  fact: string | bigint,
  value: string | bigint,
): boolean {
  switch (op) {
    case 'eq':
      return fact === value
    case 'neq':
      return fact !== value
    case 'gt':
      return fact > value
    case 'gte':
      return fact >= value
    case 'lt':
      return fact < value
    case 'lte':
      return fact <= value
  }
}

function decisive(rule: Rule, matched: boolean): DecisiveCondition {
  return { rule_id: rule.id, effect: rule.effect, matched, condition: describeCondition(rule.when) }
}

function summarize(decision: Effect, deciding: readonly Rule[]): string {
  const rules = deciding.map((rule) => `\`${rule.id}\``).join(', ')
  switch (decision) {
    case 'allow':
      return deciding.length > 0 ? `allowed by ${rules}` : 'allowed by the default of the policy'
    case 'deny':
      return deciding.length > 0 ? `denied by ${rules}` : 'denied by the default of the policy'
    case 'needs_approval':
      return deciding.length > 0
        ? `a human must approve because of ${rules}`
        : 'a human must approve: no automatic-allow rule matched'
  }
}
