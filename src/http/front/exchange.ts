// One request and its answer: from the head to the place that answers, with everything freed at the end, however it comes.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpAnswer, type AnswerRules } from '../answers/http-answer.ts'
import type { ClientConnection, OnConnection } from './connections.ts'
import type { Head } from './head.ts'
import { badFraming, type EdgeRefusal } from './refusal.ts'

/** How requests are answered. Takes care of its own faults. */
export type AnswerExchange = (exchange: HttpExchange) => void

let lastNumber = 0

/** One request on its way through the edge. */
export class HttpExchange implements OnConnection {
  readonly request: IncomingMessage
  readonly answer: HttpAnswer
  /** Our own number for it, unique in this process. */
  readonly number: number = ++lastNumber
  /** On the monotonic clock. */
  readonly begunMs: number = performance.now()
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal
  readonly #response: ServerResponse
  readonly #connection: ClientConnection
  readonly #answerExchange: AnswerExchange
  readonly #expects: boolean
  readonly #gone = new AbortController()
  readonly #atEnd: (() => void)[] = []
  #isBodyRead = false
  #hasEnded = false
  #freePlace = () => {}

  constructor(
    { request, response, expects }: { request: IncomingMessage; response: ServerResponse; expects: boolean },
    connection: ClientConnection,
    rules: AnswerRules,
    answerExchange: AnswerExchange,
  ) {
    this.request = request
    this.#response = response
    this.#connection = connection
    this.#answerExchange = answerExchange
    this.#expects = expects
    this.answer = new HttpAnswer(response, rules)
    this.signal = this.#gone.signal
  }

  get head(): Head {
    const { method = '', url = '', httpVersion, headersDistinct, rawHeaders } = this.request
    const fieldCount = rawHeaders.length / 2
    return { method, target: url, version: httpVersion, fields: headersDistinct, fieldCount }
  }

  /** The headers by lower-case name, one entry for each line. */
  get fields(): Head['fields'] {
    return this.request.headersDistinct
  }

  begin(over: () => void): void {
    this.#response.once('close', () => this.#end(over))
    this.#response.once('finish', () => this.#end(over))
    this.#response.on('error', () => {})
    this.request.on('error', () => {})
    this.#answerExchange(this)
  }

  gone(): void {
    this.#gone.abort()
    this.answer.cut('client')
    this.#end(() => {})
  }

  unreadable(): void {
    if (!this.request.complete) return this.refuse(badFraming)
    // It was whole and is being answered; the connection ends behind the answer.
    this.#response.once('finish', () => this.request.socket.destroySoon())
  }

  /** Counts as under way until the place is freed, at its end at the latest. */
  holdPlace(free: () => void): void {
    this.#freePlace = free
    this.atEnd(free)
  }

  /** It is under way no more, although it goes on. */
  freePlace(): void {
    this.#freePlace()
  }

  /** Whether the whole answer was handed to the system. */
  get isWritten(): boolean {
    return this.#response.writableFinished
  }

  /** Called when the answer or its connection ends, whichever comes first; at once where that has been. */
  atEnd(work: () => void): void {
    if (this.#hasEnded) work()
    else this.#atEnd.push(work)
  }

  /** The body is wanted: a client that waits for our word hears it. */
  wantsBody(): IncomingMessage {
    this.#isBodyRead = true
    if (this.#expects) this.#response.writeContinue()
    return this.request
  }

  /**
   * Refuses. Where a body is still to come the connection ends, so that nobody has to read it; what stands behind it on the
   * connection is not answered.
   */
  refuse(refusal: EdgeRefusal): void {
    const { 'content-length': length, 'transfer-encoding': coding } = this.request.headers
    const hasBody = coding !== undefined || (length !== undefined && Number(length) > smallBodyBytes)
    const closes = refusal.closes ?? (!this.#isBodyRead && (this.#expects || hasBody))
    if (closes) this.#connection.refuseRest()
    this.answer.refuse(closes ? { ...refusal, closes } : refusal)
  }

  #end(over: () => void): void {
    this.#hasEnded = true
    for (const work of this.#atEnd.splice(0)) work()
    over()
  }
}

/** So much of a body that nobody wants is read and dropped, which is cheaper than a new connection. */
const smallBodyBytes = 64 * 1024
