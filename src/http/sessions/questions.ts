// What mounted servers ask the clients of sessions: each question goes out on the stream of the call that it belongs to, and its
// answer comes in a request of its own.
import { randomBytes } from 'node:crypto'
import { isObject } from '../../json/read.ts'
import type { Clock } from '../../timing/clock.ts'
import { ClientRefusal } from '../../wire/asking.ts'

/** How a question ended, for the log and the counters. */
export type QuestionEnd = 'answered' | 'handed_over' | 'timeout' | 'closed'

/** Time, bounds, and who hears how questions end. */
export interface QuestionsOptions {
  timeoutMs: number
  clock: Pick<Clock, 'after'>
  onEnded(told: { method: string; end: QuestionEnd }): void
}

/** Who is asked, and where the question goes. */
export interface QuestionPlace {
  /** The name of the session, which is no secret. */
  session: string
  principal: string
  /** Sends a request to the client; false where its stream is closed. */
  send(message: object): boolean
}

/** The client's answer, as it came. */
export interface ClientAnswer {
  id: unknown
  result?: unknown
  error?: unknown
}

/** Nobody answered, or nobody could be asked: nothing was wrong with the question. */
export class NobodyAnswered extends Error {
  readonly code = -32000
}

const mostOfAll = 64
const mostOfSession = 8

interface Waiting extends Pick<QuestionPlace, 'session' | 'principal'> {
  settle(answer: ClientAnswer): void
  giveUp(end: QuestionEnd, why: string): void
}

/** The questions of this process that wait for their answers. */
export class SessionQuestions {
  readonly #options: QuestionsOptions
  readonly #process = randomBytes(4).toString('hex')
  readonly #waiting = new Map<string, Waiting>()

  constructor(options: QuestionsOptions) {
    this.#options = options
  }

  /** Asks; rejects with ClientRefusal, with NobodyAnswered, or when the server takes its question back. */
  ask(asked: QuestionPlace, method: string, params: object, signal: AbortSignal): Promise<object> {
    const { session, principal, send } = asked
    const own = [...this.#waiting.values()].filter((one) => one.session === session)
    if (this.#waiting.size >= mostOfAll || own.length >= mostOfSession)
      return Promise.reject(new NobodyAnswered('too many questions wait for their answers'))
    const { clock, timeoutMs, onEnded } = this.#options
    const id = `hq1-${this.#process}-${randomBytes(16).toString('hex')}`
    return new Promise((resolve, reject) => {
      const close = (end: QuestionEnd) => {
        this.#waiting.delete(id)
        cancelTimer()
        signal.removeEventListener('abort', takeBack)
        onEnded({ method, end })
      }
      const giveUp = (end: QuestionEnd, why: string) => {
        close(end)
        reject(new NobodyAnswered(why))
      }
      const takeBack = () => {
        giveUp('closed', 'the question was taken back')
        send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
      }
      const cancelTimer = clock.after(timeoutMs, () => giveUp('timeout', noAnswerIn(timeoutMs)))
      signal.addEventListener('abort', takeBack, { once: true })
      const settle = (answer: ClientAnswer) => {
        close('answered')
        if (isObject(answer.result)) resolve(answer.result)
        else reject(refusalOf(answer.error))
      }
      this.#waiting.set(id, { session, principal, settle, giveUp })
      if (signal.aborted) takeBack()
      else if (!send({ jsonrpc: '2.0', id, method, params }))
        giveUp('closed', 'the stream of its call was closed before it could be asked')
    })
  }

  /** The first answer of the session and principal that were asked counts; every other one has no effect. */
  answer(answer: ClientAnswer, { session, principal }: Pick<QuestionPlace, 'session' | 'principal'>): void {
    const waiting = typeof answer.id === 'string' ? this.#waiting.get(answer.id) : undefined
    if (waiting?.session === session && waiting.principal === principal) waiting.settle(answer)
  }

  /** Ends the questions of a session, or all of them, as their time would. */
  end(session?: string): void {
    for (const one of [...this.#waiting.values()])
      if (session === undefined || one.session === session) one.giveUp('closed', noAnswerIn(this.#options.timeoutMs))
  }
}

function noAnswerIn(timeoutMs: number): string {
  return (
    `no answer reached this process within ${timeoutMs / 1000} s. Where several replicas serve, answers need sticky routing or a ` +
    'shared state on PostgreSQL'
  )
}

function refusalOf(error: unknown): Error {
  const { code, message, data } = isObject(error) ? error : {}
  if (typeof code !== 'number' || typeof message !== 'string')
    return new NobodyAnswered('the client gave no proper answer')
  return new ClientRefusal(code, message, data)
}
