import type { HttpOutcome } from '../http-client.ts'
import { member, readJson } from '../../json/read.ts'

/**
 * What an answer of Hubu means for the caller. `unavailable`: nothing happened, Hubu cannot be reached. `ambiguous`: a
 * mutation may have happened. `invalid_response`: a read was answered with something that is no JSON, or is too large.
 * `application_error`: Hubu's own verdict, `errorText` its `error` when that is a string.
 */
export type HubuReply =
  | { readonly kind: 'success'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'unavailable'; readonly cause?: unknown }
  | { readonly kind: 'ambiguous'; readonly isTooLarge: boolean; readonly cause?: unknown }
  | { readonly kind: 'invalid_response'; readonly status: number; readonly isTooLarge: boolean }
  | { readonly kind: 'application_error'; readonly status: number; readonly errorText: string | undefined }
  | { readonly kind: 'cancelled' }

/** Classifies what became of a request. Pure. */
export function readHubuReply(method: 'GET' | 'POST', outcome: HttpOutcome): HubuReply {
  switch (outcome.kind) {
    case 'cancelled':
      return { kind: 'cancelled' }
    case 'not_connected':
      return withCause({ kind: 'unavailable' }, outcome.cause)
    case 'no_answer':
      return lost(method, outcome.cause)
    case 'cut':
      return refusalOf(method, outcome.status) ?? lost(method, outcome.cause)
    case 'too_large':
      return refusalOf(method, outcome.status) ?? unreadable(method, outcome.status, true)
    case 'answer': {
      const body = readJson(outcome.body)
      const { status } = outcome
      if (body.kind === 'not_json') return refusalOf(method, status) ?? unreadable(method, status, false)
      if (status >= 200 && status <= 299) return { kind: 'success', value: body.value, text: body.text }
      const error = member(body.value, 'error')
      return { kind: 'application_error', status, errorText: typeof error === 'string' ? error : undefined }
    }
  }
}

/** A mutation that was refused was not carried out, whatever became of the body that says why. */
function refusalOf(method: 'GET' | 'POST', status: number): HubuReply | undefined {
  if (method === 'GET' || status < 400 || status > 499) return undefined
  return { kind: 'application_error', status, errorText: undefined }
}

function lost(method: 'GET' | 'POST', cause: unknown): HubuReply {
  return withCause(method === 'GET' ? { kind: 'unavailable' } : { kind: 'ambiguous', isTooLarge: false }, cause)
}

function unreadable(method: 'GET' | 'POST', status: number, isTooLarge: boolean): HubuReply {
  return method === 'GET' ? { kind: 'invalid_response', status, isTooLarge } : { kind: 'ambiguous', isTooLarge }
}

/** The cause is for the redacted log; neither JSON nor a spread carries it along. */
function withCause(reply: HubuReply, cause: unknown): HubuReply {
  return Object.defineProperty(reply, 'cause', { value: cause, enumerable: false })
}
