// One attempt to leave `reconciliation_required`. It never calls the provider.
import type { Execution } from '../executions/execution.ts'
import { finishReleased, finishSettled, sendRelease, sendSettle } from './finalize.ts'
import { spendRequestOf, type RunParts } from './parts.ts'
import type { Attempt } from './attempt-store.ts'
import type { OperatorActionName } from '../reconciliation/store.ts'

/** Tries once. `reinspect` is what the automatic attempts do. Unless it succeeds, nothing changes but a claim id found. */
export async function reconcile(parts: RunParts, executionId: string, action: OperatorActionName): Promise<void> {
  const held = parts.executions.byId(executionId)
  if (held?.status !== 'reconciliation_required') return
  const attempt = parts.attempts.ofExecution(executionId)
  const execution = attempt === undefined && held.claimId === null ? await claimAgain(parts, held) : held
  if (execution === undefined) return
  const receipt = parts.attempts.receipt(executionId)
  if (action !== 'release' && receipt !== undefined && isDelivered(parts, attempt)) {
    const settled = await sendSettle(parts, execution, receipt)
    if (settled.kind === 'ok') finishSettled(parts, execution, receipt, settled.value.settlementId)
    return
  }
  if (action === 'settle' || !isSafeToRelease(execution, attempt)) return
  const released = await sendRelease(parts, execution)
  if (released.kind === 'ok') finishReleased(parts, execution, 'recovered_release')
}

/** A claim whose answer was lost is claimed again under the same key; undefined when that fails too. */
async function claimAgain(parts: RunParts, execution: Execution): Promise<Execution | undefined> {
  const claimed = await parts.hubu.claim(spendRequestOf(execution))
  if (claimed.kind !== 'ok') return undefined
  return parts.executions.change(execution, { claimId: claimed.value.claimId }, parts.timestamp())
}

/** Whether the provider's work is here and may be paid. */
function isDelivered(parts: RunParts, attempt: Attempt | undefined): boolean {
  return attempt?.outcome === 'succeeded' && attempt.usage !== null && parts.artifacts.hasAny(attempt.attemptId)
}

/** Whether it is certain that the provider did nothing that costs. */
function isSafeToRelease(execution: Execution, attempt: Attempt | undefined): boolean {
  if (attempt === undefined) return execution.claimId !== null
  return attempt.transmissionStartedAt === null || attempt.outcome === 'failed'
}
