// The one way a request fails on purpose.

/** What a client should do with an operation key after a conflict or a decision. */
export interface RetryGuidance {
  action: 'reuse_operation_key' | 'replay_exactly' | 'create_new_operation'
  operation_key: string
  message: string
}

/**
 * A request that is refused: 401 for authentication, 409 with guidance for operation-key conflicts, 413 for
 * an oversized body, 400 for everything else. The message goes to the client.
 */
export class Refusal extends Error {
  readonly status: 400 | 401 | 409 | 413
  readonly guidance: RetryGuidance | null

  constructor(message: string, status: 400 | 401 | 409 | 413 = 400, guidance: RetryGuidance | null = null) {
    super(message)
    this.status = status
    this.guidance = guidance
  }
}

/** Throws a 400 unless the value is there. */
export function required<Value>(value: Value | undefined | null, message: string): Value {
  if (value === undefined || value === null) throw new Refusal(message)
  return value
}
