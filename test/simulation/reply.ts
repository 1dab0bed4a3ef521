/** What a client hears of one call. */
export type Reply =
  | { kind: 'result'; bytes: string; value: Record<string, unknown> }
  | { kind: 'tool_error'; bytes: string }
  | { kind: 'error'; bytes: string; code: string; message: string }
  /** The process died before it answered. */
  | { kind: 'lost' }
