// Pure: the statuses of an execution and the moves between them.

/** Where an execution can be. */
export type ExecutionStatus =
  | 'pending'
  | 'preflighting'
  | 'claimed'
  | 'executing'
  | 'settling'
  | 'succeeded'
  | 'failed'
  | 'released'
  | 'reconciliation_required'

/** From each status, where it may go. */
export const transitions: Readonly<Record<ExecutionStatus, readonly ExecutionStatus[]>> = {
  pending: ['preflighting', 'failed'],
  preflighting: ['claimed', 'failed', 'reconciliation_required'],
  claimed: ['executing', 'released', 'reconciliation_required'],
  executing: ['settling', 'released', 'reconciliation_required'],
  settling: ['succeeded', 'reconciliation_required'],
  reconciliation_required: ['succeeded', 'released', 'settling'],
  succeeded: [],
  released: [],
  failed: [],
}

/** Whether the move is allowed. Staying is no move and always allowed, except in a final status. */
export function mayMove(from: ExecutionStatus, to: ExecutionStatus): boolean {
  if (isFinal(from)) return false
  return from === to || transitions[from].includes(to)
}

/** Whether nothing about the execution changes any more. */
export function isFinal(status: ExecutionStatus): boolean {
  return transitions[status].length === 0
}
