// What clients see of a decided spend.
import { agentById } from '../agents/agents.ts'
import { holdJson, holdOfDecision, notEnoughRemaining } from '../budgets/holds.ts'
import type { Hubu } from '../hubu.ts'
import { RawJson, type Writable } from '../json/write.ts'
import type { RetryGuidance } from '../refusal.ts'
import type { Rows } from '../rows.ts'
import { parts, storedScope } from '../scopes/scope.ts'
import { writeInstant, writeInstantZulu } from '../time/instant.ts'
import { approvalJson } from './approvals.ts'
import { attemptsUnder, guide, isSafe, type Attempt } from './attempts.ts'
import type { Decided } from './decide.ts'
import { decisionOf, tokenOf, type Decision } from './decisions.ts'
import type { SpendBody } from './request.ts'

/** What the three routes add to the stored facts. */
export interface Answered extends Decided {
  /** The caller's request; without it the inputs are rebuilt from storage. */
  body?: SpendBody
  payment?: Writable
  /** What `decision` says where it does not follow the outcome. */
  shownDecision?: 'needs_approval'
}

const decisionOfOutcome = { allowed: 'allow', denied: 'deny', pending_approval: 'needs_approval' } as const

/** The SpendResponse of a decided attempt in its present state. */
export function spendJson(hubu: Hubu, answered: Answered): Writable {
  const { rows } = hubu
  const { attempt, decision } = answered
  const agent = agentById(rows, attempt.agent_id)
  const token = tokenOf(rows, decision.id)
  const hold = holdOfDecision(rows, decision.id)
  const scope = attempt.execution_scope
  return {
    operation_key: attempt.operation_key,
    task_id: attempt.task_id,
    reason: attempt.reason,
    account_id: agent.account_public_id,
    agent_id: agent.public_id,
    decision_id: decision.id,
    decision: answered.shownDecision ?? decisionOfOutcome[attempt.outcome],
    reasons: reasonsOf(answered),
    scope_inputs: scopeInputs(attempt, answered.body),
    policy_decision: {
      summary: decision.summary,
      decisive_conditions: decision.decisive.map((row) => ({ ...row })),
    },
    approval: decision.policy_decision === 'needs_approval' ? approvalJson(agent, attempt, decision) : null,
    auth_token_id: token?.id ?? null,
    execution_scope: scope === null ? null : new RawJson(scope),
    lease_profile: attempt.lease_profile,
    authorization_expires_at: token === undefined ? null : writeInstant(token.expires_at),
    budget_hold: hold === undefined ? null : holdJson(rows, hold),
    payment: answered.payment ?? null,
    revision: attempt.revision,
    idempotent_replay: answered.replay,
    retry_guidance: { ...guidanceOf(rows, answered) },
    attempt_history: attemptsUnder(rows, attempt.agent_id, attempt.operation_key).map((entry) =>
      attemptJson(entry, decisionOf(rows, entry)),
    ),
  }
}

/** The reasons of the newest outcome. A replayed budget denial always gives the same one. */
function reasonsOf({ attempt, decision, replay }: Decided): string[] {
  if (attempt.outcome !== 'denied' || decision.policy_decision === 'deny') return decision.reasons
  if (decision.policy_decision === 'allow' && replay) return [notEnoughRemaining]
  return JSON.parse(attempt.outcome_reasons) as string[]
}

function guidanceOf(rows: Rows, { attempt, decision, replay }: Decided): RetryGuidance {
  const key = attempt.operation_key
  if (attempt.outcome !== 'denied' || decision.policy_decision === 'needs_approval') return guide('replay_exactly', key)
  if (isSafe(rows, attempt.agent_id, key)) return guide('reuse_operation_key', key)
  return guide(replay ? 'replay_exactly' : 'create_new_operation', key)
}

function scopeInputs(attempt: Attempt, body: SpendBody | undefined): Writable {
  const input = (source: 'supplied' | 'inferred' | 'omitted', value: Writable) => ({ source, value })
  const scope = storedScope(attempt.execution_scope)
  const part = (name: (typeof parts)[number]) => {
    if (body?.selector !== undefined) return input('supplied', body.selector[name])
    return scope === null ? input('omitted', null) : input('inferred', scope[name].id)
  }
  return {
    amount_minor: input('supplied', attempt.amount_cents),
    currency: input(body !== undefined && body.currency === undefined ? 'inferred' : 'supplied', 'usd'),
    merchant: attempt.merchant === null ? input('omitted', null) : input('supplied', attempt.merchant),
    ...Object.fromEntries(parts.map((name) => [name, part(name)])),
  }
}

function attemptJson(attempt: Attempt, decision: Decision | undefined): Writable {
  const scope = attempt.execution_scope
  return {
    revision: attempt.revision,
    request: {
      amount_cents: attempt.amount_cents,
      currency: 'usd',
      owner_user_id: attempt.owner_id,
      agent_id: attempt.agent_id,
      agent_account_id: attempt.account_id,
      merchant: attempt.merchant,
      execution_scope: scope === null ? null : new RawJson(scope),
      category: null,
      task_id: attempt.task_id,
      reason: attempt.reason,
      lease_profile: attempt.lease_profile,
    },
    actor: attempt.owner_id,
    submitted_at: writeInstantZulu(attempt.submitted_at),
    decision_id: attempt.outcome === 'pending_approval' ? null : (decision?.id ?? null),
    final_decision: attempt.outcome,
    decided_at: writeInstantZulu(attempt.decided_at),
    reasons: new RawJson(attempt.outcome_reasons),
  }
}
