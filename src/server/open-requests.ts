// Requests on stdio, from the line to the core and back.
import type { IncomingRequest } from '../wire/incoming.ts'
import { localCaller, type AnswerPort, type ClientView, type Core, type CoreAnswer } from '../wire/request.ts'

/** Where requests are answered, and where the answers go. */
export interface OpenRequestsOptions {
  core: Core
  /** The router ends: what is held open is answered. */
  ending: AbortSignal
  portOf(requestId: number, signal: AbortSignal): AnswerPort
  answer(requestId: number, answer: CoreAnswer): void
}

/** The requests that are with the core, each until its answer. */
export class OpenRequests {
  readonly #options: OpenRequestsOptions
  readonly #open = new Map<number, AbortController>()

  constructor(options: OpenRequestsOptions) {
    this.#options = options
  }

  begin(
    requestId: number,
    { method, params, findings, progressToken, rawId }: IncomingRequest,
    client: ClientView,
  ): void {
    const { core, ending, portOf, answer } = this.#options
    const controller = new AbortController()
    const { signal } = controller
    this.#open.set(requestId, controller)
    const asked = { requestId, method, params, findings, progressToken, rawId, client, caller: localCaller }
    void core.answer({ ...asked, signal, ending, port: portOf(requestId, signal) }).then((answered) => {
      this.#open.delete(requestId)
      answer(requestId, answered)
    })
  }

  /** `reason` is the client's own, where it gave one. */
  cancel(requestId: number, reason?: string): void {
    this.#open.get(requestId)?.abort(reason)
  }

  /** Nobody is there any more who could read an answer. */
  cancelAll(): void {
    for (const controller of this.#open.values()) controller.abort()
  }
}
