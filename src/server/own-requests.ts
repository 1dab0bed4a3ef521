// Requests of our own that the client has still to answer.
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '../json/read.ts'

/**
 * Matches what the client answers to what it was asked. The SDK hears of nothing else: it would put an answer
 * that nobody waits for into its complaint, and that may be a person's. The SDK counts from 0 and we from 1, because clients take a
 * cancellation of 0 for one of nothing.
 */
export class OwnRequests {
  readonly #open = new Set<unknown>()

  /** Notes what is sent and gives it as it goes out: a request is open until it is answered or cancelled. */
  sent(message: JSONRPCMessage): JSONRPCMessage {
    if (!('method' in message)) return message
    if ('id' in message) {
      const id = Number(message.id) + 1
      this.#open.add(id)
      return { ...message, id }
    }
    if (message.method !== 'notifications/cancelled') return message
    const requestId = Number(message.params?.requestId) + 1
    this.#open.delete(requestId)
    return { ...message, params: { ...message.params, requestId } }
  }

  /** The answer as the SDK reads it, where one is waited for; one that it could not read is an error, so that nobody hangs. */
  answered({ id, result, error }: { id: unknown; result?: unknown; error?: unknown }): JSONRPCMessage | undefined {
    if (!this.#open.delete(id)) return undefined
    const answer = { jsonrpc: '2.0' as const, id: Number(id) - 1 }
    if (isObject(result)) return { ...answer, result }
    if (isObject(error) && Number.isSafeInteger(error.code) && typeof error.message === 'string')
      return { ...answer, error: { ...error, code: Number(error.code), message: error.message } }
    return { ...answer, error: { code: -32600, message: 'the answer cannot be read' } }
  }
}
