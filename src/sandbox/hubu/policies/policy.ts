// What a policy is, and its JSON form and hash. Pure.
import { createHash } from 'node:crypto'
import { parseJson } from '../json/parse.ts'
import { integerOf, type JsonValue } from '../json/value.ts'
import { writeJson, type Writable } from '../json/write.ts'

/** What a rule, or the policy as a whole, says. */
export type Effect = 'allow' | 'deny' | 'needs_approval'

/** What a condition looks at. */
export type Field =
  | 'amount'
  | 'currency'
  | 'agent_id'
  | 'merchant'
  | 'provider'
  | 'executor'
  | 'capability'
  | 'billing_merchant'
  | 'category'

/** A typed value, as a one-key mapping. */
export type Value = { string: string } | { money_cents: bigint } | { currency: 'usd' } | { agent_id: string }

/** Kinds of values. */
export type ValueKind = 'string' | 'money_cents' | 'currency' | 'agent_id'

/** A condition; `op` tells the forms apart. */
export type Condition =
  | { op: 'all' | 'any'; conditions: Condition[] }
  | { op: 'not'; condition: Condition }
  | { op: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'; field: Field; value: Value }
  | { op: 'in'; field: Field; values: Value[] }
  | { op: 'exists'; field: Field }

/** One rule. */
export interface Rule {
  id: string
  effect: Effect
  when: Condition
  reason: string
}

/** A policy as authored, for one owner. `owner_user_id` is an internal UUID. */
export interface Policy {
  id: string
  version: string
  owner_user_id: string
  rules: Rule[]
  default_effect: Effect
}

/** The kind of value that each field is compared with. */
export const kindOfField: Readonly<Record<Field, ValueKind>> = {
  amount: 'money_cents',
  currency: 'currency',
  agent_id: 'agent_id',
  merchant: 'string',
  provider: 'string',
  executor: 'string',
  capability: 'string',
  billing_merchant: 'string',
  category: 'string',
}

/** The kind of a value. */
export function kindOf(value: Value): ValueKind {
  return Object.keys(value)[0] as ValueKind
}

/** What a value holds. */
export function heldBy(value: Value): string | bigint {
  return Object.values(value)[0] as string | bigint
}

/** The JSON form with its keys in the order of the wire. */
function policyJson(policy: Policy): Writable {
  return {
    id: policy.id,
    version: policy.version,
    owner_user_id: policy.owner_user_id,
    rules: policy.rules.map(({ id, effect, when, reason }) => ({ id, effect, when: conditionJson(when), reason })),
    default_effect: policy.default_effect,
  }
}

/** `sha256:` and the hex of the compact JSON form. */
export function payloadHash(payload: string): string {
  return `sha256:${createHash('sha256').update(payload).digest('hex')}`
}

/** The compact JSON form, which is what is stored and hashed. */
export function encodePolicy(policy: Policy): string {
  return writeJson(policyJson(policy))
}

/** Reads back what `encodePolicy` wrote. */
export function decodePolicy(payload: string): Policy {
  return plain(parseJson(payload)) as unknown as Policy
}

function conditionJson(condition: Condition): Writable {
  switch (condition.op) {
    case 'all':
    case 'any':
      return { op: condition.op, conditions: condition.conditions.map(conditionJson) }
    case 'not':
      return { op: condition.op, condition: conditionJson(condition.condition) }
    case 'in':
      return { op: condition.op, field: condition.field, values: condition.values.map((value) => ({ ...value })) }
    case 'exists':
      return { op: condition.op, field: condition.field }
    case 'eq':
    case 'neq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return { op: condition.op, field: condition.field, value: { ...condition.value } }
  }
}

/** Plain values with bigints for integers; stored payloads hold no other numbers. */
function plain(value: JsonValue): Writable {
  if (typeof value !== 'object' || value === null) return value
  switch (value.kind) {
    case 'number':
      return integerOf(value) ?? null
    case 'array':
      return value.items.map(plain)
    case 'object':
      return Object.fromEntries(value.members.map((entry) => [entry.key, plain(entry.value)]))
  }
}
