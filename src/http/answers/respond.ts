// The answer of the core, as HTTP carries it.
import { errorJson, type AnswerPort, type CoreAnswer } from '../../wire/request.ts'
import type { Clock } from '../../timing/clock.ts'
import type { HttpAnswer } from './http-answer.ts'

/** An error as its JSON-RPC response; `rawId` is raw text, and undefined leaves it out. */
export function errorBody(
  rawId: string | undefined,
  error: { code: number; message: string; dataJson?: string },
): string {
  const id = rawId === undefined ? '' : `"id":${rawId},`
  return `{"jsonrpc":"2.0",${id}"error":${errorJson({ kind: 'error', ...error })}}`
}

/** The response to a request. */
export function responseBody(rawId: string, answer: CoreAnswer & { kind: 'result' | 'error' }): string {
  if (answer.kind === 'error') return errorBody(rawId, answer)
  return `{"jsonrpc":"2.0","id":${rawId},"result":${answer.json}}`
}

/** A stream begins without anything to say after so long, so that nobody on the way gives up. */
const quietMs = 15_000

/**
 * The way to the client of one request. What has to go out before the answer begins a stream, where the client takes one; else it is
 * left out.
 */
export function createPort(answer: HttpAnswer, takesStream: boolean): AnswerPort {
  return {
    notify: (method, paramsJson) => {
      if (takesStream && !answer.isBehind)
        answer.message(`{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${paramsJson}}`)
    },
    isFull: () => answer.isBehind,
  }
}

/** Begins the stream of an answer that takes its time. The result ends the wait. */
export function beginStreamLater(answer: HttpAnswer, takesStream: boolean, clock: Pick<Clock, 'after'>): () => void {
  return takesStream ? clock.after(quietMs, () => answer.beginStream()) : () => {}
}

/** Sends a response: whole, or as the last message of the stream that has begun. */
export function send(
  answer: HttpAnswer,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (!answer.isStream) return answer.whole(status, body, headers)
  answer.message(body)
  answer.end()
}
