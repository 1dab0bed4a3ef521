import type { Clock } from '../timing/clock.ts'
import { BodySink } from './body-sink.ts'
import type { Connections, ExchangeController, WireRequest } from './connections.ts'

/** How a backend answered, as far as the answer came. */
interface Head {
  readonly status: number
  /** The first `Content-Type`, verbatim. */
  readonly contentType: string | undefined
}

/**
 * What became of one request. `not_connected`: no byte of it can have reached the backend. `no_answer`:
 * it may have. `cut`: the head came, the body did not come whole in time. `too_large`: the body is over the limit.
 * `answer`: complete, whatever the status. `cancelled`: the caller gave up. Failures have a `cause`, which is not
 * enumerable: it is for the redacted log and names the endpoint.
 */
export type HttpOutcome =
  | { readonly kind: 'not_connected'; readonly cause?: unknown }
  | { readonly kind: 'no_answer'; readonly cause?: unknown }
  | ({ readonly kind: 'cut'; readonly cause?: unknown } & Head)
  | ({ readonly kind: 'too_large'; readonly cause?: unknown } & Head)
  | ({ readonly kind: 'answer'; readonly body: Buffer } & Head)
  | { readonly kind: 'cancelled' }

/** The bounds of one exchange. */
export interface ExchangeLimits {
  readonly maxBytes: number
  /** From now to the last byte of the body, a second try included. */
  readonly totalTimeoutMs: number
  readonly after: Clock['after']
  /** Gives up a read at once; a POST only as long as none of it was written. */
  readonly signal?: AbortSignal | undefined
  /** Hears the `Date` of the answer, in milliseconds since 1970; null where it has none that is a time. */
  readonly onDate?: ((atMs: number | null) => void) | undefined
}

/** One try: how far it came. */
interface Attempt {
  readonly mustBeFirst: boolean
  controller?: ExchangeController
  /** The socket was given; from here on bytes may have reached the backend. */
  written: boolean
  reused: boolean
  refusedSocket: boolean
  answered: boolean
  head?: Head
}

/**
 * Sends one request and says exactly what became of it. Redirects are answers, bodies are not decoded.
 *
 * A POST goes out on a socket that never carried anything, so that a backend closing an idle socket at that moment
 * cannot leave us not knowing whether a mutation ran. A GET uses a kept socket only of a backend that promises to keep
 * it; should such a socket fail without one byte of answer, the GET is sent once more, on a new one: that is what the
 * same race looks like for it. Whatever fails on a new socket is not repeated.
 */
export function exchange(connections: Connections, request: WireRequest, limits: ExchangeLimits): Promise<HttpOutcome> {
  const { maxBytes, totalTimeoutMs, signal, after, onDate } = limits
  if (signal?.aborted) return Promise.resolve({ kind: 'cancelled' })

  return new Promise((resolve) => {
    let attempt: Attempt | undefined
    let settled = false

    const settle = (outcome: HttpOutcome) => {
      if (settled) return
      settled = true
      cancelTimer()
      signal?.removeEventListener('abort', cancel)
      resolve(outcome)
    }
    const giveUp = (outcome: HttpOutcome, reason: Error) => {
      settle(outcome)
      attempt?.controller?.abort(reason)
    }
    const cancel = () => {
      if (request.method === 'POST' && attempt?.written) return
      giveUp({ kind: 'cancelled' }, new Error('cancelled'))
    }
    const expire = () => {
      const reason = new Error(`no complete answer within ${totalTimeoutMs} ms`)
      if (!settled) giveUp(failed(attempt, reason), reason)
    }
    // An answer that is already here wins over a deadline that passed while the process was busy.
    const cancelTimer = after(totalTimeoutMs, () => setImmediate(expire))
    signal?.addEventListener('abort', cancel, { once: true })
    start(request.method === 'POST')

    function start(mustBeFirst: boolean): void {
      const mine: Attempt = { mustBeFirst, written: false, reused: false, refusedSocket: false, answered: false }
      attempt = mine
      let sink = new BodySink(maxBytes, undefined)

      connections.dispatch(request, mustBeFirst, {
        onRequestStart(controller) {
          mine.controller = controller
          const first = connections.isFirstOnSocket()
          if (settled || mine.written) return controller.abort(new Error('given up'))
          if (!first && (mustBeFirst || !connections.promisesReuse())) {
            mine.refusedSocket = true
            return controller.abort(new Error('the socket has waited'))
          }
          mine.written = true
          mine.reused = !first
        },
        onResponseStarted() {
          mine.answered = true
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) return
          if (!mustBeFirst) connections.noteKeepAlive(firstValue(headers['keep-alive']))
          const atMs = Date.parse(firstValue(headers.date) ?? '')
          onDate?.(Number.isNaN(atMs) ? null : atMs)
          mine.head = { status, contentType: firstValue(headers['content-type']) }
          sink = new BodySink(maxBytes, firstValue(headers['content-length']))
          if (sink.isOver) giveUp(tooLarge(mine.head), new Error('the body is over the limit'))
        },
        onResponseData(_controller, chunk) {
          sink.write(chunk)
          if (sink.isOver && mine.head) giveUp(tooLarge(mine.head), new Error('the body is over the limit'))
        },
        onResponseEnd() {
          if (mine.head) settle({ kind: 'answer', ...mine.head, body: sink.take() })
        },
        onResponseError(_controller, error) {
          if (settled) return
          const mayBeStale = request.method === 'GET' && mine.reused && mine.written && !mine.answered
          if (mine.refusedSocket || mayBeStale) queueMicrotask(() => !settled && start(true))
          else settle(failed(mine, error))
        },
      })
    }
  })
}

function failed(attempt: Attempt | undefined, cause: unknown): HttpOutcome {
  if (attempt?.head) return withCause({ kind: 'cut', ...attempt.head }, cause)
  return withCause(attempt?.written ? { kind: 'no_answer' } : { kind: 'not_connected' }, cause)
}

function tooLarge(head: Head): HttpOutcome {
  return { kind: 'too_large', ...head }
}

/** Keeps the cause where neither JSON nor a spread carries it along. */
function withCause<T extends HttpOutcome>(outcome: T, cause: unknown): T {
  return Object.defineProperty(outcome, 'cause', { value: cause, enumerable: false })
}

function firstValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
