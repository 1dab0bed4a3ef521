// The body of a request, never more of it than is allowed and never longer than it may take.
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../timing/clock.ts'
import { refusal, type EdgeRefusal } from './refusal.ts'

const tooLarge = refusal(413, 'body_too_large', { closes: true, reason: 'too_large' })

/** How much of a body is read, and for how long. */
export interface BodyRules {
  limitBytes: number
  timeoutMs: number
  clock: Pick<Clock, 'after'>
  atEnd(work: () => void): void
}

/** Whether the length that is declared is allowed; nothing of such a body is read. */
export function judgeLength(declared: string | undefined, limitBytes: number): EdgeRefusal | undefined {
  return declared !== undefined && Number(declared) > limitBytes ? tooLarge : undefined
}

/**
 * The whole body; a refusal when it is too long or too late; undefined when the client went, or was answered, before its end. `atEnd`
 * calls back when the request is over in any way: what cannot be read any more says so to nobody else.
 */
export function readBody(
  request: IncomingMessage,
  { limitBytes, timeoutMs, clock, atEnd }: BodyRules,
): Promise<Buffer | EdgeRefusal | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    let bytes = 0
    const cancel = clock.after(timeoutMs, () => finish(refusal(408, 'body_timeout', { closes: true })))
    const finish = (result: Buffer | EdgeRefusal | undefined) => {
      cancel()
      request.off('data', take)
      resolve(result)
    }
    const take = (part: Buffer) => {
      bytes += part.length
      if (bytes > limitBytes) return finish(tooLarge)
      parts.push(part)
    }
    request.on('data', take)
    request.once('end', () => finish(parts.length === 1 ? parts[0] : Buffer.concat(parts)))
    request.once('error', () => finish(undefined))
    request.once('close', () => finish(undefined))
    atEnd(() => finish(undefined))
  })
}
