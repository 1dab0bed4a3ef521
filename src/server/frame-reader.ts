// Bytes in, lines out. Any way of cutting the same bytes into chunks gives the same frames.
import { isUtf8 } from 'node:buffer'
import { readBeginning } from './line-beginning.ts'

/** One line as it was read. */
export type Frame =
  /** A line that is not blank, decoded. */
  | { kind: 'line'; text: string; bytes: number }
  /** A line over the limit. `id` is the raw text of its id, where its beginning shows one. */
  | { kind: 'too_long'; id: string | undefined; isResponse: boolean }
  /** A line that is not UTF-8. */
  | { kind: 'unreadable' }

/** The longest line that is read, without its line feed. */
export const maxLineBytes = 16 * 1024 * 1024

/** How much of an over-long line is kept to find its id. */
const beginningBytes = 64 * 1024
const lineFeed = 10
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** Cuts a byte stream into frames. Push chunks as they come; the memory held is at most one line of the limit. */
export class FrameReader {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #bytes = 0
  #isFirstLine = true
  /** Within a line whose frame has been given already because it is too long. */
  #isSkipping = false

  constructor(maxBytes: number = maxLineBytes) {
    this.#maxBytes = maxBytes
  }

  /** The frames that end within this chunk; an over-long one is given as soon as it passes the limit. */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = []
    let start = 0
    for (;;) {
      const end = chunk.indexOf(lineFeed, start)
      this.#take(chunk.subarray(start, end < 0 ? chunk.length : end), frames)
      if (end < 0) return frames
      this.#finishLine(frames)
      start = end + 1
    }
  }

  /** The frame of a last line without a line feed, when there is one. */
  end(): Frame[] {
    const frames: Frame[] = []
    this.#finishLine(frames)
    return frames
  }

  #take(part: Buffer, frames: Frame[]): void {
    if (this.#isSkipping || part.length === 0) return
    this.#parts.push(part)
    this.#bytes += part.length
    if (this.#bytes <= this.#maxBytes) return
    // Never more than the limit, so that the id found does not depend on how the line was cut into chunks.
    const beginning = Buffer.concat(this.#parts, Math.min(this.#maxBytes, beginningBytes))
    frames.push({ kind: 'too_long', ...readBeginning(this.#withoutMark(beginning).toString('utf8')) })
    this.#parts = []
    this.#bytes = 0
    this.#isSkipping = true
  }

  #finishLine(frames: Frame[]): void {
    const line = this.#withoutMark(this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts))
    this.#parts = []
    this.#bytes = 0
    this.#isFirstLine = false
    if (this.#isSkipping) {
      this.#isSkipping = false
      return
    }
    if (line.length === 0) return
    if (!isUtf8(line)) {
      frames.push({ kind: 'unreadable' })
      return
    }
    const text = line.toString('utf8')
    if (text.trim() !== '') frames.push({ kind: 'line', text, bytes: line.length })
  }

  /** Clients on Windows put a byte order mark before their first line. */
  #withoutMark(line: Buffer): Buffer {
    const isMarked = this.#isFirstLine && line.subarray(0, 3).equals(byteOrderMark)
    return isMarked ? line.subarray(3) : line
  }
}
