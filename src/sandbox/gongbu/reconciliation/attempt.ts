// One attempt to leave `reconciliation_required` (G 3.6, V1 to V6). It never calls the provider.
import type { Execution } from '../executions/execution.ts'
import { finishReleased, finishSettled, sendRelease, sendSettle } from '../run/finalize.ts'
import { spendRequestOf, type RunRoom } from '../run/room.ts'
import type { Attempt } from '../run/attempt-store.ts'
import type { OperatorActionName } from './store.ts'

/** Tries once. `reinspect` is what the automatic attempts do. Unless it succeeds, nothing changes but a claim id found. */
export async function reconcile(room: RunRoom, executionId: string, action: OperatorActionName): Promise<void> {
  const held = room.executions.byId(executionId)
  if (held?.status !== 'reconciliation_required') return
  const attempt = room.attempts.ofExecution(executionId)
  const execution = attempt === undefined && held.claimId === null ? await claimAgain(room, held) : held
  if (execution === undefined) return
  const receipt = room.attempts.receipt(executionId)
  if (action !== 'release' && receipt !== undefined && isDelivered(room, attempt)) {
    const settled = await sendSettle(room, execution, receipt)
    if (settled.kind === 'ok') finishSettled(room, execution, receipt, settled.value.settlementId)
    return
  }
  if (action === 'settle' || !isSafeToRelease(execution, attempt)) return
  const released = await sendRelease(room, execution)
  if (released.kind === 'ok') finishReleased(room, execution, 'recovered_release')
}

/** V3: a claim whose answer was lost is claimed again under the same key; undefined when that fails too. */
async function claimAgain(room: RunRoom, execution: Execution): Promise<Execution | undefined> {
  const claimed = await room.hubu.claim(spendRequestOf(execution))
  if (claimed.kind !== 'ok') return undefined
  return room.executions.change(execution, { claimId: claimed.value.claimId }, room.timestamp())
}

/** V4: whether the provider's work is here and may be paid. */
function isDelivered(room: RunRoom, attempt: Attempt | undefined): boolean {
  return attempt?.outcome === 'succeeded' && attempt.usage !== null && room.artifacts.hasAny(attempt.attemptId)
}

/** V5: whether it is certain that the provider did nothing that costs. */
function isSafeToRelease(execution: Execution, attempt: Attempt | undefined): boolean {
  if (attempt === undefined) return execution.claimId !== null
  return attempt.transmissionStartedAt === null || attempt.outcome === 'failed'
}
