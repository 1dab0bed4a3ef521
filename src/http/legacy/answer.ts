// Messages of the revisions with a handshake. Nothing that a later request needs is kept here: it is in the session id.
import { linkSignals } from '../../timing/link-signals.ts'
import { member } from '../../json/read.ts'
import type { Incoming, IncomingRequest } from '../../wire/incoming.ts'
import type { CoreAnswer } from '../../wire/request.ts'
import type { AnswerRequest } from '../answer-request.ts'
import { errorBody } from '../answers/respond.ts'
import type { Posted } from '../post.ts'
import { SessionCalls } from '../sessions/calls.ts'
import { nameOfSession, type Notes } from '../sessions/notes.ts'
import type { SessionQuestions } from '../sessions/questions.ts'
import type { Session } from '../sessions/session-id.ts'
import { refuseSession, type Sessions } from '../sessions/sessions.ts'
import { clientOf, legacyRevision } from './client.ts'

/** What answers, and where sessions are sealed. */
export interface LegacyOptions {
  answerRequest: AnswerRequest
  sessions: Sessions
  notes: Notes
  questions: SessionQuestions
}

/** A session of this principal, by the name under which it is known here. */
interface OpenedSession {
  session: Session
  name: string
}

const needsSession = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])
const missingSession = {
  code: -32601,
  message: 'This needs a session: send the Mcp-Session-Id that the answer to initialize gave',
  dataJson: '{"code":"needs_session"}',
}

const statusOf = (code: number | undefined): number => (code === -32700 || code === -32600 ? 400 : 200)

/** Answers one message that makes no claim to the modern revision. */
export function createAnswerLegacy({ answerRequest, sessions, notes, questions }: LegacyOptions) {
  const calls = new SessionCalls()

  /** The session; undefined without one, and null when that was answered. */
  function openSession({ exchange, bearer }: Posted): OpenedSession | undefined | null {
    const lines = exchange.fields['mcp-session-id']
    if (lines === undefined) return undefined
    const session = sessions.open(lines, bearer.principal)
    if (typeof session !== 'string') return { session, name: nameOfSession(lines[0]!) }
    exchange.refuse(refuseSession(session))
    return null
  }

  async function answer(posted: Posted, request: IncomingRequest): Promise<void> {
    const { exchange, bearer } = posted
    const { method, params, rawId } = request
    const isBeginning = method === 'initialize'
    const opened = isBeginning ? undefined : openSession(posted)
    if (opened === null) return
    if (opened === undefined && needsSession.has(method))
      return exchange.answer.whole(200, errorBody(rawId, missingSession))
    const known = opened && notesOf(opened, bearer.principal, method)
    const client = clientOf(opened?.session, legacyRevision(exchange.fields['mcp-protocol-version']), known?.logLevel)
    const headersOf = async ({ json }: CoreAnswer & { kind: 'result' }): Promise<Record<string, string>> => {
      const level = member(params, 'level')
      if (method === 'logging/setLevel' && known !== undefined && typeof level === 'string') known.logLevel = level
      const id = isBeginning ? await sessions.begin({ params, resultJson: json, caller: bearer }) : undefined
      return id === undefined ? {} : { 'Mcp-Session-Id': id }
    }
    const call = opened && calls.begin(opened.name, rawId)
    if (call !== undefined) exchange.atEnd(call.end)
    const cancelled = call?.cancelled ?? new AbortController().signal
    const both = linkSignals([exchange.signal, cancelled])
    exchange.atEnd(both.release)
    await answerRequest(posted, request, {
      client,
      statusOf,
      headersOf,
      signal: both.signal,
      cancelled,
      takesLog: opened !== undefined,
      ...(opened !== undefined && posted.takesStream && { ask: askerOf(posted, opened) }),
      ...(known !== undefined && { watches: known.watches }),
    })
  }

  /** What is noted of a session; begun only for what leaves a note. */
  function notesOf({ name }: OpenedSession, principal: string, method: string) {
    return needsSession.has(method) ? notes.of(name, principal) : notes.find(name)
  }

  /** Questions go out on the stream of the call, which they begin. */
  function askerOf({ exchange, bearer }: Posted, { name }: OpenedSession) {
    const { answer } = exchange
    const send = (message: object) => {
      if (answer.isOver || exchange.signal.aborted) return false
      answer.message(JSON.stringify(message))
      return true
    }
    const asked = { session: name, principal: bearer.principal, send }
    return (method: string, params: object, signal: AbortSignal) => questions.ask(asked, method, params, signal)
  }

  /** What is told or answered is not answered; it only has to come from the session that it names. */
  function take(posted: Posted, message: Incoming & { kind: 'notification' | 'response' }): void {
    const opened = openSession(posted)
    if (opened === null) return
    posted.exchange.answer.whole(202, '')
    if (opened === undefined) return
    const { principal } = posted.bearer
    if (message.kind === 'response') questions.answer(message.answer, { session: opened.name, principal })
    else if (message.method === 'notifications/cancelled' && message.rawRequestId !== undefined)
      calls.cancel(opened.name, message.rawRequestId)
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
        return take(posted, message)
    }
  }
}
