import { RouterError } from './router-error.ts'

/** What a mounted server said of its own failure. */
export interface ForeignError {
  /** A JSON-RPC code. */
  code: number
  message: string
  data?: unknown
}

/** A mounted server's JSON-RPC error: an answer like any other, passed on as it is (M 7.4). */
export class RelayedError extends RouterError {
  readonly foreign: ForeignError

  constructor(foreign: ForeignError) {
    super('internal_error', foreign.message)
    this.foreign = foreign
  }

  override toWire(): { code: number; message: string; data?: Record<string, unknown> } {
    const { code, message, data } = this.foreign
    return { code, message, ...(data !== undefined && { data: data as Record<string, unknown> }) }
  }
}
