// Time that passes only when nothing is left to do. Everything that waits in the simulation waits here.
import type { Clock } from '../../src/timing/clock.ts'
import type { Random } from './random.ts'

interface Appointment {
  atMs: number
  /** Decides among appointments of one instant, so that their order differs from seed to seed. */
  order: number
  work: (() => void) | null
}

/** The clock and the scheduler of one simulated world. */
export class VirtualTime {
  /** Milliseconds since the world began; never goes back. */
  nowMs = 0
  /** Appointments kept so far. */
  kept = 0
  readonly #heap: Appointment[] = []
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  /** Makes an appointment; the result cancels it. */
  after(ms: number, work: () => void): () => void {
    const appointment: Appointment = { atMs: this.nowMs + Math.max(0, ms), order: this.#random.next(), work }
    this.#push(appointment)
    return () => {
      appointment.work = null
    }
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve))
  }

  /** This time as a room takes it. For whom `isOver` says so it has ended: nothing of theirs happens any more. */
  clock(wallMs: () => number, isOver = () => false): Clock {
    const alive = (work: () => void) => () => void (isOver() || work())
    const after = (ms: number, work: () => void) => this.after(ms, alive(work))
    return {
      nowMs: wallMs,
      monotonicMs: () => this.nowMs,
      after,
      every: (ms, work) => {
        const next = (): (() => void) =>
          after(ms, () => {
            work()
            cancel = next()
          })
        let cancel = next()
        return () => cancel()
      },
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          const cancel = after(ms, resolve)
          signal?.addEventListener(
            'abort',
            alive(() => (cancel(), resolve())),
          )
        }),
      turn: () => new Promise((resolve) => void setImmediate(alive(resolve))),
    }
  }

  /** The host sleeps: so much time passes and nothing happens in it. Appointments of that time are kept late. */
  sleepThrough(ms: number): void {
    this.nowMs += ms
  }

  /** Keeps the next appointment and lets all that follows from it happen. False when there is none. */
  async step(): Promise<boolean> {
    const next = this.#pop()
    if (next === undefined) return false
    this.nowMs = Math.max(this.nowMs, next.atMs)
    this.kept++
    next.work?.()
    await settled()
    return true
  }

  /** Lets so much time pass, with everything that happens in it. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms
    await settled()
    while ((this.#heap[0]?.atMs ?? Number.POSITIVE_INFINITY) <= untilMs) await this.step()
    this.nowMs = untilMs
  }

  #push(appointment: Appointment): void {
    const heap = this.#heap
    let at = heap.push(appointment) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(appointment, heap[parent] as Appointment)) break
      heap[at] = heap[parent] as Appointment
      at = parent
    }
    heap[at] = appointment
  }

  #pop(): Appointment | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Appointment, heap[child] as Appointment)) child++
      if (!isBefore(heap[child] as Appointment, last)) break
      heap[at] = heap[child] as Appointment
      at = child
    }
    heap[at] = last
    return first
  }
}

function isBefore(a: Appointment, b: Appointment): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)
}

/** Every promise that can go on without time passing has gone on: node runs them all before a check-phase callback. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
