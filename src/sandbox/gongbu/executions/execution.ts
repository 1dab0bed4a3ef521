// What an execution is, as it is stored.
import type { PriceSnapshot } from '../prices/estimate.ts'
import type { ExecutionScope } from './scope.ts'
import type { ExecutionStatus } from './states.ts'

/** The four parts that name a target. */
export interface TargetKey {
  workloadType: string
  provider: string
  adapter: string
  model: string
}

/** One durable unit of provider work. Times are RFC 3339 in UTC with milliseconds; money in minor units. */
export interface Execution extends TargetKey {
  executionId: string
  accountId: string
  operationKey: string
  tokenId: string
  status: ExecutionStatus
  outcome: string | null
  failureCode: string | null
  claimId: string | null
  /** Canonical JSON text of `input`. */
  normalizedInput: string
  /** Decimal text, because it may need 64 bits. */
  inputSchemaVersion: string
  targetVersion: string
  targetDigest: string
  price: PriceSnapshot
  scope: ExecutionScope
  amountMinor: number
  currency: string
  /** Rises by one with every change; changes are compare-and-set on it. */
  version: number
  createdAt: string
  updatedAt: string
  startedAt: string | null
  completedAt: string | null
  /** Set when every check before the claim has passed, so that a resumed run goes straight to the claim. */
  preflightPassedAt: string | null
  /** Set before the first claim call leaves. */
  claimStartedAt: string | null
  /** Set before a release call of the normal run leaves. */
  releaseStartedAt: string | null
  providerOutcome: SideOutcome | null
  artifactOutcome: SideOutcome | null
  settlementOutcome: SideOutcome | null
}

/** How one side of the work ended; kept, never shown. */
export type SideOutcome = 'succeeded' | 'failed' | 'ambiguous' | 'released'

/** What Hubu said about the authorization when the execution was admitted. */
export interface AuthorizationSnapshot {
  accountId: string
  agentId: string
  operationKey: string
  decisionId: string
  tokenId: string
  amountMinor: number
  currency: string
  scope: ExecutionScope
  leaseProfile: string
  expiresAt: string
  status: string
  taskId: string | null
  reason: string
  holdId: string
}
