import { codes, type Code } from './codes.ts'

/** What a RouterError carries besides code and message. */
export interface RouterErrorOptions {
  /** Further members of the wire error's `data`; must hold nothing secret. */
  data?: Readonly<Record<string, unknown>>
  /** The original fault: for the redacted log only, never for the agent. */
  cause?: unknown
}

const mark = Symbol.for('hubu-unified-mcp/router-error')

/**
 * The only error that rooms throw at callers. The message tells what happened and what to do next; it holds no
 * secret, path, endpoint or payload.
 */
export class RouterError extends Error {
  /** Bundles that are loaded apart have classes of their own; what they throw is known by its mark. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== RouterError) return Function.prototype[Symbol.hasInstance].call(this, value)
    return typeof value === 'object' && value !== null && Object.hasOwn(value, mark)
  }

  override readonly name = 'RouterError'
  readonly code: Code
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: Code, message: string, options: RouterErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.data ?? {}
    Object.defineProperty(this, mark, { value: true })
  }

  /** Any thrown thing as a RouterError; what is not one becomes `internal_error` and keeps the original as its cause. */
  static from(error: unknown): RouterError {
    if (error instanceof RouterError) return error
    return new RouterError(
      'internal_error',
      'The router failed on this call. It is safe to deliver the same call again.',
      { cause: error },
    )
  }

  /** The exact text that `data` goes out as, where somebody else wrote it. */
  get dataJson(): string | undefined {
    return undefined
  }

  /** The JSON-RPC error object: `data` only where the contract has one. */
  toWire(): { code: number; message: string; data?: Record<string, unknown> } {
    const { jsonRpcCode, dataCode } = codes[this.code]
    if (dataCode === null) return { code: jsonRpcCode, message: this.message }
    return { code: jsonRpcCode, message: this.message, data: { code: dataCode, ...this.details } }
  }
}
