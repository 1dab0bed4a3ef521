// Messages of the revisions with a handshake. Nothing that a later request needs is kept here: it is in the session id.
import type { Incoming, IncomingRequest } from '../../wire/incoming.ts'
import type { Clock } from '../../timing/clock.ts'
import type { Core, CoreAnswer } from '../../wire/request.ts'
import { beginStreamLater, createPort, errorBody, responseBody, send } from '../answers/respond.ts'
import type { HttpExchange } from '../front/exchange.ts'
import { comeLater, refusal } from '../front/refusal.ts'
import type { Posted } from '../post.ts'
import type { Session } from '../sessions/session-id.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { clientOf, legacyRevision } from './client.ts'

/** What answers, and where sessions are sealed. */
export interface LegacyOptions {
  core: Core
  sessions: Sessions
  clock: Pick<Clock, 'after'>
  /** A request was answered; for the log. */
  onAnswered(exchange: HttpExchange, told: { method: string; code?: number }): void
}

const needsSession = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])
const missingSession = {
  kind: 'error',
  code: -32601,
  message: 'This needs a session: send the Mcp-Session-Id that the answer to initialize gave',
  dataJson: '{"code":"needs_session"}',
} as const

/** Answers one message that makes no claim to the modern revision. */
export function createAnswerLegacy({ core, sessions, clock, onAnswered }: LegacyOptions) {
  /** The session; undefined without one, and null when that was answered. */
  function openSession({ exchange, bearer }: Posted): Session | undefined | null {
    const lines = exchange.fields['mcp-session-id']
    if (lines === undefined) return undefined
    const opened = sessions.open(lines, bearer.principal)
    if (opened === 'unknown_key') exchange.refuse(comeLater(503, 'registry', 1))
    else if (opened === 'closed') exchange.refuse(refusal(404, 'session_unknown'))
    else return opened
    return null
  }

  function ask(request: IncomingRequest, { exchange, bearer, takesStream }: Posted, session: Session | undefined) {
    const { method, params, findings, progressToken } = request
    if (method === 'ping') return { kind: 'result', json: '{}' } as const
    if (session === undefined && needsSession.has(method)) return missingSession
    return core.answer({
      requestId: core.nextRequestId(),
      method,
      params,
      findings,
      progressToken,
      caller: bearer,
      client: clientOf(session, legacyRevision(exchange.fields['mcp-protocol-version'])),
      signal: exchange.signal,
      port: createPort(exchange.answer, takesStream),
    })
  }

  async function headersFor(
    { method, params }: IncomingRequest,
    { bearer }: Posted,
    found: CoreAnswer,
  ): Promise<Record<string, string>> {
    if (method !== 'initialize' || found.kind !== 'result') return {}
    const id = await sessions.begin({ params, resultJson: found.json, caller: bearer })
    return id === undefined ? {} : { 'Mcp-Session-Id': id }
  }

  async function answerRequest(posted: Posted, request: IncomingRequest): Promise<void> {
    const { exchange, takesStream } = posted
    const { answer } = exchange
    const isBeginning = request.method === 'initialize'
    const session = isBeginning ? undefined : openSession(posted)
    if (session === null) return
    const stopWaiting = beginStreamLater(answer, takesStream && !isBeginning, clock)
    exchange.atEnd(stopWaiting)
    const found = await ask(request, posted, session)
    stopWaiting()
    if (found.kind === 'none') return answer.end()
    const code = found.kind === 'error' ? found.code : undefined
    const headers = await headersFor(request, posted, found)
    send(answer, code === -32700 || code === -32600 ? 400 : 200, responseBody(request.rawId, found), headers)
    onAnswered(exchange, { method: request.method, ...(code !== undefined && { code }) })
  }

  return async (posted: Posted, message: Incoming): Promise<void> => {
    const { answer } = posted.exchange
    switch (message.kind) {
      case 'request':
        return answerRequest(posted, message)
      case 'error':
        return answer.whole(400, errorBody(message.rawId, message))
      case 'silent':
        return answer.whole(400, errorBody('null', { code: -32600, message: 'Invalid Request' }))
      default:
        // Neither what is told nor what is answered is answered; it only has to come from the session that it names.
        if (openSession(posted) !== null) answer.whole(202, '')
    }
  }
}
