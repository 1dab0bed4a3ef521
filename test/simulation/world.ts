// The one world of a schedule: its time, its chance, its history, and the first thing that went wrong in it.
import { History } from './history.ts'
import type { Intent, Plan, Trouble } from './plan.ts'
import { createRandom, type Random } from './random.ts'
import { VirtualTime } from './virtual-time.ts'

/** A broken promise. */
export interface Violation {
  /** The promise, in words. */
  promise: string
  detail: string
  intent: number | undefined
}

const beganAt = Date.UTC(2026, 10, 29)

/** What everything in a schedule shares. */
export class World {
  readonly plan: Plan
  readonly time: VirtualTime
  readonly history = new History()
  violation: Violation | null = null
  /** No trouble comes any more: what was begun may end. */
  isCalm = false
  /** How many processes died. */
  deaths = 0
  /** How far the wall clock is off. */
  #clockOffsetMs = 0
  /** When the host last slept or its clock was set; whoever was alive then was not, for a while. */
  sleptAtMs = Number.NEGATIVE_INFINITY

  /** When the registry file was taken away. */
  swappedAtMs = Number.NEGATIVE_INFINITY

  constructor(plan: Plan) {
    this.plan = plan
    this.time = new VirtualTime(this.random('order'))
  }

  intent(n: number): Intent | undefined {
    return this.plan.intents.find((intent) => intent.n === n)
  }

  random(stream: string): Random {
    return createRandom(`${this.plan.seed}/${stream}`)
  }

  /** Whether this trouble comes now; `probability` is the usual rate. */
  strikes(trouble: Trouble, random: Random, probability: number): boolean {
    const draw = random.next()
    return !this.isCalm && draw < probability * (this.plan.troubles[trouble] ?? 0)
  }

  wallNow(): Date {
    return new Date(beganAt + this.#clockOffsetMs + Math.floor(this.time.nowMs))
  }

  /** The host sleeps: nothing happens meanwhile, to anybody. */
  sleepHost(ms: number): void {
    this.tell('world', `the host sleeps for ${ms} ms`)
    this.time.sleepThrough(ms)
    this.sleptAtMs = this.time.nowMs
  }

  /** Somebody sets the wall clock. */
  stepClock(ms: number): void {
    this.#clockOffsetMs += ms
    this.tell('world', `the wall clock is set by ${ms} ms`)
    this.sleptAtMs = this.time.nowMs
  }

  tell(who: string, what: string, intent?: number): void {
    this.history.add({ atMs: Math.floor(this.time.nowMs), who, what, ...(intent !== undefined && { intent }) })
  }

  /** Records the first broken promise; the schedule ends there. */
  blame(promise: string, detail: string, intent?: number): void {
    if (this.violation !== null) return
    this.violation = { promise, detail, intent }
    this.tell('world', `BROKEN: ${promise}: ${detail}`, intent)
  }
}
