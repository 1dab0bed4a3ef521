// The exact text of what a mounted server answered, kept beside the value that the SDK parsed from it.
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { rawMember } from '../json/scan.ts'

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
    if (result !== undefined) this.keep(id, rawMember(text, 'result'))
    else if (error?.data !== undefined) this.keep(id, rawMember(rawMember(text, 'error') ?? '', 'data'))
  }

  /** The JSON text as the server wrote it; serialized anew where it is not known. */
  take(id: unknown, value: unknown): string {
    const text = this.#texts.get(id)
    this.#texts.delete(id)
    return text ?? JSON.stringify(value)
  }
}
