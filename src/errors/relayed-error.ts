import { RouterError } from './router-error.ts'

/** What a mounted server said of its own failure. */
export interface ForeignError {
  /** A JSON-RPC code. */
  code: number
  message: string
  /** The text of its data, exactly as the server wrote it. */
  dataJson?: string
}

/** A mounted server's JSON-RPC error: an answer like any other, passed on as it is. */
export class RelayedError extends RouterError {
  readonly foreign: ForeignError

  constructor(foreign: ForeignError) {
    super('internal_error', foreign.message)
    this.foreign = foreign
  }

  override get dataJson(): string | undefined {
    return this.foreign.dataJson
  }

  override toWire(): ReturnType<RouterError['toWire']> {
    const { code, message, dataJson } = this.foreign
    return { code, message, ...(dataJson !== undefined && { data: JSON.parse(dataJson) as Record<string, unknown> }) }
  }
}
