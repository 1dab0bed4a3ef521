import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { BrokenForm } from './broken-form.ts'
import type { Child } from './child-process.ts'
import { LineBuffer } from './line-buffer.ts'
import { PacedLines, type LineSink } from './paced-lines.ts'
import type { ResultTexts } from './raw-result.ts'
import { withOurId } from './tapped-transport.ts'

/** So many lines that are no message are skipped before the connection counts as broken. */
const junkLimit = 1000
/** For how many messages a question counts, and a line that costs nobody but us anything: by what they take of our time. */
const question = 2
const dropped = 0.2
/** A child that does not take our answers to its own questions is asked no further questions by us: so much may wait for it. */
const waitingAnswersBytes = 1024 * 1024

/**
 * MCP over a child's stdio. Lines that are no message (a banner, a stack trace) are skipped and counted; the exact text of
 * results is kept. The end of the process closes the transport at once.
 */
export class ChildTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #child: Child
  readonly #texts: ResultTexts
  readonly #onJunk: (count: number) => void
  readonly #buffer = new LineBuffer()
  readonly #lines: PacedLines
  /** Ids of our requests that are open. */
  readonly #asked = new Set<unknown>()
  #waitingAnswersBytes = 0
  #junk = 0
  #isClosed = false

  constructor(child: Child, texts: ResultTexts, clock: LineSink['clock'], onJunk: (count: number) => void = () => {}) {
    this.#child = child
    this.#texts = texts
    this.#onJunk = onJunk
    const { stdout } = child.process
    this.#lines = new PacedLines({
      handle: (line) => this.#line(line),
      isBlocked: () => this.#waitingAnswersBytes > waitingAnswersBytes,
      pause: () => stdout.pause(),
      resume: () => stdout.resume(),
      clock,
    })
  }

  start(): Promise<void> {
    const { stdout } = this.#child.process
    stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    stdout.on('close', () => this.#closed())
    this.#child.process.once('exit', () => this.#lines.hurry())
    void this.#child.ended.then(() => this.#closed())
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stdin } = this.#child.process
      if (this.#isClosed || !stdin.writable) return reject(new Error('the server is gone'))
      const line = `${JSON.stringify(message)}\n`
      const answerBytes = 'method' in message ? 0 : line.length
      this.#waitingAnswersBytes += answerBytes
      if ('method' in message) this.#noteAsked(message)
      stdin.write(line, (error) => {
        this.#waitingAnswersBytes -= answerBytes
        this.#lines.unblock()
        if (error) reject(error)
        else resolve()
      })
    })
  }

  async close(): Promise<void> {
    this.#closed()
    await this.#child.stop()
  }

  /** What was cancelled is waited for no more. */
  #noteAsked(message: JSONRPCRequest | JSONRPCNotification): void {
    if ('id' in message) this.#asked.add(message.id)
    else if (message.method === 'notifications/cancelled') this.#asked.delete(message.params?.requestId)
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onclose?.()
  }

  #read(chunk: Buffer): void {
    try {
      this.#lines.push(this.#buffer.push(chunk))
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.#break('it wrote a line of more than 256 MiB', true)
    }
  }

  /** Hands a line on; gives for how many messages it counts that nobody asked for. */
  #line(line: string): number {
    if (this.#isClosed) return dropped
    const parsed = parseMessage(line)
    const message = parsed && withOurId(parsed)
    if (message === undefined) {
      if (line.trim() === '') return dropped
      this.#onJunk(++this.#junk)
      if (this.#junk > junkLimit) this.#break(`it wrote ${junkLimit} lines that are no messages`, false)
      return dropped
    }
    if ('method' in message) {
      this.onmessage?.(message)
      return 'id' in message ? question : 1
    }
    if (!this.#asked.delete(message.id)) return dropped
    this.#texts.keepAnswer(line, message)
    this.onmessage?.(message)
    return 0
  }

  #break(reason: string, isTooLong: boolean): void {
    this.onerror?.(new BrokenForm(reason, isTooLong))
    this.#closed()
    void this.#child.stop()
  }
}

/** A JSON-RPC message, or undefined for a line that is none. */
function parseMessage(line: string): JSONRPCMessage | undefined {
  try {
    const value = JSON.parse(line) as { jsonrpc?: unknown; method?: unknown; id?: unknown } | null
    if (typeof value !== 'object' || value === null || value.jsonrpc !== '2.0') return undefined
    return typeof value.method === 'string' || value.id !== undefined ? (value as JSONRPCMessage) : undefined
  } catch {
    return undefined
  }
}
