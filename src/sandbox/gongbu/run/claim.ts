// Claiming the authorization, and looking at the claim just before the provider (G 3.3, "Claim", "Claim check").
import type { Execution } from '../executions/execution.ts'
import { callWithFault } from '../hubu/faults.ts'
import { fail, hold, spendRequestOf, type RunRoom } from './room.ts'

/**
 * Claims at Hubu. That the call is about to leave is stored first, so a repetition after a crash is known as one: its refusal
 * does not prove that the first try had no effect, and the money is held instead of forgotten.
 */
export async function claim(room: RunRoom, execution: Execution, repeated: boolean): Promise<void> {
  const at = room.timestamp()
  const current = repeated ? execution : room.executions.change(execution, { claimStartedAt: at }, at)
  const fault = repeated ? undefined : room.behaviourOf(execution).claim
  const claimed = await callWithFault(fault, 'claim', () => room.hubu.claim(spendRequestOf(current)))
  switch (claimed.kind) {
    case 'ok':
      room.executions.change(current, { status: 'claimed', claimId: claimed.value.claimId }, room.timestamp())
      return
    case 'refused':
      return repeated ? hold(room, current, claimed.code) : fail(room, current, claimed.code)
    case 'lost':
      return hold(room, current, claimed.code)
  }
}

/** Checks that the claim is alive and ours, then creates the single attempt together with `executing`. */
export async function checkClaim(room: RunRoom, execution: Execution): Promise<void> {
  if (execution.claimId === null) return hold(room, execution, 'hubu_claim_missing')
  const inspected = await room.hubu.inspectClaim(execution.claimId)
  if (inspected.kind !== 'ok') return hold(room, execution, inspected.code)
  const { status, operationKey, spend } = inspected.value
  const isActive = status === 'claimed' || status === 'active'
  if (!isActive || operationKey !== execution.operationKey || spend.accountId !== execution.accountId)
    return hold(room, execution, 'hubu_claim_not_active')
  room.database
    .transaction(() => {
      const at = room.timestamp()
      room.executions.change(execution, { status: 'executing' }, at)
      room.attempts.create(room.newId(), execution.executionId, execution.provider, at)
    })
    .immediate()
}
