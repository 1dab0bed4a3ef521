import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js'
import { textOf } from './raw-result.ts'

/** What a server answered to one request: the exact text of its result, or its error as it said it. */
export type RawAnswer =
  { kind: 'result'; json: string } | { kind: 'error'; code: number; message: string; data?: unknown }

/** What became of one watched request so far. */
export interface WatchedRequest {
  /** The request was handed to the transport. */
  wasSent: boolean
  answer?: RawAnswer
}

/**
 * Passes everything through, and lets a caller see what became of its request: the SDK parses answers into new values, and
 * its errors do not tell a server's refusal from a lost connection. A request is recognized by its `params` object.
 */
export class TappedTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void
  readonly #inner: Transport
  readonly #watchedParams = new WeakMap<object, WatchedRequest>()
  readonly #watchedIds = new Map<unknown, WatchedRequest>()
  #isClosed = false

  constructor(inner: Transport) {
    this.#inner = inner
  }

  /** Whether the connection is over. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  /** Watches the request that will be sent with this very `params` object. */
  watch(params: object): WatchedRequest {
    const watched: WatchedRequest = { wasSent: false }
    this.#watchedParams.set(params, watched)
    return watched
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => {
      this.#isClosed = true
      this.onclose?.()
    }
    this.#inner.onerror = (error) => this.onerror?.(error)
    this.#inner.onmessage = (message, extra) => {
      this.#note(message)
      this.onmessage?.(message, extra)
    }
    await this.#inner.start()
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const watched = 'method' in message && message.params ? this.#watchedParams.get(message.params) : undefined
    if (watched !== undefined && 'id' in message) {
      this.#watchedIds.set(message.id, watched)
      // From here on it may have arrived, whatever becomes of the writing.
      watched.wasSent = true
    }
    await this.#inner.send(message, options)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version)
  }

  #note(message: JSONRPCMessage): void {
    if (!('id' in message) || 'method' in message) return
    const watched = this.#watchedIds.get(message.id)
    if (watched === undefined) return
    this.#watchedIds.delete(message.id)
    if ('error' in message) watched.answer = { kind: 'error', ...message.error }
    else watched.answer = { kind: 'result', json: textOf(message.result) }
  }
}
