// The contract's own calls in the usage: those that went to a backend.
import type { Clock } from '../timing/clock.ts'
import { RouterError } from '../errors/router-error.ts'
import type { Answer } from '../answers/answer.ts'
import type { AnswerTool } from '../calls/handle-call.ts'
import { sentSize, sizeOf, type RecordCall, type Via } from './record-call.ts'

/** Refusals of a backend that had the request; any other refusal comes before. */
const answeredCodes = new Set(['hubu_application_error', 'hubu_result_ambiguous', 'hubu_response_invalid'])

/** The same answers, with one record for each call of Hubu or Gongbu. */
export function recordTool(
  answerTool: AnswerTool,
  via: Via,
  { record, clock }: { record: RecordCall; clock: Pick<Clock, 'monotonicMs'> },
): AnswerTool {
  return async (call, source) => {
    const { name, row } = call.entry
    if (row.owner === 'router') return answerTool(call, source)
    const startedMs = clock.monotonicMs()
    const note = (errorClass: string | null, receivedBytes = 0, sentBytes = 0) =>
      record({
        origin: { server: row.owner, tool: name, namespaced: name },
        via,
        durationMs: clock.monotonicMs() - startedMs,
        errorClass,
        argumentBytes: sizeOf(call.args),
        receivedBytes,
        sentBytes,
      })
    try {
      const answer = await answerTool(call, source)
      const sent = sentSize(answer)
      note(answer.isError === true ? 'tool_error' : null, originalSize(answer) ?? sent, sent)
      return answer
    } catch (error) {
      if (error instanceof RouterError && answeredCodes.has(error.code)) note(error.code)
      throw error
    }
  }
}

/** What a receipt stands for. */
function originalSize({ structuredContent }: Answer): number | undefined {
  const { status, originalBytes } = (structuredContent ?? {}) as { status?: unknown; originalBytes?: unknown }
  return status === 'stored' && typeof originalBytes === 'number' ? originalBytes : undefined
}
