// What a spend token stands for, and what an executor may present for it.
import { agentById, agentOfAccount, type Agent } from '../agents/agents.ts'
import { holdJson, holdOfDecision, type Hold } from '../budgets/holds.ts'
import { readUuid } from '../ids.ts'
import { readFields, type Fields } from '../json/fields.ts'
import type { JsonObject } from '../json/value.ts'
import { RawJson } from '../json/write.ts'
import { positiveCents } from '../money.ts'
import { Refusal } from '../refusal.ts'
import type { Rows } from '../rows.ts'
import { legacyScope, readCanonicalScope, writeScope } from '../scopes/scope.ts'
import { attemptAt, type Attempt } from '../spend/attempts.ts'
import { decisionWithId, tokenWithId, type Token } from '../spend/decisions.ts'
import { writeInstant, type Instant } from '../time/instant.ts'
import type { User } from '../users/users.ts'

/** A stored authorization. */
export interface Authorization {
  token: Token
  attempt: Attempt
  agent: Agent
  hold: Hold | undefined
}

/** What an executor presents, form-checked; `amountCents` is above zero. */
export interface Presented {
  fields: Fields
  amountCents: bigint
}

const presentedKeys = [
  'spend_auth_token_id',
  'account_id',
  'agent_id',
  'amount_cents',
  'execution_scope',
  'merchant',
  'task_id',
  'operation_key',
]

/** Reads the body of validate and claim; unknown keys are ignored. Throws a 400, also for an amount of zero or less. */
export function readPresented(object: JsonObject): Presented {
  const aliases = { executor_execution_id: 'operation_key' }
  const fields = readFields(object, { keys: presentedKeys, aliases })
  for (const key of ['spend_auth_token_id', 'account_id']) fields.text(key)
  for (const key of ['task_id', 'merchant']) fields.optionalText(key)
  fields.optionalObject('execution_scope')
  return { fields, amountCents: positiveCents(fields.integer('amount_cents')) }
}

/** The owner's authorization behind a token. A 400 for a malformed, unknown or foreign one. */
export function authorizationOf(rows: Rows, owner: User, tokenId: string): Authorization {
  const token = tokenWithId(rows, readUuid(tokenId, 'spend_auth_token_id'))
  const authorization = token && authorizationOfToken(rows, token)
  if (authorization?.attempt.owner_id !== owner.id) throw new Refusal('no such spend authorization')
  return authorization
}

/** The authorization of a stored token. */
export function authorizationOfToken(rows: Rows, token: Token): Authorization {
  const decision = decisionWithId(rows, token.decision_id)
  if (decision === undefined) throw new Error('a stored decision is missing')
  const attempt = attemptAt(rows, decision.attempt_sequence)
  return { token, attempt, agent: agentById(rows, attempt.agent_id), hold: holdOfDecision(rows, decision.id) }
}

/** The presented authorization and account, up to the task assertion. Throws a 400. */
export function matchPresented(rows: Rows, owner: User, { fields, amountCents }: Presented) {
  const merchant = fields.optionalText('merchant')
  const scopeObject = fields.optionalObject('execution_scope')
  if (merchant !== undefined && scopeObject !== undefined)
    throw new Refusal('send either merchant or execution_scope, not both')
  const scope =
    scopeObject !== undefined ? readCanonicalScope(scopeObject) : merchant === undefined ? null : legacyScope(merchant)
  if (fields.value('agent_id') !== undefined)
    throw new Refusal('executor request must include account_id; agent_id is not accepted')
  const agent = agentOfAccount(rows, owner, fields.text('account_id'))
  const authorization = authorizationOf(rows, owner, fields.text('spend_auth_token_id'))
  const { attempt } = authorization
  const taskId = fields.optionalText('task_id')
  if (taskId !== undefined && taskId !== attempt.task_id)
    throw new Refusal('task_id does not match the authoritative authorization')
  const matches =
    agent.id === attempt.agent_id &&
    amountCents === attempt.amount_cents &&
    (merchant ?? null) === attempt.merchant &&
    (scope && writeScope(scope)) === attempt.execution_scope
  return { authorization, agent, matches }
}

/** Throws a 400 for a token that was revoked or used. */
export function checkUnspent({ token }: Authorization): void {
  if (token.revoked_at !== null) throw new Refusal('spend auth token has been revoked')
  if (token.used_at !== null) throw new Refusal('spend auth token has already been used')
}

/** Throws a 400 for a token past its deadline. */
export function checkUnexpired({ token }: Authorization, now: Instant): void {
  if (token.expires_at <= now) throw new Refusal('spend auth token has expired')
}

/** The authorization's hold, which must be frozen. Throws a 400 otherwise. */
export function frozenHold({ hold }: Authorization): Hold {
  if (hold?.status !== 'frozen') throw new Refusal('the budget hold of the authorization is not frozen')
  return hold
}

/** The 400 of a request that differs from what was authorized. */
export function scopeMismatch(): Refusal {
  return new Refusal('payment request does not match authorized spend')
}

/** An authorization as the executor sees it. */
export function executorSpendJson(
  rows: Rows,
  authorization: Authorization,
  status: 'available' | 'claimed' | 'settled' | 'released',
) {
  const { token, attempt, agent, hold } = authorization
  if (hold === undefined) throw new Error('a stored hold is missing')
  const scope = attempt.execution_scope
  return {
    operation_key: attempt.operation_key,
    reason: attempt.reason,
    spend_auth_token_id: token.id,
    decision_id: token.decision_id,
    account_id: agent.account_public_id,
    agent_id: agent.public_id,
    amount_cents: attempt.amount_cents,
    currency: 'usd',
    merchant: attempt.merchant,
    execution_scope: scope === null ? null : new RawJson(scope),
    task_id: attempt.task_id,
    lease_profile: attempt.lease_profile,
    status,
    expires_at: writeInstant(token.expires_at),
    budget_hold: holdJson(rows, hold),
  }
}
