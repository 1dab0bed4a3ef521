/** A server that does not answer what it is told keeps nobody waiting. */
export const soon = () => ({ limit: AbortSignal.timeout(1000) })

/** What a server has to hear before the next call: over HTTP a call could overtake it. */
export class ToldFirst {
  #heard: Promise<void> | undefined

  /** Calls wait until this is answered, or failed. */
  tell(answered: Promise<unknown>): Promise<void> {
    const heard: Promise<void> = answered
      .catch(() => {})
      .then(() => {
        if (this.#heard === heard) this.#heard = undefined
      })
    return (this.#heard = heard)
  }

  /** Sends at once where there is nothing to wait for. */
  before<T>(send: () => Promise<T>): Promise<T> {
    return this.#heard === undefined ? send() : this.#heard.then(send)
  }
}
