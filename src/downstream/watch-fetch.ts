import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '../json/read.ts'
import { rawMember } from '../json/scan.ts'
import { EventReader } from './event-reader.ts'
import type { ResultTexts } from './raw-result.ts'
import { RequestNews } from './tapped-transport.ts'

/** Where what is seen goes. */
export interface FetchWatch {
  /** Gets the exact texts of answers, before anybody sees them parsed. */
  texts: ResultTexts
  /** Hears of requests that the SDK would misunderstand, or wait for in vain. */
  tell(news: RequestNews): void
  /** A stream of events that answers no request in particular has ended. */
  onStreamEnd(): void
  /** A stream that was cut cannot be resumed: what was to be answered on it never will be. */
  onResumeRefused(): void
}

/** A fetch that reads along: what was answered, in which words, and what will never be. */
export function watchFetch(base: FetchLike, { texts, tell, onStreamEnd, onResumeRefused }: FetchWatch): FetchLike {
  return async (url, init) => {
    const asked = requestIdOf(init?.body)
    let isAnswered = false
    const note = (isForTheSdk: boolean) => (text: string) => {
      const answer = parseAnswer(text)
      if (answer === undefined) return
      if (answer.id === asked) isAnswered = true
      const message = answer as JSONRPCMessage
      texts.keepAnswer(text, message)
      if (!isForTheSdk || !hasPlainForm(answer)) tell(new RequestNews(answer.id, { kind: 'answer', message }))
    }

    const response = await base(url, init).catch((error: unknown) => {
      if (asked !== undefined && isUnreached(error)) tell(new RequestNews(asked, { kind: 'not_sent' }))
      throw error
    })
    // The SDK takes this status for a server without streams, also of one that has just had one.
    if (response.status === 405 && new Headers(init?.headers).has('last-event-id')) onResumeRefused()
    if (response.body === null) return response
    if ((response.headers.get('content-type') ?? '').includes('text/event-stream')) {
      const reader = new EventReader(note(true))
      const onEnd = () => {
        if (asked === undefined) onStreamEnd()
        else if (!isAnswered && !reader.isResumable) tell(new RequestNews(asked, { kind: 'unanswered' }))
      }
      return withBody(response, readAlong(response.body, reader, onEnd))
    }
    // An error of the server's own is an answer, whatever status it comes under; the SDK would not read it.
    return withBody(
      response,
      readAlong(response.body, new WholeReader(note(response.ok)), () => {}),
    )
  }
}

/** Reads what somebody else is sent; `onEnd` comes once, when the source has ended or broken. */
function readAlong(
  body: ReadableStream<Uint8Array>,
  reader: { push(chunk: Uint8Array): void; end(): void },
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const source = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await source.read()
        if (!done) {
          reader.push(value)
          return controller.enqueue(value)
        }
        reader.end()
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      onEnd()
    },
    cancel: (reason) => source.cancel(reason),
  })
}

/** The same response with another body; a new one would lose its address. */
function withBody(response: Response, body: ReadableStream): Response {
  const replaced = new Response(body, response)
  Object.defineProperty(replaced, 'url', { value: response.url })
  return replaced
}

/** Gives the text of a whole body at its end. */
class WholeReader {
  readonly #decoder = new TextDecoder()
  readonly #note: (text: string) => void
  #parts: string[] = []

  constructor(note: (text: string) => void) {
    this.#note = note
  }

  push(chunk: Uint8Array): void {
    this.#parts.push(this.#decoder.decode(chunk, { stream: true }))
  }

  end(): void {
    this.#note(this.#parts.join('') + this.#decoder.decode())
    this.#parts = []
  }
}

type RpcAnswer = { id: unknown; result?: unknown; error?: unknown }

/** The answer that a text is; undefined for anything else, a batch included. */
function parseAnswer(text: string): RpcAnswer | undefined {
  try {
    const value = JSON.parse(text) as (RpcAnswer & { method?: unknown }) | null
    if (typeof value !== 'object' || value === null || value.method !== undefined) return undefined
    return value.result === undefined && value.error === undefined ? undefined : value
  } catch {
    return undefined
  }
}

/** Whether the SDK will take it for an answer, too. */
function hasPlainForm({ id, result, error, ...more }: RpcAnswer & { jsonrpc?: unknown }): boolean {
  const { jsonrpc, ...others } = more
  if (jsonrpc !== '2.0' || Object.keys(others).length > 0) return false
  if (error === undefined) return isObject(result)
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return result === undefined && Number.isInteger(code) && typeof message === 'string' && id !== null
}

/** The id of the request that a body holds; the SDK sends one message at a time. */
function requestIdOf(body: unknown): unknown {
  if (typeof body !== 'string' || rawMember(body, 'method') === undefined) return undefined
  const id = rawMember(body, 'id')
  return id === undefined ? undefined : JSON.parse(id)
}

/** No connection was made, so nothing was written. */
function isUnreached(error: unknown): boolean {
  const { cause } = (error ?? {}) as { cause?: { code?: unknown } }
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(String(cause?.code))
}
