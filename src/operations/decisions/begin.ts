// Pure: what a spend call may do with the operation that it stands for.
import type { CallIdentity } from '../../identity/call-identity.ts'
import { RouterError } from '../../errors/router-error.ts'
import type { OperationRow } from '../row.ts'
import type { Seen, SpendRefusal } from '../spend-turn.ts'
import { isDecided, storedRefusal } from '../stored-decision.ts'

/** What the row lets its call do. */
export type Begun =
  | { kind: 'refused'; refusal: SpendRefusal }
  | { kind: 'stored'; result: string }
  /** Another delivery is waiting for Hubu's answer. */
  | { kind: 'busy' }
  /** Nobody is: whoever takes it sends. */
  | { kind: 'dispatch'; operationKey: string; isRepeated: boolean; isWaiting: boolean }

/**
 * Decides it. `isHeld`: somebody who is alive has the dispatch. A stored result that is not final answers only a delivery that waited
 * for it. Throws `operation_registry_error` for an operation without a key.
 */
export function decideBegin(row: OperationRow, isHeld: boolean, seen: Seen | undefined): Begun {
  const refusal = storedRefusal(row)
  if (refusal !== null) return { kind: 'refused', refusal }
  if (row.result_json !== null && (isDecided(row) || isNews(row, seen)))
    return { kind: 'stored', result: row.result_json }
  if (row.operation_key === null)
    throw new RouterError('operation_registry_error', 'The operation cannot be sent any more.')
  if (isHeld) return { kind: 'busy' }
  return {
    kind: 'dispatch',
    operationKey: row.operation_key,
    isRepeated: row.dispatch_started_at !== null,
    isWaiting: row.decision === 'needs_approval',
  }
}

/** Whether the stored result is another one than a waiting delivery saw when it began to wait. */
export function isNews(row: OperationRow, seen: Seen | undefined): boolean {
  return seen !== undefined && row.result_recorded_at !== seen.recordedAt
}

/** Whether an operation was allocated for this very call. */
export function isSameCall(row: OperationRow, identity: CallIdentity, tool: string, hash: string): boolean {
  return (
    row.request_hash === hash &&
    row.tool_name === tool &&
    row.codex_call_id === identity.codexCallId &&
    row.claude_tool_use_id === identity.claudeToolUseId &&
    row.hubu_invocation_id === identity.hubuInvocationId &&
    row.task_id === identity.taskId
  )
}

/** The answer to a call whose identity belongs to another one; `idsRepeat`: not the first of this client lately. */
export function collision(idsRepeat: boolean): RouterError {
  return new RouterError(
    'identity_collision',
    'This harness call identity already belongs to a call with other arguments, so the router is refusing backend access. ' +
      'Redeliver the original call unchanged; a different purchase needs a harness call of its own.',
    idsRepeat ? { data: { reason: 'ids_repeat' } } : {},
  )
}
