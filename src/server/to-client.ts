// What goes to the client without having been asked for: requests of mounted servers, and their log.
/** The wire as ToClient sees it. */
export interface ToClientWire {
  /** Initialized, and input has not ended. */
  isThere(): boolean
  /** The client reads so late that what can be left out should be. */
  isBehind(): boolean
  /** Rejects with the client's error, with the signal's reason, or when the connection ends. */
  request(method: string, params: object, signal: AbortSignal): Promise<object>
  notify(method: string, paramsJson: string): void
}

/** Made before the wire is there; until then nobody can be asked. */
export class ToClient {
  #wire: ToClientWire | undefined

  /** Connects it to the wire. */
  bind(wire: ToClientWire): void {
    this.#wire = wire
  }

  /** Passes a request on to the client. */
  ask(method: string, params: object, signal: AbortSignal): Promise<object> {
    if (!this.#wire?.isThere()) return Promise.reject(new Error('no client can be asked now'))
    return this.#wire.request(method, params, signal)
  }

  /** Passes a notification on, or drops it; false when that is only because the client is behind, and it may be told again later. */
  tell(method: string, params: object): boolean {
    if (!this.#wire?.isThere()) return true
    if (this.#wire.isBehind()) return false
    this.#wire.notify(method, JSON.stringify(params))
    return true
  }
}
