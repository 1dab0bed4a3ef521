// Pure: the answers of call_tool with `detach` and of poll_result, as far as they are data.
import type { StoredDetached } from '../../results/detached-store.ts'

/** What a started call is answered with. */
export function acceptedCall(call: {
  callId: string
  server: string
  tool: string
  downstream: string
  namespaced: string
  timeoutMs: number
}): object {
  return {
    status: 'accepted',
    ...call,
    nextAction: 'Call poll_result with this callId until its status is no longer pending.',
  }
}

/** What is known of a running or failed call; a finished one is answered with its own result. */
export function detachedStatus(state: StoredDetached, nowMs: number): object | undefined {
  const { callId, namespaced, startedAtMs } = state
  if (state.kind === 'pending') {
    const elapsedMs = Math.max(0, nowMs - startedAtMs)
    const hint = 'Still running. Poll again in a few seconds, or cancel it with cancel: true.'
    return { status: 'pending', callId, namespaced, elapsedMs, hint }
  }
  if (state.end.kind === 'result') return undefined
  const elapsedMs = Math.max(0, state.endedAtMs - startedAtMs)
  return { status: 'failed', callId, namespaced, error: state.end.error, elapsedMs }
}

/** Nothing is known of this id. */
export function unknownCall(callId: string): object {
  return {
    status: 'unknown',
    callId,
    reason:
      'No detached call is known under this callId. It was never given, or is older than 24 hours, or was pushed out by newer ' +
      'ones or lost with a restart. If its result was oversized, get_result may still have it under the callId of its receipt.',
  }
}
