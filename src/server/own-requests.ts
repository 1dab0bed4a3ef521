// Requests of our own that the client has still to answer.
import { isObject } from '../json/read.ts'
import { ClientRefusal } from '../wire/asking.ts'
import { notificationLine } from './lines.ts'

interface OwnRequest {
  resolve(result: object): void
  reject(reason: unknown): void
}

/** JSON-RPC's codes for a request that nobody answers any more. */
const [connectionClosed, requestGivenUp] = [-32000, -32001]

/**
 * Asks the client and matches what it answers; an answer that nobody waits for is dropped unread, because it may be a person's. Ids
 * count from 1, because clients take a cancellation of 0 for one of nothing. `write` takes one line without its end.
 */
export class OwnRequests {
  readonly #write: (line: string) => void
  readonly #open = new Map<unknown, OwnRequest>()
  #lastId = 0

  constructor(write: (line: string) => void) {
    this.#write = write
  }

  /** Resolves with the result. Rejects with a ClientRefusal, also when the signal gives the request up, of which the client is told. */
  ask(method: string, params: object, signal: AbortSignal): Promise<object> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const id = ++this.#lastId
      const giveUp = () => {
        const reason = String(signal.reason)
        this.#open.delete(id)
        this.#write(notificationLine('notifications/cancelled', JSON.stringify({ requestId: id, reason })))
        reject(new ClientRefusal(requestGivenUp, reason))
      }
      signal.addEventListener('abort', giveUp, { once: true })
      const ending =
        <T>(end: (value: T) => void) =>
        (value: T) => {
          signal.removeEventListener('abort', giveUp)
          end(value)
        }
      this.#open.set(id, { resolve: ending(resolve), reject: ending(reject) })
      this.#write(JSON.stringify({ method, params, jsonrpc: '2.0', id }))
    })
  }

  /** Hands an answer to who waits for it. One that cannot be read is a refusal, so that nobody hangs. */
  answered({ id, result, error }: { id: unknown; result?: unknown; error?: unknown }): void {
    const asked = this.#open.get(id)
    if (asked === undefined) return
    this.#open.delete(id)
    if (isObject(result)) asked.resolve(result)
    else if (isObject(error) && Number.isSafeInteger(error.code) && typeof error.message === 'string')
      asked.reject(new ClientRefusal(Number(error.code), error.message, error.data))
    else asked.reject(new ClientRefusal(-32600, 'the answer cannot be read'))
  }

  /** The connection is over: nobody will answer. */
  close(): void {
    for (const { reject } of this.#open.values()) reject(new ClientRefusal(connectionClosed, 'Connection closed'))
    this.#open.clear()
  }
}
