// Claiming the authorization, and looking at the claim just before the provider.
import type { Execution } from '../executions/execution.ts'
import { callWithFault } from '../hubu/faults.ts'
import { fail, hold, spendRequestOf, type RunParts } from './parts.ts'

/**
 * Claims at Hubu. That the call is about to leave is stored first, so a repetition after a crash is known as one: its refusal
 * does not prove that the first try had no effect, and the money is held instead of forgotten.
 */
export async function claim(parts: RunParts, execution: Execution, repeated: boolean): Promise<void> {
  const at = parts.timestamp()
  const current = repeated ? execution : parts.executions.change(execution, { claimStartedAt: at }, at)
  const fault = repeated ? undefined : parts.behaviourOf(execution).claim
  const claimed = await callWithFault(fault, 'claim', () => parts.hubu.claim(spendRequestOf(current)))
  switch (claimed.kind) {
    case 'ok':
      parts.executions.change(current, { status: 'claimed', claimId: claimed.value.claimId }, parts.timestamp())
      return
    case 'refused':
      return repeated ? hold(parts, current, claimed.code) : fail(parts, current, claimed.code)
    case 'lost':
      return hold(parts, current, claimed.code)
  }
}

/** Checks that the claim is alive and ours, then creates the single attempt together with `executing`. */
export async function checkClaim(parts: RunParts, execution: Execution): Promise<void> {
  if (execution.claimId === null) return hold(parts, execution, 'hubu_claim_missing')
  const inspected = await parts.hubu.inspectClaim(execution.claimId)
  if (inspected.kind !== 'ok') return hold(parts, execution, inspected.code)
  const { status, operationKey, spend } = inspected.value
  const isActive = status === 'claimed' || status === 'active'
  if (!isActive || operationKey !== execution.operationKey || spend.accountId !== execution.accountId)
    return hold(parts, execution, 'hubu_claim_not_active')
  parts.database
    .transaction(() => {
      const at = parts.timestamp()
      parts.executions.change(execution, { status: 'executing' }, at)
      parts.attempts.create(parts.newId(), execution.executionId, execution.provider, at)
    })
    .immediate()
}
