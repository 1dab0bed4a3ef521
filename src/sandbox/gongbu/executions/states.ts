// Pure: the statuses of an execution and the moves between them (G 3.1, 3.2).

/** The nine statuses of G 3.1. */
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

/** The table of G 3.2: from each status, where it may go. */
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

/** Whether G 3.2 allows the move. Staying is no move and always allowed, except in a final status. */
export function mayMove(from: ExecutionStatus, to: ExecutionStatus): boolean {
  if (isFinal(from)) return false
  return from === to || transitions[from].includes(to)
}

/** Whether nothing about the execution changes any more (G 3.1). */
export function isFinal(status: ExecutionStatus): boolean {
  return transitions[status].length === 0
}
