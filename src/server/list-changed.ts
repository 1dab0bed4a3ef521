// At most one notification for each real change, after the handshake.
import type { CallContext } from '../wire/handlers.ts'

/** The wire as ListChanged sees it. */
export interface ListChangedWire {
  /** Initialized, and input has not ended. */
  mayNotify(): boolean
  isOpen(requestId: number): boolean
  notify(method: string): void
}

/** Tells the client that `tools/list` would answer differently. Made before the wire is there; it owes nothing until then. */
export class ListChanged {
  #wire: ListChangedWire | undefined
  readonly #causes = new Set<number>()

  /** Connects it to the wire. */
  bind(wire: ListChangedWire): void {
    this.#wire = wire
  }

  /**
   * One notification is owed: at once, or behind the response of the request that caused the change. What is owed
   * already and not sent yet is covered by the next one that is sent. Nothing is owed before the handshake.
   */
  owe(cause?: CallContext): void {
    if (this.#wire === undefined || !this.#wire.mayNotify()) return
    if (cause !== undefined && this.#wire.isOpen(cause.requestId)) this.#causes.add(cause.requestId)
    else this.#send(this.#wire)
  }

  /** A request is closed: what it owed is sent now. */
  answered(requestId: number): void {
    if (this.#wire !== undefined && this.#causes.has(requestId)) this.#send(this.#wire)
  }

  #send(wire: ListChangedWire): void {
    this.#causes.clear()
    if (wire.mayNotify()) wire.notify('notifications/tools/list_changed')
  }
}
