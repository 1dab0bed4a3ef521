// Calls that wait for their client: a server that asks in the middle of a call gets its answer from a later request of the client.
import { randomBytes } from 'node:crypto'
import { member } from '../json/read.ts'
import type { Clock } from '../timing/clock.ts'
import { canBeAsked, CannotAsk, type AskClient } from './asking.ts'
import type { CallContext } from './handlers.ts'

/** What a call gave its client: its end, or a question. */
export type Turn =
  | { readonly kind: 'end'; readonly result: object }
  | { readonly kind: 'question'; readonly id: string; readonly inputRequests: object }

/** So long a question waits for its answer. */
const patienceMs = 10 * 60_000
/** So many calls of a process may wait for their clients. */
const mostWaiting = 64

/** One question of a server, open until it is answered or given up. */
interface OpenQuestion {
  key: string
  method: string
  params: object
  answer(value: object): void
  giveUp(): void
}

/** One call with all the requests that its client makes of it. */
interface Conversation {
  readonly id: string
  /** Whose request waits for the next turn. */
  present: CallContext
  end: Promise<Turn>
  question: OpenQuestion | undefined
  onQuestion(): void
  /** Gives the call up. */
  readonly stop: AbortController
}

/** The calls of this process whose servers may ask, and those that wait, by the id that their client carries in its state. */
export class Conversations {
  readonly #clock: Pick<Clock, 'after'>
  readonly #waiting = new Map<string, Conversation>()

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock
  }

  /** Begins a call; its first turn. Rejects as the call does. */
  begin(call: CallContext, work: (call: CallContext) => Promise<object>): Promise<Turn> {
    const stop = new AbortController()
    const talk: Conversation = {
      id: randomBytes(16).toString('hex'),
      present: call,
      end: new Promise(() => {}),
      question: undefined,
      onQuestion: () => {},
      stop,
    }
    const inner: CallContext = {
      requestId: call.requestId,
      signal: stop.signal,
      client: call.client,
      caller: call.caller,
      progress: (message) => talk.present.progress(message),
      ...(call.relayProgress !== undefined && { relayProgress: (told) => talk.present.relayProgress?.(told) }),
      ...(call.log !== undefined && { log: (params) => talk.present.log?.(params) }),
      concerns: (handle) => talk.present.concerns(handle),
      notifyListChangedAfterAnswer: () => talk.present.notifyListChangedAfterAnswer(),
      ask: (...asked) => this.#ask(talk, ...asked),
    }
    talk.end = work(inner).then((result) => ({ kind: 'end', result }))
    // It may end while nobody waits for it.
    talk.end.catch(() => {})
    return nextTurn(talk)
  }

  /** The next turn of a call that waits; undefined when there is none of this id. Without an answer it is asked again. */
  resume(id: string, call: CallContext, responses: unknown): Promise<Turn> | undefined {
    const talk = this.#waiting.get(id)
    if (talk === undefined) return undefined
    talk.present = call
    const value = member(responses, talk.question?.key ?? '')
    if (typeof value === 'object' && value !== null) talk.question?.answer(value)
    return nextTurn(talk)
  }

  /** Gives up every call that waits for its client: nothing of it keeps the process. */
  end(): void {
    for (const talk of this.#waiting.values()) {
      talk.stop.abort()
      talk.question?.giveUp()
    }
  }

  #ask(talk: Conversation, ...[method, params, signal, given]: Parameters<AskClient>): Promise<object> {
    const isFull = this.#waiting.size >= mostWaiting || talk.question !== undefined
    if (isFull || !canBeAsked(talk.present.client, method, params)) return Promise.reject(new CannotAsk())
    return new Promise((resolve, reject) => {
      const close = () => {
        cancelTimer()
        signal.removeEventListener('abort', giveUp)
        this.#waiting.delete(talk.id)
        talk.question = undefined
      }
      const giveUp = () => {
        close()
        reject(new Error('the question was not answered'))
      }
      const cancelTimer = this.#clock.after(patienceMs, giveUp)
      signal.addEventListener('abort', giveUp, { once: true })
      const answer = (value: object) => {
        close()
        resolve(value)
      }
      talk.question = { key: given ?? randomBytes(8).toString('hex'), method, params, answer, giveUp }
      this.#waiting.set(talk.id, talk)
      talk.onQuestion()
    })
  }
}

/** The end of the call or its next question. A client that goes away before gives up the call. */
async function nextTurn(talk: Conversation): Promise<Turn> {
  const { signal } = talk.present
  const giveUp = () => talk.stop.abort(signal.reason)
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp, { once: true })
  const asked = new Promise<Turn>((resolve) => {
    talk.onQuestion = () => {
      const { key, method, params } = talk.question ?? {}
      if (key !== undefined) resolve({ kind: 'question', id: talk.id, inputRequests: { [key]: { method, params } } })
    }
    talk.onQuestion()
  })
  try {
    return await Promise.race([talk.end, asked])
  } finally {
    signal.removeEventListener('abort', giveUp)
    talk.onQuestion = () => {}
  }
}
