// GET /spend/workflows: the newest revision of every operation that was not denied.
import { needsReconciliation, type Claim } from '../executor/claims.ts'
import type { Settlement } from '../executor/settlements.ts'
import type { Rows } from '../rows.ts'
import { storedScope } from '../scopes/scope.ts'
import type { Outcome } from '../spend/attempts.ts'
import { writeInstant, type Instant } from '../time/instant.ts'
import type { User } from '../users/users.ts'
import { reference, type Place } from './page.ts'
import { identityJson } from './transactions.ts'

/** The states of a workflow, which are also the filter's values. */
export const workflowStatuses = [
  'settled',
  'released',
  'claimed',
  'reconciliation_required',
  'expired',
  'authorized',
  'needs_approval',
  'unknown',
] as const

/** One operation: its newest revision, with hold. `id` is the decision's. */
export interface WorkflowRow extends Place {
  operation_key: string
  revision: bigint
  agent_id: string
  agent_public_id: string
  account_public_id: string
  outcome: Outcome
  policy_decision: string
  amount_cents: bigint
  execution_scope: string | null
  task_id: string | null
  reason: string
  lease_profile: string
  hold_id: string | null
  hold_budget_public_id: string | null
  hold_amount_cents: bigint | null
  hold_status: string | null
  hold_expires_at: Instant | null
  ledger_transaction_id: string | null
}

/** A workflow with what an executor did about it. */
export interface Workflow {
  row: WorkflowRow
  claim: Claim | undefined
  settlement: Settlement | undefined
  status: string
}

/** The owner's workflows, newest first, after a place; `agentId` is internal. */
export function workflows(
  rows: Rows,
  owner: User,
  now: Instant,
  filter: { agentId?: string; after?: Place },
): Workflow[] {
  const agent = filter.agentId === undefined ? '' : 'and attempts.agent_id = ?'
  const after = filter.after === undefined ? '' : 'and (decisions.created_at, decisions.id) < (?, ?)'
  const found = rows.all<WorkflowRow>(
    `select decisions.id, decisions.created_at, attempts.operation_key, attempts.revision, attempts.agent_id,
       agents.public_id as agent_public_id, agent_accounts.public_id as account_public_id, attempts.outcome,
       decisions.policy_decision, attempts.amount_cents, attempts.execution_scope, attempts.task_id, attempts.reason,
       attempts.lease_profile, holds.id as hold_id, budgets.public_id as hold_budget_public_id,
       holds.amount_cents as hold_amount_cents, holds.status as hold_status, holds.expires_at as hold_expires_at,
       payments.ledger_transaction_id
     from attempts
     join decisions on decisions.attempt_sequence = attempts.sequence
     join agents on agents.id = attempts.agent_id
     join agent_accounts on agent_accounts.id = attempts.account_id
     left join holds on holds.decision_id = decisions.id
     left join budgets on budgets.id = holds.budget_id
     left join payments on payments.decision_id = decisions.id
     where attempts.owner_id = ? and attempts.outcome <> 'denied' ${agent} ${after}
       and attempts.revision = (select max(revision) from attempts as later
         where later.agent_id = attempts.agent_id and later.operation_key = attempts.operation_key)
     order by decisions.created_at desc, decisions.id desc`,
    ...[owner.id, ...(filter.agentId === undefined ? [] : [filter.agentId])],
    ...(filter.after === undefined ? [] : [filter.after.created_at, filter.after.id]),
  )
  return found.map((row) => {
    const claim = rows.get<Claim>(
      'select * from claims where agent_id = ? and operation_key = ?',
      row.agent_id,
      row.operation_key,
    )
    const settlement = claim && rows.get<Settlement>('select * from settlements where claim_id = ?', claim.id)
    return { row, claim, settlement, status: statusOf(row, claim, now) }
  })
}

/** A workflow on the wire. */
export function workflowJson(rows: Rows, now: Instant, { row, claim, settlement, status }: Workflow) {
  const scope = storedScope(row.execution_scope)
  const posting =
    settlement && rows.get<{ id: string }>('select id from provider_postings where settlement_id = ?', settlement.id)
  return {
    id: row.id,
    workflow_id: row.id,
    decision_id: row.id,
    created_at: writeInstant(row.created_at),
    revision: row.revision,
    agent_id: row.agent_public_id,
    account_id: row.account_public_id,
    decision: row.outcome === 'allowed' ? 'allow' : 'needs_approval',
    policy_decision: row.policy_decision,
    status,
    authorized_max_cents: row.amount_cents,
    currency: 'usd',
    provider: identityJson(scope?.provider),
    billing_merchant: identityJson(scope?.billing_merchant),
    budget_hold: holdJson(row),
    claim: claim === undefined ? null : claimJson(claim, row, now),
    receipt: settlement === undefined ? null : receiptJson(settlement),
    ledger_transaction_ids: [posting?.id, row.ledger_transaction_id].filter((id) => typeof id === 'string'),
    purpose_reference: reference(row.reason),
    task_reference: reference(row.task_id),
    raw_evidence_redacted: true,
  }
}

/** From the claim if there is one, else from the hold, else from the attempt. */
function statusOf(row: WorkflowRow, claim: Claim | undefined, now: Instant): string {
  if (claim !== undefined) return needsReconciliation(claim, now) ? 'reconciliation_required' : claim.status
  if (row.hold_status !== null) return row.hold_status === 'frozen' ? 'authorized' : row.hold_status
  return row.outcome === 'pending_approval' ? 'needs_approval' : 'unknown'
}

function holdJson(row: WorkflowRow) {
  if (row.hold_id === null || row.hold_expires_at === null) return null
  return {
    id: row.hold_id,
    budget_id: row.hold_budget_public_id,
    budget_version_id: null,
    amount_cents: row.hold_amount_cents,
    currency: 'usd',
    status: row.hold_status,
    expires_at: writeInstant(row.hold_expires_at),
  }
}

function claimJson(claim: Claim, row: WorkflowRow, now: Instant) {
  const instant = (value: Instant | null) => (value === null ? null : writeInstant(value))
  return {
    id: claim.id,
    status: claim.status,
    claimed_at: writeInstant(claim.claimed_at),
    expires_at: writeInstant(claim.expires_at),
    finalized_at: instant(claim.finalized_at),
    reconciliation_required: needsReconciliation(claim, now),
    reconciled_at: instant(claim.reconciled_at),
    reconciliation_outcome: claim.outcome,
    lease_profile_reference: reference(row.lease_profile),
    reconciliation_evidence_reference: reference(claim.evidence),
    provider_reference: reference(claim.provider_reference),
  }
}

function receiptJson(settlement: Settlement) {
  const { cost_amount, cost_scale } = settlement
  return {
    settlement_id: settlement.id,
    created_at: writeInstant(settlement.created_at),
    authorized_max_cents: settlement.authorized_max_cents,
    actual_vendor_cost: { amount: cost_amount.toString(), scale: cost_scale, currency: 'usd' },
    budget_charge_cents: settlement.charge_cents,
    released_amount_cents: settlement.released_cents,
    overrun_amount_cents: settlement.overrun_cents,
    currency: 'usd',
    provider_request_reference: reference(settlement.provider_request_id),
    artifact_reference: reference(settlement.artifact_reference),
    price_model_reference: reference(settlement.price_model_snapshot),
  }
}
