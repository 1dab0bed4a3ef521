// What is told about a call once it is over, exactly once for each that went out: sizes, no arguments and no results.
import { jsonOf, type Answer, type Origin } from '../answers/answer.ts'
import type { IncomingCall } from '../calls/envelope.ts'
import type { AnswerTool, CallSource } from '../calls/surface.ts'
import { RouterError } from '../errors/router-error.ts'
import type { Clock } from '../timing/clock.ts'
import type { CallMounted, MountedOutcome } from './mounted-call.ts'
import type { Via } from '../stats/record.ts'
import type { Caller } from '../wire/request.ts'

/** One call that was forwarded. */
export interface FinishedCall {
  /** Who called. */
  caller: Caller
  origin: Origin
  via: Via
  durationMs: number
  /** Null: it succeeded. A code of ours or of JSON-RPC, never a text of a server. */
  errorClass: string | null
  argumentBytes: number
  /** Size of the complete result, before any receipt; 0: there was none. */
  receivedBytes: number
  /** Size of what was sent to the client. */
  sentBytes: number
}

/** Takes note of a call. Never throws, and nobody waits for it. */
export type RecordCall = (call: FinishedCall) => void

/** Where records go, and what durations are measured with. */
export interface Recording {
  record: RecordCall
  clock: Pick<Clock, 'monotonicMs'>
}

/** A call of a contract tool, by the way it came in. */
export type CallContract = (call: IncomingCall, source: CallSource, via: Via) => Promise<Answer>

/** Refusals of a backend that had the request; any other refusal comes before. */
const answeredCodes = new Set(['hubu_application_error', 'hubu_result_ambiguous', 'hubu_response_invalid'])

/** The same answers, with one record for each call that Hubu or Gongbu had. */
export function recordContractCalls(answerTool: AnswerTool, { record, clock }: Recording): CallContract {
  return async (call, source, via) => {
    const { name, row } = call.entry
    if (row.owner === 'router') return answerTool(call, source)
    const startedMs = clock.monotonicMs()
    const note = (end: Pick<FinishedCall, 'errorClass' | 'receivedBytes' | 'sentBytes'>) =>
      record({
        caller: source.caller,
        origin: { server: row.owner, tool: name, namespaced: name },
        via,
        durationMs: clock.monotonicMs() - startedMs,
        argumentBytes: sizeOf(call.args),
        ...end,
      })
    try {
      const answer = await answerTool(call, source)
      const sentBytes = sentSize(answer)
      const errorClass = answer.isError === true ? 'tool_error' : null
      note({ errorClass, receivedBytes: originalSize(answer) ?? sentBytes, sentBytes })
      return answer
    } catch (error) {
      if (error instanceof RouterError && answeredCodes.has(error.code))
        note({ errorClass: error.code, receivedBytes: 0, sentBytes: 0 })
      throw error
    }
  }
}

/** The same outcomes, with one record for each call that may have reached its server. */
export function recordMountedCalls(callMounted: CallMounted, { record, clock }: Recording): CallMounted {
  return async (request) => {
    const startedMs = clock.monotonicMs()
    const outcome = await callMounted(request)
    const end = endOf(outcome)
    if (end !== undefined)
      record({
        caller: request.source.caller,
        origin: request.target.origin,
        via: request.via,
        durationMs: clock.monotonicMs() - startedMs,
        argumentBytes: sizeOf(request.args),
        ...end,
      })
    return outcome
  }
}

/** Undefined for what never left: that is no call of the server. */
function endOf(outcome: MountedOutcome): Pick<FinishedCall, 'errorClass' | 'receivedBytes' | 'sentBytes'> | undefined {
  const none = { receivedBytes: 0, sentBytes: 0 }
  switch (outcome.kind) {
    case 'answer': {
      const { answer, isError, receivedBytes } = outcome
      return { errorClass: isError ? 'tool_error' : null, receivedBytes, sentBytes: sentSize(answer) }
    }
    case 'error':
      return { errorClass: `json_rpc ${outcome.error.foreign.code}`, ...none }
    case 'failed':
      if (outcome.failure.kind === 'unknown') return { errorClass: `outcome_unknown ${outcome.failure.why}`, ...none }
      if (outcome.failure.kind === 'refused') return { errorClass: 'refused', ...none }
      return outcome.failure.kind === 'not_sent' ? { errorClass: 'not_sent', ...none } : undefined
  }
}

/** The length of a value's JSON text, in bytes. */
function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** The length of an answer as it is sent, in bytes. */
function sentSize(answer: Answer): number {
  return Buffer.byteLength(jsonOf(answer))
}

/** What a receipt stands for. */
function originalSize({ structuredContent }: Answer): number | undefined {
  const { status, originalBytes } = (structuredContent ?? {}) as { status?: unknown; originalBytes?: unknown }
  return status === 'stored' && typeof originalBytes === 'number' ? originalBytes : undefined
}
