// Calls that run while nobody waits for them. Bounded in number and in bytes.
import type { Origin } from '../answers/answer.ts'
import type { DetachedStore, StoredDetached } from '../results/detached-store.ts'
import type { Clock } from '../timing/clock.ts'

/** How a call ended: the finished result as JSON text, or why there is none. */
export type DetachedEnd = Extract<StoredDetached, { kind: 'ended' }>['end']

/** Time, ids, and the place where states outlive the process. */
export interface DetachedOptions {
  clock: Pick<Clock, 'nowMs' | 'after'>
  /** 32 lowercase hex digits from a cryptographic source. */
  randomHex(): string
  /** Its failures cost nothing but the memory of a restart. */
  store?: Pick<DetachedStore, 'save' | 'find'>
}

/** Calls of one principal and of all that run at once, ended calls and bytes of results that are kept, and for how long. */
export const detachedLimits = {
  pending: 8,
  pendingOfAll: 64,
  ended: 128,
  endedBytes: 64 * 1024 * 1024,
  keptMs: 24 * 60 * 60 * 1000,
}

/** Why the signal of a call fires whose time is over: nobody cancelled it. */
export const timeIsOver = new DOMException('the time for the call is over', 'TimeoutError')

/** Finishing takes a little after the time is over. */
const endGraceMs = 60_000

interface Running {
  state: StoredDetached & { kind: 'pending' }
  abort: AbortController
}

/** Says why nothing was started. */
export type DetachRefusal = 'in_flight' | 'stopping'

export class DetachedCalls {
  readonly #options: DetachedOptions
  readonly #running = new Map<string, Running>()
  /** In the order in which they ended. */
  readonly #ended = new Map<string, StoredDetached & { kind: 'ended' }>()
  #endedBytes = 0
  #isStopping = false
  readonly #saving = new Set<Promise<void>>()

  constructor(options: DetachedOptions) {
    this.#options = options
  }

  /**
   * Runs `work` of a principal on its own: its signal fires when the time is over, when it is cancelled, and when the process ends. `work`
   * never rejects. The durable mark comes first, so that a death of the process leaves a call of unknown outcome.
   */
  async start(
    origin: Origin,
    { principal, timeoutMs }: { principal: string; timeoutMs: number },
    work: (signal: AbortSignal) => Promise<DetachedEnd>,
  ): Promise<{ callId: string } | { refusal: DetachRefusal }> {
    this.#prune()
    if (this.#isStopping) return { refusal: 'stopping' }
    const own = [...this.#running.values()].filter(({ state }) => state.principal === principal)
    if (own.length >= detachedLimits.pending || this.#running.size >= detachedLimits.pendingOfAll)
      return { refusal: 'in_flight' }
    const callId = this.#options.randomHex()
    const startedAtMs = this.#options.clock.nowMs()
    const latestEndMs = startedAtMs + timeoutMs + endGraceMs
    const state = { ...origin, callId, principal, kind: 'pending' as const, startedAtMs, latestEndMs }
    const running = { state, abort: new AbortController() }
    this.#running.set(callId, running)
    await this.#save(state)
    const cancelTimer = this.#options.clock.after(timeoutMs, () => running.abort.abort(timeIsOver))
    void work(running.abort.signal).then((end) => {
      cancelTimer()
      this.#end(running, end)
    })
    return { callId }
  }

  /** What is known of a call of this principal; undefined when nothing is. */
  async find(callId: string, principal: string): Promise<StoredDetached | undefined> {
    this.#prune()
    const known = this.#running.get(callId)?.state ?? this.#ended.get(callId)
    if (known !== undefined) return known.principal === principal ? known : undefined
    return this.#options.store?.find(callId, principal).catch(() => undefined)
  }

  /** Cancels a running call of this process; false when there is none. */
  cancel(callId: string): boolean {
    const running = this.#running.get(callId)
    if (running === undefined) return false
    running.abort.abort()
    this.#end(running, {
      kind: 'cancelled',
      error: `call ${running.state.namespaced}: outcome unknown: the call was cancelled while it ran. It may have been carried out; it was not retried.`,
    })
    return true
  }

  get pendingCount(): number {
    return this.#running.size
  }

  /** Cancels what runs; nothing is started any more. Resolves when every state is saved. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const running of [...this.#running.values()]) {
      running.abort.abort()
      this.#end(running, {
        kind: 'outcome_unknown',
        error:
          `call ${running.state.namespaced}: outcome unknown: the gateway stopped while the call ran. It may have been carried ` +
          'out; it was not retried, and no reconnect was attempted.',
      })
    }
    await Promise.all(this.#saving)
  }

  /** Only the first end counts. */
  #end({ state }: Running, end: DetachedEnd): void {
    if (!this.#running.delete(state.callId)) return
    const ended = { ...state, kind: 'ended' as const, end, endedAtMs: this.#options.clock.nowMs() }
    this.#ended.set(state.callId, ended)
    this.#endedBytes += bytesOf(end)
    this.#prune()
    void this.#save(ended)
  }

  #save(state: StoredDetached): Promise<void> {
    const saving = (this.#options.store?.save(state) ?? Promise.resolve()).catch(() => {})
    this.#saving.add(saving)
    return saving.finally(() => this.#saving.delete(saving))
  }

  /** The oldest ended ones go first; the newest stays, however large. */
  #prune(): void {
    const oldestMs = this.#options.clock.nowMs() - detachedLimits.keptMs
    for (const [callId, { end, endedAtMs }] of this.#ended) {
      const isOver =
        endedAtMs < oldestMs ||
        this.#ended.size > detachedLimits.ended ||
        (this.#endedBytes > detachedLimits.endedBytes && this.#ended.size > 1)
      if (!isOver) break
      this.#ended.delete(callId)
      this.#endedBytes -= bytesOf(end)
    }
  }
}

function bytesOf(end: DetachedEnd): number {
  return Buffer.byteLength(end.kind === 'result' ? end.json : end.error)
}
