// From staged bytes to stored artifacts.
import type { Execution } from '../executions/execution.ts'
import type { Attempt } from './attempt-store.ts'
import { hold, type RunParts } from './parts.ts'

/**
 * Stores each staged image in order and stops at the first refusal; those before it stay. Then the count must equal what was
 * staged and what the provider says it used. Images that an interrupted delivery stored already are kept as they are.
 */
export async function storeArtifacts(parts: RunParts, execution: Execution, attempt: Attempt): Promise<void> {
  const { artifact: fault } = parts.behaviourOf(execution)
  const staged = parts.attempts.staged(attempt.attemptId)
  for (const [ordinal, image] of staged.entries()) {
    const stored = await parts.artifacts.store({
      executionId: execution.executionId,
      attemptId: attempt.attemptId,
      ordinal,
      image,
      fault,
    })
    if (stored.kind === 'refused') return hold(parts, execution, stored.code, { artifactOutcome: 'failed' })
  }
  const count = parts.artifacts.list(execution.executionId).length
  const used = attempt.usage?.images
  const isReported = typeof used === 'number' && used >= 0
  if (count !== staged.length || (isReported && used !== count))
    return hold(parts, execution, 'artifact_count_mismatch', { artifactOutcome: 'failed' })
  parts.database
    .transaction(() => {
      parts.attempts.dropStaged(attempt.attemptId)
      parts.executions.change(execution, { status: 'settling', artifactOutcome: 'succeeded' }, parts.timestamp())
    })
    .immediate()
}
