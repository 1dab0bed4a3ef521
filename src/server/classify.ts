// Says what one frame is. Pure.
import type { Incoming } from '../wire/incoming.ts'
import { invalidRequest, valueOfText, readMessage, unreadable } from '../wire/read-message.ts'
import type { Frame } from './frame-reader.ts'

const answerTooLong = { code: -32600, message: 'the answer is too long' }

/** Classifies a frame; throws on none. Lines over the limit are `-32600`. */
export function classify(frame: Frame): Incoming {
  switch (frame.kind) {
    case 'unreadable':
      return unreadable
    case 'too_long':
      if (!frame.isResponse) return invalidRequest(frame.id ?? 'null')
      return { kind: 'response', answer: { id: valueOfText(frame.id ?? 'null'), error: answerTooLong } }
    case 'line':
      return readMessage(frame.text)
  }
}
