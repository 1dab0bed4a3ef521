// Admission: every reason to refuse a create, in the order of G 2.2, then the one durable fact and its scheduling.
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

/** The two reasons that are told (G 1.7). */
export type Diagnostic = 'target_not_selectable' | 'pricing_selector_not_matched'

/** How a create ended. */
export type Admission =
  | { kind: 'admitted'; execution: Execution }
  | { kind: 'invalid'; diagnostic?: Diagnostic }
  | { kind: 'conflict' }
  | { kind: 'internal' }

/** What admission works with. */
export interface AdmissionRoom {
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

/** What the caller of the legacy route may assert about an authorization (G 2.3). */
export interface Asserted {
  operationKey: string
  amountMinor: number
  currency: string
  scope: ExecutionScope
  /** Null for new work. */
  claimId: string | null
}

/** Whether the caller's assertions hold; the v2 route asserts nothing. */
export type Assertion = (found: Asserted) => boolean

interface Priced {
  target: Target
  price: PriceSnapshot
}

const refused: Admission = { kind: 'invalid' }

/** Admits a request that is well formed (A4 to A19). Repeating one that was admitted gives the same execution. */
export async function create(
  room: AdmissionRoom,
  request: CreateRequest,
  holds: Assertion = () => true,
): Promise<Admission> {
  const known = replay(room, request, holds)
  if (known !== undefined) return known
  const priced = judge(room, request)
  if (priced.kind !== 'priced') return priced
  const resolved = await room.hubu.resolve(request.tokenId)
  // An equal create may have been stored while Hubu answered; then this one is its repetition, whatever Hubu said.
  const meanwhile = replay(room, request, holds)
  if (meanwhile !== undefined) return meanwhile
  if (resolved.kind === 'refused') return refused
  if (resolved.kind === 'lost') return { kind: 'internal' }
  const spend = resolved.value
  const scope = scopeOf(request.provider, request.adapter)
  if (scope === undefined) return refused
  const now = room.now()
  const expected = { tokenId: request.tokenId, price: priced.price, scope, now, accountId: room.boundAccountId }
  if (!agrees(spend, expected)) return refused
  const execution = newExecution(room, request, priced, spend, scope, now)
  if (!holds(execution)) return refused
  if (room.executions.byOperation(spend.accountId, spend.operationKey) !== undefined) return { kind: 'conflict' }
  try {
    room.executions.insert(execution, snapshotOf(spend, execution))
  } catch {
    return replay(room, request, holds) ?? { kind: 'internal' }
  }
  return scheduled(room, execution)
}

/** A4: the execution that already belongs to the token, if any. */
function replay(room: AdmissionRoom, request: CreateRequest, holds: Assertion): Admission | undefined {
  const stored = room.executions.byToken(request.tokenId)
  if (stored === undefined) return undefined
  if (room.boundAccountId !== undefined && stored.accountId !== room.boundAccountId) return refused
  if (!isSame(stored, request) || !holds(stored)) return { kind: 'conflict' }
  return stored.status === 'pending' ? scheduled(room, stored) : { kind: 'admitted', execution: stored }
}

/** A5 to A10, and what must not be stored. Hubu has not been asked yet. */
function judge(room: AdmissionRoom, request: CreateRequest): Exclude<Admission, { kind: 'admitted' }> | PricedRequest {
  if (!isWellFormedTarget(request)) return { kind: 'invalid' }
  const target = room.providersEnabled ? room.targets.selectable(request) : undefined
  if (target === undefined || !hasPrice(room.catalog, request))
    return { kind: 'invalid', diagnostic: 'target_not_selectable' }
  const pricing = priceInput(room.catalog, request, request.input, room.limits)
  if (pricing.kind === 'no-rule') return { kind: 'invalid', diagnostic: 'pricing_selector_not_matched' }
  if (pricing.kind === 'invalid') return { kind: 'invalid' }
  const mustNotBeStored =
    hasSensitiveName(request.input) ||
    [request.input, request.tokenId].some((value) => containsSecret(value, room.secrets))
  if (mustNotBeStored) return { kind: 'invalid' }
  return { kind: 'priced', target, price: pricing.price }
}

type PricedRequest = Priced & { kind: 'priced' }

/** A17. When it fails the row stays `pending`, and repeating the request is safe. */
function scheduled(room: AdmissionRoom, execution: Execution): Admission {
  try {
    room.schedule(execution.executionId)
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
  room: AdmissionRoom,
  request: CreateRequest,
  { target, price }: Priced,
  spend: SpendSnapshot,
  scope: ExecutionScope,
  now: Date,
): Execution {
  const at = now.toISOString()
  return {
    executionId: room.newId(),
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
