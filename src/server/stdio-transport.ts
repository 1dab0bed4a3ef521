// The wire on stdio: lines in, lines out, answers under the very ids that came.
import type { Readable, Writable } from 'node:stream'
import { realClock, type Clock } from '../timing/clock.ts'
import type { Incoming, IncomingRequest } from '../wire/incoming.ts'
import { errorJson, type ClientView, type CoreAnswer } from '../wire/request.ts'
import { classify } from './classify.ts'
import { EraGate } from './era-gate.ts'
import { FrameReader, type Frame } from './frame-reader.ts'
import { Holds } from './holds.ts'
import { InputFlow } from './input-flow.ts'
import { isBrokenPipe, LineWriter } from './line-writer.ts'
import { notificationLine, refusalLine } from './lines.ts'
import { OwnRequests } from './own-requests.ts'
import { RequestTable } from './request-table.ts'
import { heardNotifications } from '../wire/handlers.ts'
import { WaitingLine, type WaitingFrame } from './waiting-line.ts'

/** Why a transport reads no more. */
export type InputEnd = 'end_of_input' | 'stopped' | 'read_error' | 'broken_pipe' | 'write_error'

/** How a request ended on the wire; `none` means that it was cancelled and gets no reply. */
export type AnswerKind = 'result' | 'error' | 'none'

/** How much is taken at once, and the timers. */
export interface StdioTransportOptions {
  maxInFlight?: number
  maxWaitingFrames?: number
  maxWaitingBytes?: number
  maxLineBytes?: number
  clock?: Pick<Clock, 'after'>
}

/**
 * MCP on two streams. Reading begins with the turn after construction, so that callbacks are set by then. Malformed lines are
 * answered here, at once. At most 256 requests are open at a time and further ones wait in order; reading
 * pauses while more than 1024 frames or 64 MiB wait, and for a while when the output is full. Never throws and never rejects.
 */
export class StdioTransport {
  /** Begins a request; `client` is what one of the modern era says of its client. */
  onBegin?: (internalId: number, request: IncomingRequest, client: ClientView | undefined) => void
  /** A notification whose turn has come. */
  onNotification?: (method: string) => void
  /** Nothing is written any more. */
  onclose?: () => void
  /** Called after a request's response was queued for writing, or when it is certain that it gets none. */
  onAnswered?: (internalId: number, kind: AnswerKind) => void
  /** Called when an open request is cancelled, with the client's reason where it gave one. */
  onAbort?: (internalId: number, reason: string | undefined) => void
  /** Called when the line of an answered request left the process, or never will. */
  onWritten?: (internalId: number, isWritten: boolean) => void
  /** Called for each request that comes in. */
  onRequest?: () => void
  /** Called when a client cancels a request, also one that was answered a short while ago. */
  onCancelled?: (internalId: number) => void
  /** Called once, when no further input will be read. Lines read before may still wait for their turn. */
  onInputEnd?: (reason: InputEnd) => void
  readonly #stdin: Readable
  readonly #reader: FrameReader
  readonly #writer: LineWriter
  readonly #mostInFlight: number
  readonly #requests = new RequestTable()
  readonly #waiting = new WaitingLine()
  readonly #own: OwnRequests
  readonly #gate = new EraGate()
  readonly #holds: Holds
  readonly #flow: InputFlow
  #isClosed = false
  #inputEnd: InputEnd | undefined
  #idleWaiters: (() => void)[] = []

  constructor(streams: { stdin: Readable; stdout: Writable }, options: StdioTransportOptions = {}) {
    this.#stdin = streams.stdin
    this.#reader = new FrameReader(options.maxLineBytes)
    const clock = options.clock ?? realClock
    this.#holds = new Holds(clock, () => this.#pump())
    this.#mostInFlight = options.maxInFlight ?? 256
    const limits = {
      waitingFrames: options.maxWaitingFrames ?? 1024,
      waitingBytes: options.maxWaitingBytes ?? 64 * 1024 * 1024,
    }
    this.#flow = new InputFlow(streams.stdin, limits, clock, () => this.#balance())
    this.#writer = new LineWriter(streams.stdout, {
      drained: () => this.#pump(),
      flushed: () => this.#noteIdle(),
      failed: (error) => this.#outputFailed(error),
    })
    this.#own = new OwnRequests((line) => this.#isClosed || this.#writer.writeLine(line))
    this.#stdin.on('error', () => this.#endInput('read_error'))
    this.#stdin.on('end', this.#onEnd)
    this.#stdin.on('close', this.#onEnd)
    this.#stdin.on('data', this.#onData)
  }

  /** Asks the client; rejects with a ClientRefusal. */
  ask(method: string, params: object, signal: AbortSignal): Promise<object> {
    return this.#own.ask(method, params, signal)
  }

  /** Reads, begins and writes no more, and says so. Drain with `idle()` before. */
  close(): void {
    this.stopReading()
    const wasClosed = this.#isClosed
    this.#isClosed = true
    this.#waiting.clear()
    this.#own.close()
    if (!wasClosed) this.onclose?.()
    this.#noteIdle()
  }

  /** `paramsJson` is spliced as it is. */
  notify(method: string, paramsJson?: string): void {
    if (!this.#isClosed) this.#writer.writeLine(notificationLine(method, paramsJson))
  }

  /** How far the client is with reading. */
  get output(): Pick<LineWriter, 'isFull' | 'isBehind' | 'isFlushed' | 'taken'> {
    return this.#writer
  }

  get hasInputEnded(): boolean {
    return this.#inputEnd !== undefined
  }

  isOpen(internalId: number): boolean {
    return this.#requests.get(internalId) !== undefined
  }

  /** An incomplete last line is dropped, complete ones are still answered. */
  stopReading(): void {
    this.#endInput('stopped')
  }

  /** Begins nothing until `until` settles, but for at most `maxMs`; what waited is then begun in order. */
  hold(until: Promise<unknown>, maxMs: number): void {
    this.#holds.add(until, maxMs)
  }

  /** Resolves once nothing waits, nothing is open and every line has left the process, or never will. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleWaiters.push(resolve)
      this.#noteIdle()
    })
  }

  readonly #onData = (chunk: Buffer): void => {
    for (const frame of this.#reader.push(chunk)) this.#receive(frame)
    this.#pump()
  }

  readonly #onEnd = (): void => {
    if (this.hasInputEnded) return
    for (const frame of this.#reader.end()) this.#receive(frame)
    this.#endInput('end_of_input')
    this.#pump()
  }

  #endInput(reason: InputEnd): void {
    if (this.hasInputEnded) return
    this.#inputEnd = reason
    this.#flow.end()
    this.#stdin.off('data', this.#onData)
    this.#stdin.pause()
    this.onInputEnd?.(reason)
    this.#noteIdle()
  }

  #outputFailed(error: Error | undefined): void {
    this.#endInput(isBrokenPipe(error) ? 'broken_pipe' : 'write_error')
    this.close()
  }

  #receive(frame: Frame): void {
    const incoming = classify(frame)
    const bytes = frame.kind === 'line' ? frame.bytes : 0
    switch (incoming.kind) {
      case 'silent':
        return
      case 'response':
        return this.#own.answered(incoming.answer)
      case 'error':
        return this.#writer.writeLine(refusalLine(incoming.rawId, incoming))
      case 'notification':
        return this.#receiveNotification(incoming, bytes)
      case 'request':
        this.onRequest?.()
        return this.#receiveRequest(incoming, bytes)
    }
  }

  #receiveRequest(request: IncomingRequest, bytes: number): void {
    const judged = this.#gate.judge(request)
    if (judged.kind === 'error') return this.#writer.writeLine(refusalLine(request.rawId, judged))
    this.#waiting.add({ kind: 'request', request, bytes, ...(judged.kind === 'request' && { client: judged.client }) })
  }

  /** A cancellation overtakes what waits; what is heard at all keeps its place among the requests. */
  #receiveNotification(incoming: Incoming & { kind: 'notification' }, bytes: number): void {
    const { method, params, rawRequestId } = incoming
    if (heardNotifications.has(method)) this.#waiting.add({ kind: 'notification', method, bytes })
    if (rawRequestId === undefined || this.#waiting.cancel(rawRequestId)) return
    const requestId = this.#requests.cancel(rawRequestId)?.internalId
    const cancelledId = requestId ?? this.#requests.answered(rawRequestId)
    if (cancelledId !== undefined) this.onCancelled?.(cancelledId)
    if (requestId === undefined) return
    const { reason } = params as { reason?: unknown }
    this.onAbort?.(requestId, typeof reason === 'string' ? reason : undefined)
  }

  /** Begins whatever may begin, then decides whether to read on. */
  #pump(): void {
    while (this.#mayBegin(this.#waiting.next)) {
      const frame = this.#isSlotFree() ? (this.#waiting.next ?? this.#waiting.nextPing) : this.#waiting.nextPing
      if (frame === undefined) break
      this.#waiting.take(frame)
      if (frame.kind === 'request') this.#begin(frame.request, frame.client)
      else this.onNotification?.(frame.method)
    }
    this.#balance()
    this.#noteIdle()
  }

  /** What is of the modern era waits for no handshake. */
  #mayBegin(next: WaitingFrame | undefined): boolean {
    const isModern = next?.kind === 'request' && next.client !== undefined
    return (isModern || this.#holds.isFree) && !this.#writer.isFull && !this.#isClosed
  }

  /** A slot for the next frame; pings need none. */
  #isSlotFree(): boolean {
    return this.#waiting.next?.kind === 'notification' || this.#requests.size < this.#mostInFlight
  }

  #begin(request: IncomingRequest, client: ClientView | undefined): void {
    this.onBegin?.(this.#requests.open(request).internalId, request, client)
  }

  #balance(): void {
    if (!this.hasInputEnded) this.#flow.balance(this.#writer.isFull, this.#waiting)
  }

  /** Writes an answer under the raw id of its request; one that nobody waits for is dropped. */
  answer(internalId: number, answer: CoreAnswer): void {
    const entry = this.#requests.get(internalId)
    if (entry === undefined) return
    if (answer.kind === 'none' || entry.isCancelled) this.#finish(internalId, 'none')
    else this.#write(internalId, answer.kind, answer.kind === 'result' ? answer.json : errorJson(answer))
  }

  #write(internalId: number, kind: 'result' | 'error', json: string): void {
    const entry = this.#requests.get(internalId)
    if (entry === undefined) return
    if (this.#isClosed) return this.#finish(internalId, 'none')
    this.#writer.writeLine(`{"jsonrpc":"2.0","id":${entry.rawId},"${kind}":`, json, '}', (isWritten) =>
      this.onWritten?.(internalId, isWritten),
    )
    this.#finish(internalId, kind)
  }

  #finish(internalId: number, kind: AnswerKind): void {
    this.#requests.close(internalId)
    this.onAnswered?.(internalId, kind)
    this.#pump()
  }

  #noteIdle(): void {
    if (this.#idleWaiters.length === 0) return
    if (this.#waiting.size > 0 || this.#requests.size > 0 || !this.#writer.isFlushed) return
    for (const resolve of this.#idleWaiters.splice(0)) resolve()
  }
}
