import type { AnswerWatch } from '../wire/handlers.ts'
import type { AnswerKind } from './stdio-transport.ts'

interface Track {
  handle: string
  /** Not yet answered; answered, and its line on the way; or over. */
  state: 'open' | 'leaving' | 'over'
  isCancelled: boolean
}

/** So many answered requests are remembered, because a client may cancel late. */
const rememberedTracks = 64

/** Follows the answers of operations from the request to the end of its line. */
export class AnswerTracks {
  readonly #watch: AnswerWatch
  readonly #tracks = new Map<number, Track>()

  constructor(watch: AnswerWatch) {
    this.#watch = watch
  }

  /** The answer to a request will be that of an operation. */
  concerns(requestId: number, handle: string, isCancelled: boolean): void {
    const known = this.#tracks.get(requestId)
    if (known !== undefined) return
    this.#tracks.set(requestId, { handle, state: 'open', isCancelled })
    if (isCancelled) this.#watch.cancelled(handle)
    if (this.#tracks.size <= rememberedTracks) return
    for (const [id, { state }] of this.#tracks) if (state === 'over') return void this.#tracks.delete(id)
  }

  /** A refusal is not the answer of its operation, so it proves nothing. */
  answered(requestId: number, kind: AnswerKind): void {
    const track = this.#tracks.get(requestId)
    if (track === undefined) return
    if (kind === 'result') track.state = 'leaving'
    else this.#tracks.delete(requestId)
  }

  written(requestId: number, isWritten: boolean): void {
    const track = this.#tracks.get(requestId)
    // The stream may be done with a line before anybody heard that the request was answered.
    if (track === undefined || track.state === 'over') return
    track.state = 'over'
    if (track.isCancelled) return
    if (isWritten) this.#watch.written(track.handle, requestId)
    else this.#watch.lost(track.handle)
  }

  cancelled(requestId: number): void {
    const track = this.#tracks.get(requestId)
    if (track === undefined) return
    track.isCancelled = true
    this.#watch.cancelled(track.handle)
  }

  /** The connection is over: what has not left by now never will. */
  closed(): void {
    for (const { handle, state, isCancelled } of this.#tracks.values())
      if (state === 'leaving' && !isCancelled) this.#watch.lost(handle)
    this.#tracks.clear()
    this.#watch.closed()
  }
}
