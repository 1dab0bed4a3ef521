// Messages of the revisions with a handshake. Nothing that a later request needs is kept here: it is in the session id.
import type { Incoming, IncomingRequest } from '../../wire/incoming.ts'
import type { News } from '../../wire/news.ts'
import type { CoreAnswer } from '../../wire/request.ts'
import type { AnswerRequest } from '../answer-request.ts'
import { errorBody } from '../answers/respond.ts'
import type { Posted } from '../post.ts'
import type { Session } from '../sessions/session-id.ts'
import type { Notes } from '../sessions/notes.ts'
import { refuseSession, type Sessions } from '../sessions/sessions.ts'
import { clientOf, legacyRevision } from './client.ts'
import { noteAnswered } from './session-requests.ts'

/** What answers, and where sessions are sealed. */
export interface LegacyOptions {
  answerRequest: AnswerRequest
  sessions: Sessions
  notes: Notes
  news(): Promise<News | undefined>
}

const needsSession = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])
const missingSession = {
  code: -32601,
  message: 'This needs a session: send the Mcp-Session-Id that the answer to initialize gave',
  dataJson: '{"code":"needs_session"}',
}

const statusOf = (code: number | undefined): number => (code === -32700 || code === -32600 ? 400 : 200)

/** Answers one message that makes no claim to the modern revision. */
export function createAnswerLegacy({ answerRequest, sessions, notes, news }: LegacyOptions) {
  /** The session; undefined without one, and null when that was answered. */
  function openSession({ exchange, bearer }: Posted): Session | undefined | null {
    const lines = exchange.fields['mcp-session-id']
    if (lines === undefined) return undefined
    const opened = sessions.open(lines, bearer.principal)
    if (typeof opened !== 'string') return opened
    exchange.refuse(refuseSession(opened))
    return null
  }

  async function answer(posted: Posted, request: IncomingRequest): Promise<void> {
    const { exchange, bearer } = posted
    const { method, params, rawId } = request
    const isBeginning = method === 'initialize'
    const session = isBeginning ? undefined : openSession(posted)
    if (session === null) return
    if (session === undefined && needsSession.has(method))
      return exchange.answer.whole(200, errorBody(rawId, missingSession))
    const sessionId = session && exchange.fields['mcp-session-id']![0]!
    const level = sessionId && notes.find(sessionId)?.logLevel
    const client = clientOf(session, legacyRevision(exchange.fields['mcp-protocol-version']), level)
    const headersOf = async ({ json }: CoreAnswer & { kind: 'result' }): Promise<Record<string, string>> => {
      if (sessionId !== undefined && needsSession.has(method))
        await noteAnswered(request, notes.of(sessionId, bearer.principal), { caller: bearer, news: await news() })
      const id = isBeginning ? await sessions.begin({ params, resultJson: json, caller: bearer }) : undefined
      return id === undefined ? {} : { 'Mcp-Session-Id': id }
    }
    await answerRequest(posted, request, { client, statusOf, headersOf })
  }

  return async (posted: Posted, message: Incoming): Promise<void> => {
    const { exchange } = posted
    switch (message.kind) {
      case 'request':
        return answer(posted, message)
      case 'error':
        return exchange.answer.whole(400, errorBody(message.rawId, message))
      case 'silent':
        return exchange.answer.whole(400, errorBody('null', { code: -32600, message: 'Invalid Request' }))
      default:
        // Neither what is told nor what is answered is answered; it only has to come from the session that it names.
        if (openSession(posted) !== null) exchange.answer.whole(202, '')
    }
  }
}
