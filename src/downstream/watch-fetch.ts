import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '../json/read.ts'
import { rawMember } from '../json/scan.ts'
import type { Clock } from '../timing/clock.ts'
import { linkSignals } from '../timing/link-signals.ts'
import { Allowance } from './allowance.ts'
import { EventReader } from './event-reader.ts'
import { readAlong, SummedReader, WholeReader, withBody } from './read-along.ts'
import { statusReason, type LastAnswer } from './reasons/network.ts'
import type { ResultTexts } from './raw-result.ts'
import { RequestNews, withOurId, type RefusedByStatus } from './tapped-transport.ts'

/** Where what is seen goes. */
export interface FetchWatch {
  /** Gets the exact texts of answers, before anybody sees them parsed. */
  texts: ResultTexts
  /** Hears of requests that the SDK would misunderstand, or wait for in vain. */
  tell(news: RequestNews): void
  /** A stream of events that answers no request in particular has ended. */
  onStreamEnd(): void
  clock: Pick<Clock, 'sleep' | 'monotonicMs'>
  /** Hears of every answer to a request, also of one that is none of MCP. */
  onAnswer(answer: LastAnswer): void
  /** A stream that was cut cannot be resumed: what was to be answered on it never will be. */
  onResumeRefused(): void
}

/** A fetch that reads along: what was answered, in which words, and what will never be. */
export function watchFetch(
  base: FetchLike,
  { texts, tell, onStreamEnd, onResumeRefused, onAnswer, clock }: FetchWatch,
): FetchLike {
  /** Requests that are under way, by what ends their connection. */
  const running = new Map<unknown, AbortController>()
  /** Requests that an answer is waited for, also one on another stream than their own. */
  const open = new Set<unknown>()
  const allowance = new Allowance(clock)
  return async (url, init) => {
    const asked = requestIdOf(init?.body)
    const cancelled = cancelledIdOf(init?.body)
    // A call that was given up needs its connection no more.
    running.get(cancelled)?.abort()
    open.delete(cancelled)
    const own = new AbortController()
    const linked = asked === undefined ? undefined : linkSignals([init?.signal ?? undefined, own.signal])
    const end = () => {
      linked?.release()
      running.delete(asked)
    }
    if (linked !== undefined) {
      running.set(asked, own)
      open.add(asked)
    }
    let isAnswered = false
    let unasked = 0
    const note = (isForTheSdk: boolean) => (text: string) => {
      const parsed = parseAnswer(text)
      if (parsed === undefined) return void unasked++
      const answer = withOurId(parsed)
      if (!open.delete(answer.id)) unasked++
      if (answer.id === asked) isAnswered = true
      const message = answer as JSONRPCMessage
      texts.keepAnswer(text, message)
      if (!isForTheSdk || !hasPlainForm(answer)) tell(new RequestNews(answer.id, { kind: 'answer', message }))
    }
    const onTooLong = () => {
      open.delete(asked)
      if (asked !== undefined) tell(new RequestNews(asked, { kind: 'too_long' }))
    }
    const rest = (bytes: number): Promise<void> | undefined => {
      const waitMs = unasked === 0 ? 0 : allowance.spend(unasked, bytes)
      unasked = 0
      return waitMs === 0 ? undefined : clock.sleep(waitMs, linked?.signal ?? init?.signal ?? undefined)
    }

    const response = await base(url, linked === undefined ? init : { ...init, signal: linked.signal }).catch(
      (error: unknown) => {
        end()
        open.delete(asked)
        if (asked !== undefined && isUnreached(error)) tell(new RequestNews(asked, { kind: 'not_sent' }))
        throw error
      },
    )
    if (asked !== undefined) {
      const { status, redirected: isRedirected } = response
      const isPage = (response.headers.get('content-type') ?? '').includes('text/html')
      onAnswer({ status, isPage, isRedirected })
    }
    // The SDK takes this status for a server without streams, also of one that has just had one.
    if (response.status === 405 && new Headers(init?.headers).has('last-event-id')) onResumeRefused()
    if (asked !== undefined && !response.ok) {
      // By its status, whatever its body says: that may come from anything between us and the server.
      end()
      open.delete(asked)
      tell(new RequestNews(asked, refusalOf(response, new Headers(init?.headers)) ?? { kind: 'unanswered' }))
      void response.body?.cancel().catch(() => {})
      return withBody(response, null)
    }
    if (response.body === null) {
      end()
      return response
    }
    if ((response.headers.get('content-type') ?? '').includes('text/event-stream')) {
      const events = new EventReader(note(true))
      const reader = asked === undefined ? events : new SummedReader(events)
      const onEnd = () => {
        end()
        if (asked === undefined) return onStreamEnd()
        if (isAnswered || events.isResumable) return
        open.delete(asked)
        tell(new RequestNews(asked, { kind: 'unanswered' }))
      }
      return withBody(response, readAlong(response.body, reader, { onEnd, onCancel: end, onTooLong, rest }))
    }
    const reader = new WholeReader(note(response.ok))
    return withBody(response, readAlong(response.body, reader, { onEnd: end, onCancel: end, onTooLong, rest }))
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

/** What a status says of a request that was not carried out; undefined when that is not known. */
function refusalOf({ status, headers }: Response, asked: Headers): RefusedByStatus | undefined {
  if (status === 404 && asked.has('mcp-session-id')) return { kind: 'session_gone' }
  if (status < 400 || status >= 500 || status === 408) return undefined
  const wait = headers.get('retry-after')
  const later = wait !== null && /^\d{1,6}$/.test(wait) ? `; it asks to wait ${wait} s` : ''
  return { kind: 'refused', reason: statusReason(status, later) }
}

/** The id of the request that a body cancels. */
function cancelledIdOf(body: unknown): unknown {
  if (typeof body !== 'string' || !body.includes('notifications/cancelled')) return undefined
  const { method, params } = JSON.parse(body) as { method?: unknown; params?: { requestId?: unknown } }
  return method === 'notifications/cancelled' ? params?.requestId : undefined
}
