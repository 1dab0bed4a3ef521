// The port to Hubu: the calls that an execution makes, whoever answers them.
import type { ExecutionScope } from '../executions/scope.ts'

/**
 * How a call ended. `refused` is proven to have had no effect, `lost` may have had one; `code` is what an execution shows
 * for it.
 */
export type HubuResult<T> =
  { kind: 'ok'; value: T } | { kind: 'refused'; code: string } | { kind: 'lost'; code: string }

/** The spend snapshot, as far as Gongbu uses it. */
export interface SpendSnapshot {
  operationKey: string
  reason: string
  tokenId: string
  decisionId: string
  accountId: string
  agentId: string
  amountCents: number
  currency: string
  scope: ExecutionScope | null
  taskId: string | null
  leaseProfile: string
  status: string
  expiresAt: string
  hold: { holdId: string; status: string; amountCents: number }
}

/** The claim, as far as Gongbu uses it. */
export interface HubuClaim {
  operationKey: string
  claimId: string
  status: string
  spend: SpendSnapshot
}

/** What validate and claim send. */
export interface SpendRequest {
  operationKey: string
  tokenId: string
  accountId: string
  amountCents: number
  currency: string
  scope: ExecutionScope
}

/** What settle sends. */
export interface SettleRequest {
  agentId: string
  operationKey: string
  amountCents: number
  receiptId: string
  price: { provider: string; model: string; unitPriceCents: number; currency: string }
  artifactReference: string
}

/** Hubu. No call ever rejects; each is made once, without retries. */
export interface Hubu {
  resolve(tokenId: string): Promise<HubuResult<SpendSnapshot>>
  validate(request: SpendRequest): Promise<HubuResult<null>>
  claim(request: SpendRequest): Promise<HubuResult<{ claimId: string }>>
  inspectClaim(claimId: string): Promise<HubuResult<HubuClaim>>
  settle(request: SettleRequest): Promise<HubuResult<{ settlementId: string }>>
  release(request: { agentId: string; operationKey: string }): Promise<HubuResult<null>>
  /** Whether Hubu is well and speaks our contract under our product version. */
  isCompatible(productVersion: string): Promise<boolean>
}
