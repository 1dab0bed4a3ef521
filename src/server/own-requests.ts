// Requests of our own that the client has still to answer.
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '../json/read.ts'

/**
 * Matches what the client answers to what it was asked. The SDK hears of nothing else: it would put an answer
 * that nobody waits for into its complaint, and that may be a person's.
 */
export class OwnRequests {
  readonly #open = new Set<unknown>()

  /** Notes what is sent: a request is open until it is answered or cancelled. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    if ('id' in message) this.#open.add(message.id)
    else if (message.method === 'notifications/cancelled') this.#open.delete(message.params?.requestId)
  }

  /** The answer as the SDK reads it, where one is waited for; one that it could not read is an error, so that nobody hangs. */
  answered({ id, result, error }: { id: unknown; result?: unknown; error?: unknown }): JSONRPCMessage | undefined {
    if (!this.#open.delete(id)) return undefined
    const answer = { jsonrpc: '2.0' as const, id: id as number }
    if (isObject(result)) return { ...answer, result }
    if (isObject(error) && Number.isSafeInteger(error.code) && typeof error.message === 'string')
      return { ...answer, error: { ...error, code: Number(error.code), message: error.message } }
    return { ...answer, error: { code: -32600, message: 'the answer cannot be read' } }
  }
}
