/** Where a mounted server stands. */
export type ServerState =
  | { kind: 'connecting' }
  | { kind: 'connected' }
  /** `error` says why in words that hold no secret; `isLost`: there was a connection, and the next one is being made. */
  | { kind: 'disconnected'; error: string; isLost?: true }

/** The state after a loss. */
export const lostBecause = (reason = 'the connection was lost') =>
  ({ kind: 'disconnected', error: reason, isLost: true }) as const
