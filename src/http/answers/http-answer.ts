// One answer on the wire: a whole one, or a stream of messages that begins when there is something to say.
import type { ServerResponse } from 'node:http'
import type { Clock } from '../../timing/clock.ts'
import type { EdgeRefusal } from '../front/refusal.ts'

/** Why a stream ended, for the log. */
export type StreamEnd = 'client' | 'slow' | 'drain' | 'replaced' | 'deleted' | 'expired'

/** What counts for every answer of a process. */
export interface AnswerRules {
  clock: Pick<Clock, 'every'>
  /** Connections are to end with their answers. */
  isDraining(): boolean
}

const commentMs = 15_000
/** More unsent than this: what can be left out is. */
const behindBytes = 1024 * 1024
/** More unsent than this, or nothing taken for as many comments as make a minute: the client does not read. */
const mostUnsentBytes = 16 * 1024 * 1024
const mostStillComments = 4
const safe = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

/** Writes one answer, once. After it is over nothing more goes out. */
export class HttpAnswer {
  readonly #response: ServerResponse
  readonly #rules: AnswerRules
  #extra: Readonly<Record<string, string>> = {}
  #state: 'open' | 'stream' | 'over' = 'open'
  #endComments: (() => void) | undefined
  #still = { unsent: 0, comments: 0 }
  /** Called when a stream was cut, or ended for a reason of its own. */
  onStreamEnd?: (by: StreamEnd) => void

  constructor(response: ServerResponse, rules: AnswerRules) {
    this.#response = response
    this.#rules = rules
  }

  get status(): number {
    return this.#response.statusCode
  }

  get isOver(): boolean {
    return this.#state === 'over'
  }

  get isStream(): boolean {
    return this.#state === 'stream'
  }

  /** So little is taken that what can be left out should be. */
  get isBehind(): boolean {
    return this.#response.writableLength > behindBytes
  }

  /** Headers that the answer has whatever it is. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.#extra = { ...this.#extra, ...headers }
  }

  refuse({ status, word, closes, headers }: EdgeRefusal): void {
    const body = word === undefined ? '' : JSON.stringify({ error: word })
    this.whole(status, body, { ...headers, ...(closes && { Connection: 'close' }) })
  }

  /** A whole answer; JSON unless it is empty or says otherwise. */
  whole(status: number, body: string, headers: Readonly<Record<string, string>> = {}): void {
    if (this.#state !== 'open') return
    this.#state = 'over'
    const bytes = Buffer.byteLength(body)
    this.#response.writeHead(status, {
      ...safe,
      ...(bytes > 0 && { 'Content-Type': 'application/json' }),
      ...(status !== 204 && { 'Content-Length': String(bytes) }),
      ...this.#extra,
      ...this.#closing(),
      ...headers,
    })
    this.#response.end(body)
  }

  /** Begins the stream of messages, if it has not begun. */
  beginStream(): void {
    if (this.#state !== 'open') return
    this.#state = 'stream'
    const type = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }
    this.#response.writeHead(200, { ...safe, ...type, ...this.#extra, ...this.#closing() })
    this.#response.flushHeaders()
    this.#endComments = this.#rules.clock.every(commentMs, () => this.#comment())
  }

  /** One message on the stream, which begins when need be. `json` has no line feed. */
  message(json: string): void {
    this.beginStream()
    this.#write(`event: message\ndata: ${json}\n\n`)
  }

  /** The stream ends, or an answer that has not begun is given up. */
  end(by?: StreamEnd): void {
    if (this.#state === 'over') return
    const wasStream = this.#state === 'stream'
    this.#over()
    if (wasStream) this.#response.end()
    else this.#response.destroy()
    if (by !== undefined && wasStream) this.onStreamEnd?.(by)
  }

  /** Nothing more is written, and the connection ends in the middle of what it is. */
  cut(by: StreamEnd): void {
    const wasStream = this.#state === 'stream'
    this.#over()
    this.#response.destroy()
    if (wasStream) this.onStreamEnd?.(by)
  }

  #over(): void {
    this.#state = 'over'
    this.#endComments?.()
  }

  #closing(): Readonly<Record<string, string>> {
    return this.#rules.isDraining() ? { Connection: 'close' } : {}
  }

  #comment(): void {
    const unsent = this.#response.writableLength
    const isStill = unsent > 0 && unsent >= this.#still.unsent
    this.#still = { unsent, comments: isStill ? this.#still.comments + 1 : 0 }
    if (this.#still.comments >= mostStillComments) this.cut('slow')
    else this.#write(': \n\n')
  }

  #write(text: string): void {
    if (this.#state !== 'stream') return
    this.#response.write(text)
    if (this.#response.writableLength > mostUnsentBytes) this.cut('slow')
  }
}
