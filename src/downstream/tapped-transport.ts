import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '../json/read.ts'
import { BrokenForm } from './broken-form.ts'
import type { CallOutcome, RawAnswer, SessionGone } from './outcome.ts'
import type { ResultTexts } from './raw-result.ts'

/** The server, or whatever stands before it, says by the status of its answer that the request was not carried out. */
export type RefusedByStatus = Extract<CallOutcome, { kind: 'refused' }> | SessionGone

/** What became of one watched request so far. */
export interface WatchedRequest {
  /** The request was handed to the transport, and may have arrived. */
  wasSent: boolean
  /** The id that it went out with. */
  id?: unknown
  answer?: RawAnswer | RefusedByStatus
  /** There was one, longer than any may be. */
  isTooLong?: boolean
  /** Resolves when there is an answer, also one that the SDK would never tell of, or when none will come. */
  readonly answered: Promise<void>
}

/** What a transport knows of one request and the SDK would not tell. It is an Error because it goes through `onerror`. */
export class RequestNews extends Error {
  readonly id: unknown
  readonly news:
    { kind: 'answer'; message: JSONRPCMessage } | { kind: 'unanswered' | 'too_long' | 'not_sent' } | RefusedByStatus

  constructor(id: unknown, news: RequestNews['news']) {
    super(`news of a request: ${news.kind}`)
    this.id = id
    this.news = news
  }
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
  readonly #texts: ResultTexts
  readonly #watchedParams = new WeakMap<object, Watch>()
  readonly #watchedIds = new Map<unknown, Watch>()
  #isClosed = false
  /** How the server broke the form of its transport, if that ended the connection. */
  #broken: BrokenForm | undefined

  constructor(inner: Transport, texts: ResultTexts) {
    this.#inner = inner
    this.#texts = texts
  }

  /** Whether the connection is over. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  get broken(): BrokenForm | undefined {
    return this.#broken
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  /** Watches the request that will be sent with this very `params` object. */
  watch(params: object): WatchedRequest {
    let settle = () => {}
    const answered = new Promise<void>((resolve) => (settle = resolve))
    const watched: WatchedRequest = { wasSent: false, answered }
    this.#watchedParams.set(params, { watched, settle })
    return watched
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => {
      this.#isClosed = true
      this.onclose?.()
    }
    this.#inner.onerror = (error) => {
      if (error instanceof RequestNews) return this.#hear(error)
      if (error instanceof BrokenForm) this.#broken = error
      // The SDK says this of a stream that it no longer tries to resume: what was asked on it would wait for ever.
      if (error.message.startsWith('Maximum reconnection attempts')) void this.#inner.close()
      this.onerror?.(error)
    }
    this.#inner.onmessage = (given, extra) => {
      const message = withOurId(given)
      this.#note(message)
      this.onmessage?.(message, extra)
    }
    await this.#inner.start()
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const watch = 'method' in message && message.params ? this.#watchedParams.get(message.params) : undefined
    if (watch !== undefined && 'id' in message) {
      this.#watchedIds.set(message.id, watch)
      // From here on it may have arrived, whatever becomes of the writing.
      watch.watched.wasSent = true
      watch.watched.id = message.id
    }
    // Nobody waits any more for an answer that may never come.
    if ('method' in message && message.method === 'notifications/cancelled')
      this.#watchedIds.delete(message.params?.requestId)
    await this.#inner.send(message, options)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version)
  }

  #hear({ id, news }: RequestNews): void {
    const watch = this.#watchedIds.get(id)
    if (news.kind === 'not_sent') {
      if (watch !== undefined) watch.watched.wasSent = false
      return
    }
    if (news.kind === 'refused' || news.kind === 'session_gone') {
      // The SDK knows it by the status.
      if (watch !== undefined) watch.watched.answer = news
      this.#watchedIds.delete(id)
      return watch?.settle()
    }
    if (news.kind === 'too_long' && watch !== undefined) watch.watched.isTooLong = true
    if (news.kind === 'answer') this.#note(news.message)
    this.#watchedIds.delete(id)
    watch?.settle()
    // So that the SDK, too, stops waiting.
    this.onmessage?.({ jsonrpc: '2.0', id: id as number, error: { code: internalError, message: 'no usable answer' } })
  }

  #note(message: JSONRPCMessage): void {
    if (!('id' in message) || 'method' in message) return
    const watch = this.#watchedIds.get(message.id)
    const answer = answerOf(message, (value) => this.#texts.take(message.id, value))
    if (watch === undefined) return
    this.#watchedIds.delete(message.id)
    watch.watched.answer = answer
    watch.settle()
  }
}

interface Watch {
  watched: WatchedRequest
  settle(): void
}

/** An answer as far as it has the form of one; `textOf` gives the text that belongs to its result or its error's data. */
function answerOf(message: { result?: unknown; error?: unknown }, textOf: (value: unknown) => string): RawAnswer {
  const { result } = message
  if (result === undefined) return errorOf(message.error, textOf)
  const json = textOf(result)
  if (isObject(result)) {
    return { kind: 'result', json, value: result }
  }
  return { kind: 'error', code: internalError, message: 'the server answered with a result that is no object' }
}

function errorOf(error: unknown, textOf: (value: unknown) => string): RawAnswer {
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown }
  return {
    kind: 'error',
    code: Number.isSafeInteger(code) ? (code as number) : internalError,
    message: typeof message === 'string' ? message : 'the server gave no reason',
    ...(data !== undefined && { dataJson: textOf(data) }),
  }
}

/** JSON-RPC's own code for what went wrong inside. */
const internalError = -32603

/** Our ids are numbers; a server that gives one back as a text means it all the same. */
export function withOurId<T extends object>(answer: T): T {
  const { id, method } = answer as { id?: unknown; method?: unknown }
  const isText = typeof id === 'string' && method === undefined && /^(0|[1-9]\d{0,14})$/.test(id)
  return isText ? { ...answer, id: Number(id) } : answer
}
