// The views of what waits for a person, and of what was decided.
import { createHash } from 'node:crypto'
import { withoutKeys } from '../../redaction/private-operation.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { quotedLabel, quotedText } from '../../terminal/quoted-text.ts'
import { amountOf, digitsIn } from './amount.ts'
import {
  agentNamed,
  amountIn,
  displayNameIn,
  idIn,
  instantIn,
  listIn,
  memberIn,
  quotedIn,
  textIn,
} from './projections.ts'
import type { InboxStatus, Review, ReviewedBudget } from './shown.ts'
import type { Amount, Instant, Quoted } from './words.ts'

/** What belongs to a request and does not stand in its review. */
export interface AroundReview {
  status: InboxStatus
  since: Instant | null
  expiresAt: Instant | null
  operation: string | null
  names: ReadonlyMap<string, string>
  budgets: readonly unknown[]
}

/** One of Hubu's answers about an approval, checked for what everything else is made of. */
export interface ApprovalFacts {
  id: string
  status: 'pending' | 'approved' | 'denied'
  review: unknown
  amount: Amount
  reason: string
}

/** Undefined for an answer in a form that is not known: a review is shown whole or not at all. */
export function approvalIn(value: unknown): ApprovalFacts | undefined {
  const review = memberIn(value, 'review')
  const id = textIn(memberIn(value, 'approval_request_id'))
  const status = memberIn(value, 'status')
  const amount = amountIn(memberIn(review, 'amount_cents'), memberIn(review, 'currency'))
  const reason = textIn(memberIn(review, 'reason'))
  if (id === undefined || amount === undefined || reason === undefined) return undefined
  if (status !== 'pending' && status !== 'approved' && status !== 'denied') return undefined
  return { id, status, review, amount, reason }
}

/** Of everything in a review but the private key of its operation. */
export function reviewDigest(review: unknown): string {
  const { operation_key: _, ...shown } = review as Record<string, unknown>
  return `sha256:${createHash('sha256')
    .update(canonicalJson(withoutKeys(shown)))
    .digest('hex')}`
}

/** The review as a person reads it. */
export function reviewOf({ id, review, amount, reason }: ApprovalFacts, around: AroundReview): Review {
  const scope = memberIn(review, 'execution_scope')
  return {
    id,
    status: around.status,
    since: around.since,
    amount,
    account: idIn(memberIn(review, 'account_id')),
    agent: agentNamed(memberIn(review, 'agent_id'), around.names),
    provider: displayNameIn(memberIn(scope, 'provider')),
    executor: displayNameIn(memberIn(scope, 'executor')),
    capability: displayNameIn(memberIn(scope, 'capability')),
    billingMerchant: displayNameIn(memberIn(scope, 'billing_merchant')),
    merchant: quotedIn(memberIn(review, 'merchant')),
    leaseProfile: quotedLabel(textIn(memberIn(review, 'lease_profile')) ?? 'default'),
    policy: {
      summary: quotedText(textIn(memberIn(review, 'policy_summary')) ?? ''),
      reasons: listIn(memberIn(review, 'policy_reasons')).flatMap((one) => quotedIn(one) ?? []),
    },
    reason: quotedText(reason),
    budget: budgetFor(amount, memberIn(review, 'agent_id'), around.budgets),
    digest: reviewDigest(review),
    operation: around.operation,
    expiresAt: around.expiresAt,
  }
}

/** The first active budget of the agent, before and after; null where none covers anything. */
function budgetFor(amount: Amount, agentId: unknown, budgets: readonly unknown[]): ReviewedBudget | null {
  const budget = budgets.find((one) => memberIn(one, 'agent_id') === agentId && memberIn(one, 'status') === 'active')
  const [limit, free] = ['amount_limit_cents', 'remaining_amount_cents'].map((name) => digitsIn(memberIn(budget, name)))
  if (limit === undefined || free === undefined) return null
  const after = BigInt(free) - BigInt(amount.minor)
  const { currency } = amount
  return {
    id: idIn(memberIn(budget, 'budget_id')),
    limit: amountOf(limit, currency),
    free: amountOf(free, currency),
    after: amountOf(after, currency),
    enough: after >= 0n,
  }
}

/** One row of Hubu's list of workflows, as far as the inbox needs it. */
export interface WorkflowFacts {
  id: string
  status: string
  wasAsked: boolean
  since: Instant
  amount: Amount
  account: string
  agentId: string
  provider: Quoted | null
  merchant: Quoted | null
  holdStatus: string | null
  holdExpiresAt: Instant | null
}

/** Undefined for a row in a form that is not known. */
export function workflowIn(value: unknown): WorkflowFacts | undefined {
  const id = textIn(memberIn(value, 'workflow_id'))
  const since = instantIn(memberIn(value, 'created_at'))
  const amount = amountIn(memberIn(value, 'authorized_max_cents'), memberIn(value, 'currency'))
  if (id === undefined || since === undefined || amount === undefined) return undefined
  const hold = memberIn(value, 'budget_hold')
  return {
    id,
    status: textIn(memberIn(value, 'status')) ?? 'unknown',
    wasAsked: memberIn(value, 'policy_decision') === 'needs_approval',
    since,
    amount,
    account: idIn(memberIn(value, 'account_id')),
    agentId: idIn(memberIn(value, 'agent_id')),
    provider: displayNameIn(memberIn(value, 'provider')),
    merchant: displayNameIn(memberIn(value, 'billing_merchant')),
    holdStatus: textIn(memberIn(hold, 'status')) ?? null,
    holdExpiresAt: instantIn(memberIn(hold, 'expires_at')) ?? null,
  }
}

/** What became of an approved request, by what its authorization keeps. */
export function approvedStatus(workflow: WorkflowFacts | undefined, nowMs: number): 'approved' | 'used' | 'lapsed' {
  if (workflow?.status === 'expired' || workflow?.holdStatus === 'expired') return 'lapsed'
  if (workflow === undefined || workflow.holdStatus === null) return 'used'
  if (workflow.holdStatus !== 'frozen') return 'used'
  const until = workflow.holdExpiresAt
  return until !== null && Date.parse(until) <= nowMs ? 'lapsed' : 'approved'
}
