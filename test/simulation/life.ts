// One life of one process: it can stand still, and it can end at any moment, after which nothing of it happens any more.
import type { Clock } from '../../src/timing/clock.ts'
import type { Caller } from './wire.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

/** Thrown where a process dies inside a synchronous step; nobody who could act on it is alive. */
export class ProcessDied extends Error {}

/** More deaths than this only make a schedule longer. */
const mostDeaths = 12

export class Life implements Caller, Clock {
  readonly name: string
  /** How far its wall clock runs ahead of everybody else's. */
  readonly aheadMs: number
  isDead = false
  /** When it opened the registry. */
  openedAtMs = Number.POSITIVE_INFINITY
  /** When it last stood still or could not write; before and for a while after that its leases may be lost. */
  disturbedAtMs = Number.NEGATIVE_INFINITY
  readonly #world: World
  readonly #random: Random
  readonly #onDeath = new Set<() => void>()
  #stalledUntilMs = 0

  constructor(world: World, name: string, random: Random, aheadMs = 0) {
    this.#world = world
    this.aheadMs = aheadMs
    this.name = name
    this.#random = random
  }

  after(ms: number, work: () => void): () => void {
    let isCancelled = false
    this.#world.time.after(ms, () => this.#wake(() => !isCancelled && work()))
    return () => {
      isCancelled = true
    }
  }

  nowMs(): number {
    return this.#world.wallNow().getTime() + this.aheadMs
  }

  monotonicMs(): number {
    return this.#world.time.nowMs
  }

  turn(): Promise<void> {
    return new Promise((resolve) => void setImmediate(resolve))
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const cancel = this.after(ms, resolve)
      signal?.addEventListener('abort', () => {
        cancel()
        resolve()
      })
    })
  }

  every(ms: number, work: () => void): () => void {
    let cancel = () => {}
    const next = () => {
      cancel = this.after(ms, () => {
        next()
        work()
      })
    }
    next()
    return () => cancel()
  }

  /** A place between two steps: the process may die here, stand still, or let others go first. */
  async point(where: string, intent?: number): Promise<void> {
    if (this.isDead) return new Promise(() => {})
    if (this.#dies(where, intent)) return new Promise(() => {})
    if (this.#world.strikes('stall', this.#random, 0.008 * weightOf(where))) {
      const ms = this.#random.between(500, 15_000)
      this.#stalledUntilMs = this.#world.time.nowMs + ms
      this.disturbedAtMs = this.#stalledUntilMs
      this.#world.tell(this.name, `stands still for ${ms} ms at ${where}`, intent)
      return this.sleep(ms)
    }
    if (!this.#world.isCalm && this.#random.chance(0.15)) return this.sleep(this.#random.between(0, 5))
  }

  /** A place inside a synchronous step: the process may die here. */
  syncPoint(where: string): void {
    if (this.isDead || this.#dies(where)) throw new ProcessDied()
  }

  /** Ends it. Nothing that it waited for happens to it any more. */
  die(where: string, intent?: number): void {
    if (this.isDead) return
    this.isDead = true
    this.#world.deaths++
    this.#world.tell(this.name, `dies at ${where}`, intent)
    for (const work of this.#onDeath) work()
  }

  /** Calls back when it dies; the result ends that. */
  onDeath(work: () => void): () => void {
    this.#onDeath.add(work)
    return () => this.#onDeath.delete(work)
  }

  #dies(where: string, intent?: number): boolean {
    if (!this.#world.strikes('crash', this.#random, 0.005 * weightOf(where)) || this.#world.deaths >= mostDeaths)
      return false
    this.die(where, intent)
    return true
  }

  #wake(work: () => void): void {
    if (this.isDead) return
    const leftMs = this.#stalledUntilMs - this.#world.time.nowMs
    if (leftMs > 0) this.#world.time.after(leftMs, () => this.#wake(work))
    else work()
  }
}

/** Around a request, where most can be lost, trouble comes oftener. */
function weightOf(where: string): number {
  if (where.startsWith('after the answer')) return 12
  return where.startsWith('before the ') ? 6 : 1
}
