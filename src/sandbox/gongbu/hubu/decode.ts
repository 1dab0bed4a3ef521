// Pure: JSON that Hubu answered, read strictly. Undefined means undecodable.
import type { ExecutionScope, ScopeIdentity } from '../executions/scope.ts'
import type { HubuClaim, SpendSnapshot } from './hubu.ts'

type Members = Readonly<Record<string, unknown>>

/** The spend snapshot. Unknown members are ignored, except inside a scope. */
export function decodeSpend(value: unknown): SpendSnapshot | undefined {
  if (!isMembers(value) || !isMembers(value.budget_hold)) return undefined
  const hold = value.budget_hold
  const scope = value.execution_scope === undefined || value.execution_scope === null ? null : value.execution_scope
  const decodedScope = scope === null ? null : decodeScope(scope)
  const texts = [
    'operation_key',
    'reason',
    'spend_auth_token_id',
    'decision_id',
    'account_id',
    'agent_id',
    'currency',
    'lease_profile',
    'status',
    'expires_at',
  ]
  if (!texts.every((name) => typeof value[name] === 'string') || !isInteger(value.amount_cents)) return undefined
  if (decodedScope === undefined || !isTextOrNull(value.task_id) || !isTextOrNull(value.merchant)) return undefined
  if (!['hold_id', 'budget_id', 'status'].every((name) => typeof hold[name] === 'string')) return undefined
  const amounts = ['amount_cents', 'consumed_amount_cents', 'frozen_amount_cents', 'remaining_amount_cents']
  if (!amounts.every((name) => isInteger(hold[name]))) return undefined
  return {
    operationKey: value.operation_key as string,
    reason: value.reason as string,
    tokenId: value.spend_auth_token_id as string,
    decisionId: value.decision_id as string,
    accountId: value.account_id as string,
    agentId: value.agent_id as string,
    amountCents: value.amount_cents,
    currency: value.currency as string,
    scope: decodedScope,
    taskId: (value.task_id as string | null | undefined) ?? null,
    leaseProfile: value.lease_profile as string,
    status: value.status as string,
    expiresAt: value.expires_at as string,
    hold: { holdId: hold.hold_id as string, status: hold.status as string, amountCents: hold.amount_cents as number },
  }
}

/** The claim. */
export function decodeClaim(value: unknown): HubuClaim | undefined {
  if (!isMembers(value)) return undefined
  const texts = ['operation_key', 'claim_id', 'lease_profile', 'status', 'claimed_at', 'claim_expires_at']
  if (!texts.every((name) => typeof value[name] === 'string')) return undefined
  if (typeof value.reconciliation_required !== 'boolean') return undefined
  if (!isTextOrNull(value.finalized_at) || !isTextOrNull(value.settlement_id)) return undefined
  const spend = decodeSpend(value.spend)
  if (spend === undefined) return undefined
  return {
    operationKey: value.operation_key as string,
    claimId: value.claim_id as string,
    status: value.status as string,
    spend,
  }
}

/** The settlement, of which only the id is required. */
export function decodeSettlement(value: unknown): { settlementId: string } | undefined {
  if (!isMembers(value) || typeof value.settlement_id !== 'string' || value.settlement_id === '') return undefined
  return { settlementId: value.settlement_id }
}

/** Whether `GET /version` of Hubu names our product version and the contract. */
export function isCompatibleVersion(value: unknown, productVersion: string, contract: string): boolean {
  return isMembers(value) && value.product_version === productVersion && value.executor_contract === contract
}

function decodeScope(value: unknown): ExecutionScope | undefined {
  if (!isMembers(value) || !isInteger(value.schema_version) || Object.keys(value).length !== 5) return undefined
  const [provider, executor, capability, billing_merchant] = [
    decodeIdentity(value.provider),
    decodeIdentity(value.executor),
    decodeIdentity(value.capability),
    decodeIdentity(value.billing_merchant),
  ]
  if (!provider || !executor || !capability || !billing_merchant) return undefined
  return { schema_version: value.schema_version, provider, executor, capability, billing_merchant }
}

function decodeIdentity(value: unknown): ScopeIdentity | undefined {
  if (!isMembers(value) || Object.keys(value).length !== 2) return undefined
  if (typeof value.id !== 'string' || typeof value.display_name !== 'string') return undefined
  return { id: value.id, display_name: value.display_name }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function isTextOrNull(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string'
}
