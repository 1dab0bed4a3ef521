// The one message of a post: which era it belongs to.
import type { Incoming } from '../wire/incoming.ts'
import { readMessage } from '../wire/read-message.ts'
import { errorBody } from './answers/respond.ts'
import type { Posted } from './post.ts'

/** Who answers messages of each kind. */
export interface MessageOptions {
  answerLegacy(posted: Posted, message: Incoming): Promise<void>
}

/** Reads the message and hands it on. */
export function createAnswerMessage({ answerLegacy }: MessageOptions) {
  return async (posted: Posted): Promise<void> => {
    const { answer } = posted.exchange
    const { text } = posted
    if (text === '') return answer.whole(400, errorBody('null', { code: -32700, message: 'Parse error' }))
    // Several messages in one body are of a revision that later ones took back.
    if (/^\s*\[/.test(text)) return answer.whole(400, errorBody('null', { code: -32600, message: 'Invalid Request' }))
    await answerLegacy(posted, readMessage(text))
  }
}
