// Human approval of spends that a policy would not decide.
import { agentById, type Agent } from '../agents/agents.ts'
import type { Hubu } from '../hubu.ts'
import { readUuid } from '../ids.ts'
import { RawJson, type Writable } from '../json/write.ts'
import { Refusal } from '../refusal.ts'
import type { Rows } from '../rows.ts'
import type { User } from '../users/users.ts'
import { attemptAt, conclude, type Attempt } from './attempts.ts'
import { authorize, type Decided } from './decide.ts'
import { decisionWithId, type Decision } from './decisions.ts'

const statusOfOutcome = { pending_approval: 'pending', allowed: 'approved', denied: 'denied' } as const

/** An approval on the wire. */
export function approvalJson(agent: Agent, attempt: Attempt, decision: Decision) {
  const scope = attempt.execution_scope
  return {
    approval_request_id: decision.id,
    status: statusOfOutcome[attempt.outcome],
    review: {
      operation_key: attempt.operation_key,
      account_id: agent.account_public_id,
      agent_id: agent.public_id,
      amount_cents: attempt.amount_cents,
      currency: 'usd',
      merchant: attempt.merchant,
      execution_scope: scope === null ? null : new RawJson(scope),
      lease_profile: attempt.lease_profile,
      reason: attempt.reason,
      policy_summary: decision.summary,
      policy_reasons: decision.reasons,
    },
  }
}

/** The approval request of the owner with an id. A 400 for anything that is none. */
function approvalRequest(rows: Rows, owner: User, id: string): { attempt: Attempt; decision: Decision } {
  const decision = decisionWithId(rows, readUuid(id, 'approval_request_id'))
  const attempt = decision && attemptAt(rows, decision.attempt_sequence)
  if (decision === undefined || attempt?.owner_id !== owner.id || decision.policy_decision !== 'needs_approval')
    throw new Refusal('no such approval request')
  return { attempt, decision }
}

/** An approval request as the human reviews it. */
export function showApproval(rows: Rows, owner: User, id: string): Writable {
  const { attempt, decision } = approvalRequest(rows, owner, id)
  return approvalJson(agentById(rows, attempt.agent_id), attempt, decision)
}

/**
 * Decides a pending request for the human, or replays an equal decision. An approval that finds no budget is a 400 and leaves
 * the request pending, its lifetime untouched. Throws a 400 when the request was decided the other way.
 */
export function resolveApproval(hubu: Hubu, owner: User, id: string, approve: boolean): Decided {
  const { attempt, decision } = approvalRequest(hubu.rows, owner, id)
  const wanted = approve ? 'allowed' : 'denied'
  if (attempt.outcome === wanted) return { attempt, decision, replay: true }
  if (attempt.outcome !== 'pending_approval')
    throw new Refusal(`the approval request was already ${statusOfOutcome[attempt.outcome]}`)
  if (approve) {
    const shortage = authorize(hubu, attempt, decision, ['approved by the human owner'])
    if (shortage !== undefined) throw new Refusal(shortage)
  } else conclude(hubu.rows, attempt, 'denied', ['denied by the human owner'], hubu.now())
  return { attempt: attemptAt(hubu.rows, attempt.sequence), decision, replay: false }
}
