// Admission: every reason to refuse a create, in an order that callers can tell, then the one durable fact and its scheduling.
import type { AuthorizationSnapshot, Execution } from '../executions/execution.ts'
import { scopeOf, type ExecutionScope } from '../executions/scope.ts'
import type { ExecutionStore } from '../executions/store.ts'
import type { Hubu, SpendSnapshot } from '../hubu/hubu.ts'
import type { PriceCatalog } from '../prices/catalog.ts'
import { hasPrice, type PriceSnapshot } from '../prices/estimate.ts'
import { agrees } from './agreement.ts'
import { priceInput, type PricingLimits } from './pricing.ts'
import { isWellFormedTarget, type CreateRequest } from './request-body.ts'
import { containsSecret, hasSensitiveName } from './sensitive.ts'
import type { Target, Targets } from './targets.ts'

/** The two reasons that are told. */
export type Diagnostic = 'target_not_selectable' | 'pricing_selector_not_matched'

/** How a create ended. */
export type Admission =
  | { kind: 'admitted'; execution: Execution }
  | { kind: 'invalid'; diagnostic?: Diagnostic }
  | { kind: 'conflict' }
  | { kind: 'internal' }

/** The stores, ports and limits of admission. */
export interface AdmissionParts {
  executions: ExecutionStore
  hubu: Hubu
  targets: Targets
  catalog: PriceCatalog
  limits: PricingLimits
  providersEnabled: boolean
  /** Texts that must never be stored. */
  secrets: readonly string[]
  boundAccountId?: string
  now(): Date
  newId(): string
  /** Hands an execution to the scheduler; throws when that fails. */
  schedule(executionId: string): void
}

interface Priced {
  target: Target
  price: PriceSnapshot
}

const refused: Admission = { kind: 'invalid' }

/** Admits a request that is well formed. Repeating one that was admitted gives the same execution. */
export async function create(parts: AdmissionParts, request: CreateRequest): Promise<Admission> {
  const known = replay(parts, request)
  if (known !== undefined) return known
  const priced = judge(parts, request)
  if (priced.kind !== 'priced') return priced
  const resolved = await parts.hubu.resolve(request.tokenId)
  // An equal create may have been stored while Hubu answered; then this one is its repetition, whatever Hubu said.
  const meanwhile = replay(parts, request)
  if (meanwhile !== undefined) return meanwhile
  if (resolved.kind === 'refused') return refused
  if (resolved.kind === 'lost') return { kind: 'internal' }
  const spend = resolved.value
  const scope = scopeOf(request.provider, request.adapter)
  if (scope === undefined) return refused
  const now = parts.now()
  const expected = { tokenId: request.tokenId, price: priced.price, scope, now, accountId: parts.boundAccountId }
  if (!agrees(spend, expected)) return refused
  const execution = newExecution(parts, request, priced, spend, scope, now)
  if (parts.executions.byOperation(spend.accountId, spend.operationKey) !== undefined) return { kind: 'conflict' }
  try {
    parts.executions.insert(execution, snapshotOf(spend, execution))
  } catch {
    return replay(parts, request) ?? { kind: 'internal' }
  }
  return scheduled(parts, execution)
}

/** The execution that already belongs to the token, if any. */
function replay(parts: AdmissionParts, request: CreateRequest): Admission | undefined {
  const stored = parts.executions.byToken(request.tokenId)
  if (stored === undefined) return undefined
  if (parts.boundAccountId !== undefined && stored.accountId !== parts.boundAccountId) return refused
  if (!isSame(stored, request)) return { kind: 'conflict' }
  return stored.status === 'pending' ? scheduled(parts, stored) : { kind: 'admitted', execution: stored }
}

/** Target, price and what must not be stored. Hubu has not been asked yet. */
function judge(
  parts: AdmissionParts,
  request: CreateRequest,
): Exclude<Admission, { kind: 'admitted' }> | PricedRequest {
  if (!isWellFormedTarget(request)) return { kind: 'invalid' }
  const target = parts.providersEnabled ? parts.targets.selectable(request) : undefined
  if (target === undefined || !hasPrice(parts.catalog, request))
    return { kind: 'invalid', diagnostic: 'target_not_selectable' }
  const pricing = priceInput(parts.catalog, request, request.input, parts.limits)
  if (pricing.kind === 'no-rule') return { kind: 'invalid', diagnostic: 'pricing_selector_not_matched' }
  if (pricing.kind === 'invalid') return { kind: 'invalid' }
  const mustNotBeStored =
    hasSensitiveName(request.input) ||
    [request.input, request.tokenId].some((value) => containsSecret(value, parts.secrets))
  if (mustNotBeStored) return { kind: 'invalid' }
  return { kind: 'priced', target, price: pricing.price }
}

type PricedRequest = Priced & { kind: 'priced' }

/** Hands the execution over. When it fails the row stays `pending`, and repeating the request is safe. */
function scheduled(parts: AdmissionParts, execution: Execution): Admission {
  try {
    parts.schedule(execution.executionId)
  } catch {
    return { kind: 'internal' }
  }
  return { kind: 'admitted', execution }
}

function isSame(stored: Execution, request: CreateRequest): boolean {
  return (
    stored.normalizedInput === request.normalizedInput &&
    stored.inputSchemaVersion === request.inputSchemaVersion &&
    stored.workloadType === request.workloadType &&
    stored.provider === request.provider &&
    stored.adapter === request.adapter &&
    stored.model === request.model
  )
}

function newExecution(
  parts: AdmissionParts,
  request: CreateRequest,
  { target, price }: Priced,
  spend: SpendSnapshot,
  scope: ExecutionScope,
  now: Date,
): Execution {
  const at = now.toISOString()
  return {
    executionId: parts.newId(),
    accountId: spend.accountId,
    operationKey: spend.operationKey,
    tokenId: request.tokenId,
    status: 'pending',
    outcome: null,
    failureCode: null,
    claimId: null,
    normalizedInput: request.normalizedInput,
    inputSchemaVersion: request.inputSchemaVersion,
    workloadType: request.workloadType,
    provider: request.provider,
    adapter: request.adapter,
    model: request.model,
    targetVersion: target.version,
    targetDigest: target.digest,
    price,
    scope,
    amountMinor: spend.amountCents,
    currency: price.currency,
    version: 0,
    createdAt: at,
    updatedAt: at,
    startedAt: null,
    completedAt: null,
    preflightPassedAt: null,
    claimStartedAt: null,
    releaseStartedAt: null,
    providerOutcome: null,
    artifactOutcome: null,
    settlementOutcome: null,
  }
}

function snapshotOf(spend: SpendSnapshot, execution: Execution): AuthorizationSnapshot {
  return {
    accountId: spend.accountId,
    agentId: spend.agentId,
    operationKey: spend.operationKey,
    decisionId: spend.decisionId,
    tokenId: spend.tokenId,
    amountMinor: spend.amountCents,
    currency: spend.currency,
    scope: execution.scope,
    leaseProfile: spend.leaseProfile,
    expiresAt: spend.expiresAt,
    status: spend.status,
    taskId: spend.taskId,
    reason: spend.reason,
    holdId: spend.hold.holdId,
  }
}
