// A POST to the endpoint: its media, its body, and the one message in it.
import { isUtf8 } from 'node:buffer'
import type { Clock } from '../timing/clock.ts'
import type { HttpSettings } from '../config/http-settings.ts'
import type { Bearer } from './bearers/doorkeeper.ts'
import { judgeLength, readBody } from './front/body.ts'
import type { HttpExchange } from './front/exchange.ts'
import { accepts, judgeContent } from './front/media.ts'
import { refusal, type EdgeRefusal } from './front/refusal.ts'

/** One message that was read, and what the client takes as its answer. */
export interface Posted {
  readonly exchange: HttpExchange
  readonly bearer: Bearer
  readonly text: string
  readonly takesStream: boolean
}

/** How posts are read, and who answers what is in them. */
export interface PostOptions {
  settings: Pick<HttpSettings, 'bodyLimitBytes' | 'bodyTimeoutMs'>
  clock: Pick<Clock, 'after'>
  answerMessage(posted: Posted): Promise<void>
  onRefused(refusal: EdgeRefusal): void
}

/** Reads posts. */
export function createAnswerPost({ settings, clock, answerMessage, onRefused }: PostOptions) {
  return async (exchange: HttpExchange, bearer: Bearer): Promise<void> => {
    const refuse = (refused: EdgeRefusal) => {
      onRefused(refused)
      exchange.refuse(refused)
    }
    const { fields } = exchange
    const content = judgeContent(fields)
    if (content !== undefined) return refuse(content)
    const { json, stream } = accepts(fields)
    if (!json) return refuse(refusal(406, 'not_acceptable'))
    const { bodyLimitBytes: limitBytes, bodyTimeoutMs: timeoutMs } = settings
    const length = judgeLength(fields['content-length']?.[0], limitBytes)
    if (length !== undefined) return refuse(length)
    const atEnd = (work: () => void) => exchange.atEnd(work)
    const body = await readBody(exchange.wantsBody(), { limitBytes, timeoutMs, clock, atEnd })
    if (body === undefined) return
    if ('kind' in body) return refuse(body)
    const isReadable = body.length > 0 && isUtf8(body)
    const posted = { exchange, bearer, text: isReadable ? body.toString('utf8') : '', takesStream: stream }
    await answerMessage(posted)
  }
}
