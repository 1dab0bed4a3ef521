// Lines out: one write a message, an eye on what the reader has not taken yet.
import type { Writable } from 'node:stream'

/** Unsent bytes above which the output counts as full: a client may read late, but not never. */
const maxUnsentBytes = 1024 * 1024
/** Above so many, what can be left out is. */
const behindBytes = 64 * 1024

/** What the owner of a LineWriter wants to hear. */
export interface LineWriterEvents {
  /** Everything was taken; the output is not full any more. */
  drained(): void
  /** The stream failed or was closed under us. Called once. */
  failed(error: Error | undefined): void
  /** The last line handed over so far has left the process. */
  flushed(): void
}

/** Writes whole lines to a stream and never throws. After a failure it swallows what it is given. */
export class LineWriter {
  readonly #stream: Writable
  readonly #events: LineWriterEvents
  #isFull = false
  #hasFailed = false
  #unflushed = 0
  #taken = 0

  constructor(stream: Writable, events: LineWriterEvents) {
    this.#stream = stream
    this.#events = events
    stream.on('drain', () => {
      this.#isFull = false
      events.drained()
    })
    // The listener stays for good: an error of a broken pipe may come more than once, and late.
    stream.on('error', (error) => this.#fail(error))
    stream.on('close', () => this.#fail(undefined))
  }

  /** Whether the reader is so far behind that nothing new should be begun. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Whether there is so much to read for the client that nothing should be added which can be left out. */
  get isBehind(): boolean {
    return this.#stream.writableLength > behindBytes
  }

  /** How many lines have left the process so far. */
  get taken(): number {
    return this.#taken
  }

  /** Whether every line has left the process, or never will. */
  get isFlushed(): boolean {
    return this.#hasFailed || this.#unflushed === 0
  }

  /** Writes `head`, `body` and `tail` as one line; `done` is told whether it left the process, or never will. */
  writeLine(head: string, body = '', tail = '', done?: (isWritten: boolean) => void): void {
    if (this.#hasFailed) return done?.(false)
    this.#unflushed++
    const isTaken = this.#stream.write(lineOf(head, body, tail), (error) => {
      this.#unflushed--
      done?.(error === null || error === undefined)
      this.#taken++
      if (this.#unflushed === 0) this.#events.flushed()
    })
    if (!isTaken && this.#stream.writableLength > maxUnsentBytes) this.#isFull = true
  }

  #fail(error: Error | undefined): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#isFull = false
    this.#events.failed(error)
  }
}

/** The bytes of one line. A body of megabytes is copied once, straight to where it is written from. */
function lineOf(head: string, body: string, tail: string): Buffer {
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(head) + Buffer.byteLength(body) + Buffer.byteLength(tail) + 1)
  let at = bytes.write(head, 0)
  at += bytes.write(body, at)
  at += bytes.write(tail, at)
  bytes[at] = 10
  return bytes
}

/** Whether a stream's error says that nobody reads it any more. */
export function isBrokenPipe(error: Error | undefined): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  return error === undefined || code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED'
}
