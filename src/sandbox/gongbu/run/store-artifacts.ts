// From staged bytes to stored artifacts (G 3.3, "Artifacts").
import type { Execution } from '../executions/execution.ts'
import type { Attempt } from './attempt-store.ts'
import { hold, type RunRoom } from './room.ts'

/**
 * Stores each staged image in order and stops at the first refusal; those before it stay. Then the count must equal what was
 * staged and what the provider says it used. Images that an interrupted delivery stored already are kept as they are.
 */
export async function storeArtifacts(room: RunRoom, execution: Execution, attempt: Attempt): Promise<void> {
  const { artifact: fault } = room.behaviourOf(execution)
  const staged = room.attempts.staged(attempt.attemptId)
  for (const [ordinal, image] of staged.entries()) {
    const stored = await room.artifacts.store({
      executionId: execution.executionId,
      attemptId: attempt.attemptId,
      ordinal,
      image,
      fault,
    })
    if (stored.kind === 'refused') return hold(room, execution, stored.code, { artifactOutcome: 'failed' })
  }
  const count = room.artifacts.list(execution.executionId).length
  const used = attempt.usage?.images
  const isReported = typeof used === 'number' && used >= 0
  if (count !== staged.length || (isReported && used !== count))
    return hold(room, execution, 'artifact_count_mismatch', { artifactOutcome: 'failed' })
  room.database
    .transaction(() => {
      room.attempts.dropStaged(attempt.attemptId)
      room.executions.change(execution, { status: 'settling', artifactOutcome: 'succeeded' }, room.timestamp())
    })
    .immediate()
}
