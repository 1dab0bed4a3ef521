// The end of the money: settle or release.
import type { Execution } from '../executions/execution.ts'
import { callWithFault } from '../hubu/faults.ts'
import type { HubuResult, SettleRequest } from '../hubu/hubu.ts'
import { settlementAmount } from '../prices/estimate.ts'
import type { Attempt, Receipt } from './attempt-store.ts'
import { hold, type RunParts } from './parts.ts'

/** Gives the money back after a proven provider failure. "Release started" is stored first. */
export async function release(parts: RunParts, execution: Execution, attempt: Attempt): Promise<void> {
  const at = parts.timestamp()
  const current = parts.executions.change(execution, { releaseStartedAt: at }, at)
  const fault = parts.behaviourOf(execution).release
  const released = await callWithFault(fault, 'release', () => sendRelease(parts, current))
  if (released.kind !== 'ok') return hold(parts, current, released.code)
  finishReleased(parts, current, attempt.failureCode ?? 'provider_failed')
}

/** Pays for what the provider reported. The receipt and "settlement started" are stored first. */
export async function settle(parts: RunParts, execution: Execution, attempt: Attempt): Promise<void> {
  const receipt = receiptOf(parts, execution, attempt)
  if (receipt === undefined) return hold(parts, execution, 'invalid_provider_usage')
  parts.attempts.startSettlement(receipt.receiptId, parts.timestamp())
  const fault = parts.behaviourOf(execution).settle
  const settled = await callWithFault(fault, 'settlement', () => sendSettle(parts, execution, receipt))
  if (settled.kind !== 'ok')
    return hold(parts, execution, settled.code, { settlementOutcome: settled.kind === 'lost' ? 'ambiguous' : 'failed' })
  finishSettled(parts, execution, receipt, settled.value.settlementId)
}

/** The stored receipt, or a new one; undefined when the reported usage cannot be charged. */
function receiptOf(parts: RunParts, execution: Execution, attempt: Attempt): Receipt | undefined {
  const stored = parts.attempts.receipt(execution.executionId)
  if (stored !== undefined) return stored
  const amountMinor = settlementAmount(execution.price, attempt.usage?.images, execution.amountMinor)
  if (amountMinor === undefined) return undefined
  const fresh = {
    receiptId: `receipt-${execution.executionId}`,
    executionId: execution.executionId,
    amountMinor,
    currency: execution.currency,
  }
  parts.attempts.createReceipt(fresh, parts.timestamp())
  return parts.attempts.receipt(execution.executionId)
}

/** Sends the settlement that the receipt describes; the same bytes at every repetition. */
export async function sendSettle(
  parts: RunParts,
  execution: Execution,
  receipt: Receipt,
): Promise<HubuResult<{ settlementId: string }>> {
  const agent = agentOf(parts, execution)
  if (agent.kind !== 'ok') return agent
  const request: SettleRequest = {
    agentId: agent.value,
    operationKey: execution.operationKey,
    amountCents: receipt.amountMinor,
    receiptId: receipt.receiptId,
    price: {
      provider: execution.provider,
      model: execution.model,
      unitPriceCents: execution.price.estimated_amount_minor,
      currency: receipt.currency,
    },
    artifactReference: `gongbu://execution/${execution.executionId}`,
  }
  return parts.hubu.settle(request)
}

/** Sends the release of the execution's claim. */
export async function sendRelease(parts: RunParts, execution: Execution): Promise<HubuResult<null>> {
  const agent = agentOf(parts, execution)
  if (agent.kind !== 'ok') return agent
  return parts.hubu.release({ agentId: agent.value, operationKey: execution.operationKey })
}

/** Stores the settlement and ends as `succeeded`, both or none. */
export function finishSettled(parts: RunParts, execution: Execution, receipt: Receipt, settlementId: string): void {
  parts.database
    .transaction(() => {
      const at = parts.timestamp()
      parts.attempts.settle(receipt.receiptId, settlementId, at)
      parts.executions.change(
        execution,
        {
          status: 'succeeded',
          outcome: 'succeeded',
          failureCode: null,
          completedAt: at,
          settlementOutcome: 'succeeded',
        },
        at,
      )
    })
    .immediate()
}

/** Ends as `released` with the given outcome. */
export function finishReleased(parts: RunParts, execution: Execution, outcome: string): void {
  const at = parts.timestamp()
  parts.executions.change(
    execution,
    { status: 'released', outcome, failureCode: null, completedAt: at, settlementOutcome: 'released' },
    at,
  )
}

/** The agent to name, if the stored authorization is this execution's. */
function agentOf(parts: RunParts, execution: Execution): Extract<HubuResult<string>, { kind: 'ok' | 'refused' }> {
  const snapshot = parts.executions.snapshot(execution.executionId)
  if (snapshot === undefined) return { kind: 'refused', code: 'persisted_hubu_authorization_unavailable' }
  const isOurs =
    snapshot.accountId === execution.accountId &&
    snapshot.operationKey === execution.operationKey &&
    snapshot.tokenId === execution.tokenId
  if (!isOurs) return { kind: 'refused', code: 'persisted_hubu_authorization_identity_mismatch' }
  return { kind: 'ok', value: snapshot.agentId }
}
