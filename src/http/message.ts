// The one message of a post: which era it belongs to.
import type { Incoming, IncomingRequest } from '../wire/incoming.ts'
import { hasClaim } from '../wire/modern.ts'
import { readMessage } from '../wire/read-message.ts'
import { errorBody } from './answers/respond.ts'
import { legacyRevision } from './legacy/client.ts'
import { notificationFault } from './modern.ts'
import type { Posted } from './post.ts'

/** Who answers messages of each era. */
export interface MessageOptions {
  answerLegacy(posted: Posted, message: Incoming): Promise<void>
  answerModern(posted: Posted, request: IncomingRequest): Promise<void>
}

/** Reads the message and hands it on. */
export function createAnswerMessage({ answerLegacy, answerModern }: MessageOptions) {
  return async (posted: Posted): Promise<void> => {
    const { answer } = posted.exchange
    const { text } = posted
    const version = posted.exchange.fields['mcp-protocol-version']
    const isUnderModern = version !== undefined && legacyRevision(version) === undefined
    const refuse = (error: { code: number; message: string; dataJson?: string }, rawId = 'null') =>
      answer.whole(400, errorBody(isUnderModern && rawId === 'null' ? undefined : rawId, error))
    if (text === '') return refuse({ code: -32700, message: 'Parse error' })
    // Several messages in one body are of a revision that later ones took back.
    if (/^\s*\[/.test(text)) return refuse(invalid)
    const message = readMessage(text)
    if (message.kind === 'request' && (isUnderModern || hasClaim(message.params))) return answerModern(posted, message)
    if (message.kind === 'notification') {
      const fault = notificationFault(message.params)
      if (fault !== undefined) return answer.whole(400, errorBody(undefined, fault))
    }
    if (!isUnderModern) return answerLegacy(posted, message)
    if (message.kind === 'notification') return answer.whole(202, '')
    return message.kind === 'error' ? refuse(message, message.rawId) : refuse(invalid)
  }
}

const invalid = { code: -32600, message: 'Invalid Request' }
