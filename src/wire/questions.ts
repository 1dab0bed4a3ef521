// Requests of the modern era in the middle of which somebody asks: the question goes out as their answer, and the next request of the
// client brings what it was asked for.
import { JsonText } from '../answers/json-text.ts'
import { invalidParams } from '../answers/refusals.ts'
import { isObject, member } from '../json/read.ts'
import type { Conversations, Turn } from './conversations.ts'
import type { CallContext } from './handlers.ts'
import type { CoreRequest } from './request.ts'
import type { RequestStates } from './request-state.ts'
import { WireError } from './wire-error.ts'

/** The methods whose answers may be questions. */
export const askingMethods: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])

const mostRounds = 8

/** What questions are asked and answered with. */
export interface QuestionRooms {
  conversations: Conversations
  states: RequestStates
}

/** Answers a request that may be asked something. `work` is what answers it, its parameters without what belongs to a retry. */
export async function answerOrAsk(
  request: CoreRequest,
  call: CallContext,
  work: (params: unknown, call: CallContext) => Promise<object>,
  { conversations, states }: QuestionRooms,
): Promise<object> {
  const { params, method, caller } = request
  const binding = { principal: caller.principal, method, params }
  const state = member(params, 'requestState')
  const responses = member(params, 'inputResponses')
  if (responses !== undefined && !isObject(responses)) throw invalidParams('inputResponses must be an object')
  const carried = state === undefined ? undefined : states.open(state, binding)
  const round = carried === undefined ? 0 : carried.round + 1
  if (round > mostRounds) return tooManyRounds(request)
  const begun =
    carried === undefined
      ? conversations.begin(call, (inner) => work(withoutRetry(params), inner))
      : conversations.resume(carried.id, call, responses)
  if (begun === undefined) return lost(request)
  return toResult(await begun, (id) => states.seal({ round, id }, binding))
}

function toResult(turn: Turn, seal: (id: string) => string | undefined): object {
  if (turn.kind === 'end') return turn.result
  const { id, inputRequests } = turn
  return new JsonText(JSON.stringify({ resultType: 'input_required', inputRequests, requestState: seal(id) }))
}

function withoutRetry(params: unknown): unknown {
  if (!isObject(params)) return params
  const { inputResponses: _responses, requestState: _state, ...asked } = params
  return asked
}

function lost(request: CoreRequest): object {
  return failure(
    request,
    'outcome_unknown',
    'outcome unknown: the call that asked this is no longer there. It may have been carried out; look at what its server did before ' +
      'you call again.',
  )
}

function tooManyRounds(request: CoreRequest): object {
  return failure(
    request,
    'too_many_rounds',
    `The server asked more than ${mostRounds} times, so the request was ended.`,
  )
}

/** A tool error for a call, an error of the protocol for anything else. */
function failure({ method }: CoreRequest, code: string, text: string): object {
  if (method !== 'tools/call') throw new WireError(-32603, text, { code })
  return { content: [{ type: 'text', text }], isError: true }
}
