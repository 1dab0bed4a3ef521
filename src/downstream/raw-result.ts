// The exact text of what a mounted server answered, kept beside the value that the SDK parsed from it.
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/** So many texts wait for their messages at most; a message that never comes costs no more. */
const waitingLimit = 256

/** Texts of results and of errors' data by the id of their request, each kept until its message is parsed. */
export class ResultTexts {
  readonly #texts = new Map<unknown, string>()

  keep(id: unknown, text: string | undefined): void {
    if (text === undefined) return
    this.#texts.delete(id)
    this.#texts.set(id, text)
    if (this.#texts.size <= waitingLimit) return
    const [oldest] = this.#texts.keys()
    this.#texts.delete(oldest)
  }

  /** Keeps of an answer's line what nobody may change: its result, or its error's data. */
  keepAnswer(text: string, answer: JSONRPCMessage): void {
    const { id, result, error } = answer as { id?: unknown; result?: unknown; error?: { data?: unknown } | null }
    if (result !== undefined) this.keep(id, memberText(text, 'result'))
    else if (error?.data !== undefined) this.keep(id, memberText(memberText(text, 'error') ?? '', 'data'))
  }

  /** The JSON text as the server wrote it; serialized anew where it is not known. */
  take(id: unknown, value: unknown): string {
    const text = this.#texts.get(id)
    this.#texts.delete(id)
    return text ?? JSON.stringify(value)
  }
}

/**
 * The text of one top-level member of a JSON object, exactly as it stands, or undefined. `text` has been accepted by
 * JSON.parse; of a repeated member the last one counts, as in JSON.parse.
 */
export function memberText(text: string, name: string): string | undefined {
  let found: string | undefined
  let at = skipSpace(text, text.indexOf('{') + 1)
  while (at < text.length && text[at] !== '}') {
    const keyEnd = skipString(text, at)
    const key = JSON.parse(text.slice(at, keyEnd)) as string
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = skipValue(text, start)
    if (key === name) found = text.slice(start, end)
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return found
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return at
}

/** The index behind the string that begins at `start`. */
function skipString(text: string, start: number): number {
  let at = start + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes++
    at = quote + 1
    if (slashes % 2 === 0) return at
  }
}

/** The index behind the value that begins at `start`; iterative, so that depth costs no stack. */
function skipValue(text: string, start: number): number {
  let depth = 0
  let at = start
  do {
    const char = text[at]
    if (char === '"') at = skipString(text, at)
    else {
      if (char === '{' || char === '[') depth++
      else if (char === '}' || char === ']') depth--
      else if (depth === 0) return scalarEnd(text, at)
      at++
    }
  } while (depth > 0)
  return at
}

function scalarEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && !',}] \n\r\t'.includes(text[at] as string)) at++
  return at
}
