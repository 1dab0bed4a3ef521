// What was read and not begun yet, in order of arrival.
import type { IncomingRequest } from '../wire/incoming.ts'
import type { ClientView } from '../wire/request.ts'
import { isSameId } from './request-table.ts'

/** A request, of the modern era with what its client says of itself, or a notification that must keep its place among requests. `bytes` is the length of its line. */
export type WaitingFrame =
  | { kind: 'request'; request: IncomingRequest; bytes: number; client?: ClientView }
  | { kind: 'notification'; method: string; bytes: number }

/** A queue that knows how many bytes wait in it. Pings stand in a line of their own, since they need no free slot. */
export class WaitingLine {
  #frames: WaitingFrame[] = []
  #pings: WaitingFrame[] = []
  #bytes = 0

  /** How many frames wait, pings included. */
  get size(): number {
    return this.#frames.length + this.#pings.length
  }

  /** The bytes of the frames that wait. */
  get bytes(): number {
    return this.#bytes
  }

  /** The frame whose turn is next, left where it is. */
  get next(): WaitingFrame | undefined {
    return this.#frames[0]
  }

  /** The ping whose turn is next, left where it is. */
  get nextPing(): WaitingFrame | undefined {
    return this.#pings[0]
  }

  add(frame: WaitingFrame): void {
    const isPing = frame.kind === 'request' && frame.client === undefined && frame.request.method === 'ping'
    const line = isPing ? this.#pings : this.#frames
    line.push(frame)
    this.#bytes += frame.bytes
  }

  /** Removes a frame that was `next` or `nextPing`. */
  take(frame: WaitingFrame): void {
    const line = frame === this.#pings[0] ? this.#pings : this.#frames
    line.shift()
    this.#bytes -= frame.bytes
  }

  /** Forgets the latest waiting request with this raw id; false when there is none. Handshake and pings stay. */
  cancel(rawId: string): boolean {
    const index = this.#frames.findLastIndex(
      (frame) =>
        frame.kind === 'request' && frame.request.method !== 'initialize' && isSameId(frame.request.rawId, rawId),
    )
    const frame = this.#frames[index]
    if (frame === undefined) return false
    this.#frames.splice(index, 1)
    this.#bytes -= frame.bytes
    return true
  }

  clear(): void {
    this.#frames = []
    this.#pings = []
    this.#bytes = 0
  }
}
