// Results that are JSON text already, and the text of every other answer.
import { RouterError } from '../errors/router-error.ts'

const mark = Symbol.for('hubu-unified-mcp.json-text')

/**
 * A result, or an error's data, that is JSON text already; it is spliced into the response as it is, without being parsed. The
 * text must be valid JSON. Line breaks in it can only be white space and become spaces, because a message is one line.
 */
export class JsonText {
  /** The rooms that are loaded later bring a copy of this class; what one of them makes is spliced all the same. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && mark in value
  }

  readonly json: string
  /** For how long a client may use it without asking again; absent: whoever sends it knows. */
  readonly ttlMs?: number
  /** Beside the data, so that two of the same text are equal. */
  get [mark](): true {
    return true
  }

  /** It has none of a tool result's members. */
  declare readonly content?: undefined
  declare readonly structuredContent?: undefined
  declare readonly isError?: undefined
  /** An object that only looks like this one would be serialized and not spliced, so the type is made unlike any other. */
  declare private readonly isSpliced: true

  constructor(json: string, ttlMs?: number) {
    if (ttlMs !== undefined) this.ttlMs = ttlMs
    this.json = json.includes('\n') || json.includes('\r') ? json.replace(/[\r\n]/g, ' ') : json
  }
}

/**
 * The member of a response that holds its outcome, as text. What cannot be written as JSON becomes `internal_error`,
 * because a request is never left without an answer.
 */
export function serializeAnswer(answer: { result?: unknown; error?: unknown }): {
  kind: 'result' | 'error'
  json: string
} {
  try {
    if (answer.error !== undefined) return { kind: 'error', json: serializeError(answer.error) }
    if (answer.result instanceof JsonText) return { kind: 'result', json: answer.result.json }
    const json = JSON.stringify(answer.result) as string | undefined
    if (json !== undefined) return { kind: 'result', json }
  } catch {
    // A cycle, a bigint, or nesting beyond the stack.
  }
  return { kind: 'error', json: JSON.stringify(RouterError.from(undefined).toWire()) }
}

function serializeError(error: unknown): string {
  const { data, ...rest } = error as { data?: unknown }
  return data instanceof JsonText ? `${JSON.stringify(rest).slice(0, -1)},"data":${data.json}}` : JSON.stringify(error)
}
