// The one provider call of an execution.
import type { Execution } from '../executions/execution.ts'
import type { ProviderResult, ProviderWork } from '../provider/provider.ts'
import type { Attempt } from './attempt-store.ts'
import { inputOf, providerRefusal, targetOf } from './preflight.ts'
import { hold, type RunParts } from './parts.ts'

/**
 * Calls the provider once. "Transmission started" is stored before the call, the result together with its bytes after it;
 * a crash in between is found on the next delivery and never leads to a second call.
 */
export async function callProvider(parts: RunParts, execution: Execution, attempt: Attempt): Promise<void> {
  const refusal = providerRefusal(parts, execution)
  if (refusal !== undefined) {
    parts.attempts.complete(attempt.attemptId, { kind: 'failed', code: refusal }, parts.timestamp())
    return
  }
  const work: ProviderWork = {
    executionId: execution.executionId,
    attemptId: attempt.attemptId,
    workloadType: execution.workloadType,
    provider: execution.provider,
    adapter: execution.adapter,
    model: execution.model,
    input: inputOf(execution),
    inputSchemaVersion: execution.inputSchemaVersion,
    imageCount: execution.price.components[0]?.quantity ?? 0,
  }
  parts.attempts.startTransmission(attempt.attemptId, parts.timestamp())
  const result = checkSuccess(await invoke(parts, targetOf(parts, execution).behaviour, work))
  parts.database
    .transaction(() => {
      parts.attempts.complete(attempt.attemptId, result, parts.timestamp())
      if (result.kind === 'ambiguous') hold(parts, execution, result.code, { providerOutcome: 'ambiguous' })
      else parts.executions.change(execution, { providerOutcome: result.kind }, parts.timestamp())
    })
    .immediate()
}

/** A success without images, usage or a usable id, or with an impossible price, proves nothing. */
function checkSuccess(result: ProviderResult): ProviderResult {
  if (result.kind !== 'succeeded') return result
  const { requestId, operationId, price } = result
  const isIdentified = [requestId, operationId].some((id) => id !== undefined && id.trim() !== '')
  const isPriced = price === undefined || (price.amountMinor >= 0 && price.currency !== undefined)
  if (result.images.length > 0 && result.usage !== undefined && isIdentified && isPriced) return result
  return { kind: 'ambiguous', code: 'invalid_provider_success', requestId, operationId }
}

/** Waits for the provider, at most until its deadline. Rejects when the process gives up waiting. */
function invoke(parts: RunParts, behaviour: Parameters<RunParts['provider']>[0], work: ProviderWork) {
  const giveUp = new AbortController()
  return new Promise<ProviderResult>((resolve, reject) => {
    const abandon = () => {
      giveUp.abort()
      reject(new Error('nobody waits for the provider any more'))
    }
    const cancel = parts.after(parts.providerDeadlineMs, () => {
      giveUp.abort()
      resolve({ kind: 'ambiguous', code: 'timeout_unknown_outcome' })
    })
    parts.abandoned.addEventListener('abort', abandon)
    parts
      .provider(behaviour)
      .invoke(work, giveUp.signal)
      .then(resolve, reject)
      .finally(() => {
        cancel()
        parts.abandoned.removeEventListener('abort', abandon)
      })
  })
}
