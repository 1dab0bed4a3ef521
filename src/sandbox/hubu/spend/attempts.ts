// The journal of attempts under operation keys. A key belongs to one agent.
import type { Agent } from '../agents/agents.ts'
import { Refusal, type RetryGuidance } from '../refusal.ts'
import type { Rows } from '../rows.ts'
import { legacyScope, writeScope } from '../scopes/scope.ts'
import type { Instant } from '../time/instant.ts'

/** The immutable scope of an attempt. Two attempts are the same request exactly if these are equal. */
export interface AttemptScope {
  owner_id: string
  agent_id: string
  account_id: string
  amount_cents: bigint
  merchant: string | null
  /** The canonical scope as text. */
  execution_scope: string | null
  task_id: string | null
  reason: string
  lease_profile: string
}

/** How an attempt stands. */
export type Outcome = 'pending_approval' | 'denied' | 'allowed'

/** A journaled attempt with its newest outcome; `outcome_reasons` is a JSON list. */
export interface Attempt extends AttemptScope {
  sequence: bigint
  operation_key: string
  revision: bigint
  submitted_at: Instant
  outcome: Outcome
  outcome_reasons: string
  decided_at: Instant
}

/** What the journal says to a request. */
export type Admission = { kind: 'replay'; attempt: Attempt } | { kind: 'new'; revision: bigint } | { kind: 'conflict' }

const placeholder = JSON.stringify(['waiting for a decision'])

/** All attempts under a key, by revision. */
export function attemptsUnder(rows: Rows, agentId: string, operationKey: string): Attempt[] {
  return rows.all<Attempt>(
    'select * from attempts where agent_id = ? and operation_key = ? order by revision',
    agentId,
    operationKey,
  )
}

/** The attempt with an internal number. */
export function attemptAt(rows: Rows, sequence: bigint): Attempt {
  const attempt = rows.get<Attempt>('select * from attempts where sequence = ?', sequence)
  if (attempt === undefined) throw new Error('a stored attempt is missing')
  return attempt
}

/**
 * Decides what a request is: an exact replay of the lowest equal revision, a new revision, or a conflict because the key is
 * no longer safe.
 */
export function admit(rows: Rows, attempts: readonly Attempt[], operationKey: string, scope: AttemptScope): Admission {
  const equal = attempts.find((attempt) => sameScope(attempt, scope))
  if (equal !== undefined) return { kind: 'replay', attempt: equal }
  if (!isSafe(rows, scope.agent_id, operationKey)) return { kind: 'conflict' }
  return { kind: 'new', revision: (attempts.at(-1)?.revision ?? 0n) + 1n }
}

/** Whether a key may carry another scope: all its attempts are denied and nothing was issued for it. */
export function isSafe(rows: Rows, agentId: string, operationKey: string): boolean {
  const unsafe = rows.get(
    `select 1 from attempts left join decisions on decisions.attempt_sequence = attempts.sequence
     where agent_id = ? and operation_key = ? and (outcome <> 'denied'
       or exists (select 1 from tokens where decision_id = decisions.id)
       or exists (select 1 from holds where decision_id = decisions.id))
     union all select 1 from claims where agent_id = ? and operation_key = ?`,
    agentId,
    operationKey,
    agentId,
    operationKey,
  )
  return unsafe === undefined
}

/** Journals a new attempt, which waits for its decision. */
export function journal(
  rows: Rows,
  operationKey: string,
  revision: bigint,
  scope: AttemptScope,
  now: Instant,
): Attempt {
  rows.insert('attempts', {
    ...scope,
    operation_key: operationKey,
    revision,
    submitted_at: now,
    outcome: 'pending_approval',
    outcome_reasons: placeholder,
    decided_at: now,
  })
  const journaled = attemptsUnder(rows, scope.agent_id, operationKey).at(-1)
  if (journaled === undefined) throw new Error('an attempt was not journaled')
  return journaled
}

/** Writes an attempt's newest outcome. */
export function conclude(
  rows: Rows,
  attempt: Attempt,
  outcome: Outcome,
  reasons: readonly string[],
  now: Instant,
): void {
  rows.run(
    'update attempts set outcome = ?, outcome_reasons = ?, decided_at = ? where sequence = ?',
    outcome,
    JSON.stringify(reasons),
    now,
    attempt.sequence,
  )
}

/** The 409 of a changed scope under a key that is no longer safe. */
export function changedScope(operationKey: string): Refusal {
  return new Refusal(
    `changed scope retry is unsafe for operation key \`${operationKey}\``,
    409,
    guide('create_new_operation', operationKey),
  )
}

/** The 409 of an attempt whose decision was never stored. */
export function undecided(operationKey: string): Refusal {
  return new Refusal(
    `the attempt under operation key \`${operationKey}\` was interrupted before its decision`,
    409,
    guide('replay_exactly', operationKey),
  )
}

/** Guidance in words. */
export function guide(action: RetryGuidance['action'], operationKey: string): RetryGuidance {
  const messages = {
    reuse_operation_key: 'nothing was reserved: the same operation key may carry a corrected request',
    replay_exactly: 'repeat this request exactly to see its present state; use a new operation key for anything else',
    create_new_operation: 'this operation key is taken: use a new operation key for a different request',
  }
  return { action, operation_key: operationKey, message: messages[action] }
}

/** The agent's scope fields of an attempt. */
export function scopeOwner(agent: Agent): Pick<AttemptScope, 'owner_id' | 'agent_id' | 'account_id'> {
  return { owner_id: agent.owner_id, agent_id: agent.id, account_id: agent.account_id }
}

function sameScope(attempt: Attempt, scope: AttemptScope): boolean {
  return (
    attempt.owner_id === scope.owner_id &&
    attempt.account_id === scope.account_id &&
    attempt.amount_cents === scope.amount_cents &&
    attempt.merchant === scope.merchant &&
    scopeText(attempt) === scopeText(scope) &&
    attempt.task_id === scope.task_id &&
    attempt.reason === scope.reason &&
    attempt.lease_profile === scope.lease_profile
  )
}

/** A stored merchant without a scope stands for the merchant's synthetic scope. */
function scopeText({ merchant, execution_scope }: AttemptScope): string | null {
  return execution_scope ?? (merchant === null ? null : writeScope(legacyScope(merchant)))
}
