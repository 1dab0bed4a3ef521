import type { Clock } from '../../src/timing/clock.ts'

/** How a FakeClock begins. */
export interface FakeClockOptions {
  /** The wall clock at the beginning. */
  wallMs?: number
  monotonicMs?: number
  /** Given: a sleep takes no time, and moves the clock by what this makes of it. Absent: it waits for the test. */
  sleepMs?: (ms: number) => number
}

interface Timer {
  atMs: number
  work: () => unknown
  /** Again and again, with so many milliseconds between. */
  everyMs?: number
}

/** Time that stands until a test moves it. Its members may be spread into another clock. */
export class FakeClock implements Clock {
  /** The lengths of all sleeps and of all timers so far. */
  readonly slept: number[] = []
  readonly timed: number[] = []
  #monotonicMs: number
  /** The wall clock runs with the monotonic one, so far apart from it. */
  #wallOffsetMs: number
  #timers: Timer[] = []
  readonly #sleepMs: ((ms: number) => number) | undefined

  constructor({ wallMs = Date.UTC(2026, 10, 29), monotonicMs = 0, sleepMs }: FakeClockOptions = {}) {
    this.#monotonicMs = monotonicMs
    this.#wallOffsetMs = wallMs - monotonicMs
    this.#sleepMs = sleepMs
  }

  /** Whole milliseconds, as the real one gives them. */
  readonly nowMs = () => Math.floor(this.#monotonicMs + this.#wallOffsetMs)
  readonly monotonicMs = () => this.#monotonicMs

  readonly after = (ms: number, work: () => unknown) => {
    this.timed.push(ms)
    return this.#add({ atMs: this.#monotonicMs + ms, work })
  }

  readonly every = (ms: number, work: () => unknown) => this.#add({ atMs: this.#monotonicMs + ms, work, everyMs: ms })

  readonly sleep = (ms: number, signal?: AbortSignal) => {
    this.slept.push(ms)
    if (this.#sleepMs !== undefined) {
      this.skip(this.#sleepMs(ms))
      return this.turn()
    }
    return new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve()
      const cancel = this.#add({ atMs: this.#monotonicMs + ms, work: resolve })
      signal?.addEventListener('abort', () => (cancel(), resolve()), { once: true })
    })
  }

  readonly turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

  /** Timers and sleeps that have not come to their end. */
  get pending(): number {
    return this.#timers.length
  }

  /** The waits of what runs again and again. */
  get intervalsMs(): number[] {
    return this.#timers.flatMap(({ everyMs }) => everyMs ?? [])
  }

  /** Sets the wall clock; nothing else changes. */
  setWall(ms: number): void {
    this.#wallOffsetMs = ms - this.#monotonicMs
  }

  /** Time passes and nothing happens in it, as on a host that sleeps. */
  skip(ms: number): void {
    this.#monotonicMs += ms
  }

  /** What runs again and again runs once, now; resolves when that has ended. */
  async runIntervals(): Promise<void> {
    for (const { everyMs, work } of this.#timers) if (everyMs !== undefined) await work()
  }

  /** Lets time pass; every timer runs at its time, without anything in between. */
  advance(ms: number): void {
    const untilMs = this.#monotonicMs + ms
    for (let timer = this.#take(untilMs); timer !== undefined; timer = this.#take(untilMs)) void timer.work()
    this.#monotonicMs = untilMs
  }

  /** Lets time pass, and after every timer all that follows from it without time. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#monotonicMs + ms
    await settle()
    for (let timer = this.#take(untilMs); timer !== undefined; timer = this.#take(untilMs)) {
      await Promise.all([timer.work(), settle()])
    }
    this.#monotonicMs = untilMs
    await settle()
  }

  /** The next timer of those due by then, at its time. */
  #take(untilMs: number): Timer | undefined {
    const [next] = this.#timers.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)
    if (next === undefined) return undefined
    this.#monotonicMs = Math.max(this.#monotonicMs, next.atMs)
    if (next.everyMs === undefined) this.#timers = this.#timers.filter((timer) => timer !== next)
    else next.atMs = this.#monotonicMs + next.everyMs
    return next
  }

  #add(timer: Timer): () => void {
    this.#timers.push(timer)
    return () => void (this.#timers = this.#timers.filter((other) => other !== timer))
  }
}

/** Lets everything happen that needs no time. */
export async function settle(): Promise<void> {
  for (let n = 0; n < 3; n++) await new Promise(setImmediate)
}
