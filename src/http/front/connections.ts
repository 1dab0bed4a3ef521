// What is open on each connection. Requests of one connection are answered one after the other, as their answers have to be.
import type { Socket } from 'node:net'

/** One request and its answer, as its connection sees them. */
export interface OnConnection {
  /** Its turn has come. Calls `over` when the answer has been handed over whole, or never will be. */
  begin(over: () => void): void
  /** The client is gone: nobody reads the answer. */
  gone(): void
  /** What comes in next on the connection can no longer be read as requests. */
  unreadable(): void
}

/** More waiting than this, and reading pauses. */
const mostWaiting = 64

/** One connection of a client. */
export class ClientConnection {
  readonly #socket: Socket
  readonly #waiting: OnConnection[] = []
  #current: OnConnection | undefined
  #isRefused = false

  constructor(socket: Socket) {
    this.#socket = socket
    const gone = () => {
      this.#waiting.length = 0
      this.#current?.gone()
    }
    // Who ends its side does not wait for an answer any more.
    socket.once('end', gone)
    socket.once('close', gone)
  }

  get isIdle(): boolean {
    return this.#current === undefined
  }

  /** Takes a request in; false when nothing is answered here any more. */
  add(exchange: OnConnection): boolean {
    if (this.#isRefused) return false
    if (this.#current !== undefined) {
      this.#waiting.push(exchange)
      if (this.#waiting.length > mostWaiting) this.#socket.pause()
      return true
    }
    this.#run(exchange)
    return true
  }

  /** After a refusal that closes: what stands behind it is not answered, whatever was read of it. */
  refuseRest(): void {
    this.#isRefused = true
    this.#waiting.length = 0
  }

  /** The parser failed. The request whose body it was in says so; without one, false: nobody has. */
  failed(): boolean {
    this.refuseRest()
    this.#current?.unreadable()
    return this.#current !== undefined
  }

  #run(exchange: OnConnection): void {
    this.#current = exchange
    exchange.begin(() => {
      if (this.#current !== exchange) return
      this.#current = undefined
      const next = this.#waiting.shift()
      if (next === undefined) return
      if (this.#waiting.length === 0 && this.#socket.isPaused()) this.#socket.resume()
      this.#run(next)
    })
  }
}
