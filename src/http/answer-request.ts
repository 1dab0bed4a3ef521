// One request that was understood, in either era: its right, its answer, and what is held open for it.
import type { Socket } from 'node:net'
import type { Clock } from '../timing/clock.ts'
import type { AnswerWatch } from '../wire/handlers.ts'
import type { IncomingRequest } from '../wire/incoming.ts'
import type { AnswerPort, ClientView, Core, CoreAnswer, CoreRequest } from '../wire/request.ts'
import { beginStreamLater, createPort, responseBody, send } from './answers/respond.ts'
import { rightMissing, type Challenge } from './bearers/bearer.ts'
import { rightFor } from './bearers/rights.ts'
import type { HttpExchange } from './front/exchange.ts'
import type { EdgeRefusal } from './front/refusal.ts'
import type { OpenStreams } from './open-streams.ts'
import type { Posted } from './post.ts'

/** What the era adds to an answer. */
export interface AnswerShape extends Pick<CoreRequest, 'cancelled' | 'watches'>, Pick<AnswerPort, 'ask' | 'takesLog'> {
  client: ClientView
  statusOf(code: number | undefined): number
  /** Nobody waits any more; absent: while the client is there somebody does. */
  signal?: AbortSignal
  /** It stays open until somebody ends it. */
  isHeldOpen?: boolean
  /** Further headers of a result. */
  headersOf?(result: CoreAnswer & { kind: 'result' }): Promise<Record<string, string>>
}

/** Answers a request; never rejects for what is wrong with it. */
export type AnswerRequest = (posted: Posted, request: IncomingRequest, shape: AnswerShape) => Promise<void>

/** What answers, and who hears of it. */
export interface AnswerRequestOptions {
  core: Core
  challenge: Challenge
  streams: OpenStreams
  /** Of each connection its own: what is known of one says nothing of another. */
  answersOf(socket: Socket): AnswerWatch
  clock: Pick<Clock, 'after'>
  onRefused(refusal: EdgeRefusal): void
  onAnswered(exchange: HttpExchange, told: AnsweredRequest): void
}

/** One answered request, for log and counters. */
export interface AnsweredRequest {
  era: 'legacy' | 'modern'
  method: string
  principal: string
  clientName: string
  code: number | undefined
}

export function createAnswerRequest(options: AnswerRequestOptions): AnswerRequest {
  const { core, challenge, streams, clock, onRefused, onAnswered } = options
  return async (posted, request, shape) => {
    const { client, statusOf, isHeldOpen = false, headersOf, cancelled, watches, ask, takesLog } = shape
    const { exchange, bearer, takesStream } = posted
    const { answer } = exchange
    const { signal = exchange.signal } = shape
    const { method, rawId, params, findings, progressToken } = request
    const right = rightFor(method, params)
    if (!bearer.rights.has(right)) {
      const refused = rightMissing(challenge, right)
      onRefused(refused)
      return exchange.refuse(refused)
    }
    const held = isHeldOpen ? streams.hold(exchange, bearer) : undefined
    const stopWaiting = held === undefined ? beginStreamLater(answer, takesStream, clock) : () => {}
    exchange.atEnd(stopWaiting)
    let handle: string | undefined
    const found = await core.answer({
      requestId: core.nextRequestId(),
      method,
      params,
      findings,
      progressToken,
      caller: bearer,
      client,
      signal,
      ...(cancelled !== undefined && { cancelled }),
      ...(watches !== undefined && { watches }),
      ...(held !== undefined && { ending: held }),
      rawId,
      port: {
        ...createPort(answer, takesStream),
        ...(ask !== undefined && { ask }),
        ...(takesLog !== undefined && { takesLog }),
        concerns: (concerned) => void (handle = concerned),
      },
    })
    stopWaiting()
    // A refusal is not the answer of its operation.
    if (handle !== undefined && found.kind !== 'error')
      follow(exchange, handle, options.answersOf(exchange.request.socket))
    if (found.kind === 'none') {
      // Taken back by its client, which hears that nothing comes.
      if (takesStream && !exchange.signal.aborted) answer.beginStream()
      return answer.end()
    }
    const code = found.kind === 'error' ? found.code : undefined
    const headers = found.kind === 'result' ? await headersOf?.(found) : undefined
    send(answer, statusOf(code), responseBody(rawId, found), headers)
    onAnswered(exchange, { era: client.era, method, principal: bearer.principal, clientName: client.name, code })
  }
}

/** Tells what becomes of the answer of an operation. */
function follow(exchange: HttpExchange, handle: string, answers: AnswerWatch): void {
  if (exchange.signal.aborted) return answers.lost(handle)
  exchange.atEnd(() => {
    if (exchange.isWritten) answers.written(handle, exchange.number)
    else answers.lost(handle)
  })
}
