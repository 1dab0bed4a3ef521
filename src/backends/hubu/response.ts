import type { HttpOutcome } from '../http-client.ts'
import { member, readJson } from '../../json/read.ts'

/**
 * What an answer of Hubu means for the caller. `unavailable`: nothing happened, Hubu cannot be reached.
 * `ambiguous`: a mutation may have happened. `invalid_response`: a read was answered with something that is no JSON.
 * `application_error`: Hubu's own verdict, `errorText` its `error` when that is a string.
 */
export type HubuReply =
  | { readonly kind: 'success'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'unavailable'; readonly cause?: unknown }
  | { readonly kind: 'ambiguous'; readonly cause?: unknown }
  | { readonly kind: 'invalid_response'; readonly status: number }
  | {
      readonly kind: 'application_error'
      readonly status: number
      readonly errorText: string | undefined
      readonly body: unknown
    }
  | { readonly kind: 'cancelled' }

/** Classifies what became of a request. Pure. */
export function readHubuReply(method: 'GET' | 'POST', outcome: HttpOutcome): HubuReply {
  switch (outcome.kind) {
    case 'cancelled':
      return { kind: 'cancelled' }
    case 'not_connected':
      return withCause({ kind: 'unavailable' }, outcome.cause)
    case 'no_answer':
    case 'cut':
      return withCause({ kind: method === 'GET' ? 'unavailable' : 'ambiguous' }, outcome.cause)
    case 'too_large':
      return unreadable(method, outcome.status)
    case 'answer': {
      const body = readJson(outcome.body)
      if (body.kind === 'not_json') return unreadable(method, outcome.status)
      const { status } = outcome
      if (status >= 200 && status <= 299) return { kind: 'success', value: body.value, text: body.text }
      const error = member(body.value, 'error')
      const errorText = typeof error === 'string' ? error : undefined
      return { kind: 'application_error', status, errorText, body: body.value }
    }
  }
}

function unreadable(method: 'GET' | 'POST', status: number): HubuReply {
  return method === 'GET' ? { kind: 'invalid_response', status } : { kind: 'ambiguous' }
}

/** The cause is for the redacted log; neither JSON nor a spread carries it along. */
function withCause(reply: HubuReply, cause: unknown): HubuReply {
  return Object.defineProperty(reply, 'cause', { value: cause, enumerable: false })
}
