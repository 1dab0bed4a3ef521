// The end of the money: settle or release (G 3.3, "Release", "Settlement"; G 4.5, 4.6).
import type { Execution } from '../executions/execution.ts'
import { callWithFault } from '../hubu/faults.ts'
import type { HubuResult, SettleRequest } from '../hubu/hubu.ts'
import { settlementAmount } from '../prices/estimate.ts'
import type { Attempt, Receipt } from './attempt-store.ts'
import { hold, type RunRoom } from './room.ts'

/** Gives the money back after a proven provider failure. "Release started" is stored first. */
export async function release(room: RunRoom, execution: Execution, attempt: Attempt): Promise<void> {
  const at = room.timestamp()
  const current = room.executions.change(execution, { releaseStartedAt: at }, at)
  const fault = room.behaviourOf(execution).release
  const released = await callWithFault(fault, 'release', () => sendRelease(room, current))
  if (released.kind !== 'ok') return hold(room, current, released.code)
  finishReleased(room, current, attempt.failureCode ?? 'provider_failed')
}

/** Pays for what the provider reported. The receipt and "settlement started" are stored first. */
export async function settle(room: RunRoom, execution: Execution, attempt: Attempt): Promise<void> {
  const receipt = receiptOf(room, execution, attempt)
  if (receipt === undefined) return hold(room, execution, 'invalid_provider_usage')
  room.attempts.startSettlement(receipt.receiptId, room.timestamp())
  const fault = room.behaviourOf(execution).settle
  const settled = await callWithFault(fault, 'settlement', () => sendSettle(room, execution, receipt))
  if (settled.kind !== 'ok')
    return hold(room, execution, settled.code, { settlementOutcome: settled.kind === 'lost' ? 'ambiguous' : 'failed' })
  finishSettled(room, execution, receipt, settled.value.settlementId)
}

/** The stored receipt, or a new one; undefined when the reported usage cannot be charged (G 3.8, 5.3). */
function receiptOf(room: RunRoom, execution: Execution, attempt: Attempt): Receipt | undefined {
  const stored = room.attempts.receipt(execution.executionId)
  if (stored !== undefined) return stored
  const amountMinor = settlementAmount(execution.price, attempt.usage?.images, execution.amountMinor)
  if (amountMinor === undefined) return undefined
  const fresh = {
    receiptId: `receipt-${execution.executionId}`,
    executionId: execution.executionId,
    amountMinor,
    currency: execution.currency,
  }
  room.attempts.createReceipt(fresh, room.timestamp())
  return room.attempts.receipt(execution.executionId)
}

/** Sends the settlement that the receipt describes; the same bytes at every repetition. */
export async function sendSettle(
  room: RunRoom,
  execution: Execution,
  receipt: Receipt,
): Promise<HubuResult<{ settlementId: string }>> {
  const agent = agentOf(room, execution)
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
  return room.hubu.settle(request)
}

/** Sends the release of the execution's claim. */
export async function sendRelease(room: RunRoom, execution: Execution): Promise<HubuResult<null>> {
  const agent = agentOf(room, execution)
  if (agent.kind !== 'ok') return agent
  return room.hubu.release({ agentId: agent.value, operationKey: execution.operationKey })
}

/** Stores the settlement and ends as `succeeded`, both or none. */
export function finishSettled(room: RunRoom, execution: Execution, receipt: Receipt, settlementId: string): void {
  room.database
    .transaction(() => {
      const at = room.timestamp()
      room.attempts.settle(receipt.receiptId, settlementId, at)
      room.executions.change(
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
export function finishReleased(room: RunRoom, execution: Execution, outcome: string): void {
  const at = room.timestamp()
  room.executions.change(
    execution,
    { status: 'released', outcome, failureCode: null, completedAt: at, settlementOutcome: 'released' },
    at,
  )
}

/** The agent to name, if the stored authorization is this execution's (G 4.5). */
function agentOf(room: RunRoom, execution: Execution): Extract<HubuResult<string>, { kind: 'ok' | 'refused' }> {
  const snapshot = room.executions.snapshot(execution.executionId)
  if (snapshot === undefined) return { kind: 'refused', code: 'persisted_hubu_authorization_unavailable' }
  const isOurs =
    snapshot.accountId === execution.accountId &&
    snapshot.operationKey === execution.operationKey &&
    snapshot.tokenId === execution.tokenId
  if (!isOurs) return { kind: 'refused', code: 'persisted_hubu_authorization_identity_mismatch' }
  return { kind: 'ok', value: snapshot.agentId }
}
