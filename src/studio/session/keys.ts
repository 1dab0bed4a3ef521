// Keys that unlock a page once.
import type { Clock } from '../../timing/clock.ts'
import { digestOf, findDigest, secretForm } from './digests.ts'

interface IssuedKey {
  digest: Buffer
  expiresAtMs: number
  isUsed: boolean
  source: 'terminal' | 'page'
}

/** What became of a key that somebody sent. */
export type TakenKey = { kind: 'taken' } | { kind: 'unusable'; wasUsed: boolean } | { kind: 'braked'; waitMs: number }

const terminalLifeMs = 10 * 60_000
const pageLifeMs = 2 * 60_000
const mostFromPage = 3
const minuteMs = 60_000
const mostWrongPerMinute = 20
const mostWrong = 200

/** One from the terminal and three from pages may be outstanding. `random` gives a new secret each time. */
export class Keys {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #random: () => string
  readonly #onVoid: () => void
  #issued: IssuedKey[] = []
  #wrong = 0
  #wrongInMinute = 0
  #minuteAtMs = Number.NEGATIVE_INFINITY

  /** `onVoid`: so many wrong keys came that all outstanding ones are void. */
  constructor(clock: Pick<Clock, 'monotonicMs'>, random: () => string, onVoid: () => void) {
    this.#clock = clock
    this.#random = random
    this.#onVoid = onVoid
  }

  /** A new key of the terminal; the one before is void unless it was used. */
  forTerminal(): string {
    this.#issued = this.#issued.filter(({ source, isUsed }) => source !== 'terminal' || isUsed)
    return this.#issue('terminal', terminalLifeMs)
  }

  /** A new key for another browser, with how long it lives; undefined while three are outstanding. */
  forPage(): { key: string; lifeMs: number } | undefined {
    this.#forgetOld()
    const outstanding = this.#issued.filter(({ source, isUsed }) => source === 'page' && !isUsed)
    if (outstanding.length >= mostFromPage) return undefined
    return { key: this.#issue('page', pageLifeMs), lifeMs: pageLifeMs }
  }

  /** Strikes a key out. A wrong one costs everybody a little. */
  take(key: string): TakenKey {
    const nowMs = this.#clock.monotonicMs()
    const waitMs = this.#brakeMs(nowMs)
    if (waitMs > 0) return { kind: 'braked', waitMs }
    this.#forgetOld()
    const found = secretForm.test(key) ? findDigest(this.#issued, digestOf(key), ({ digest }) => digest) : undefined
    if (found !== undefined && !found.isUsed) {
      found.isUsed = true
      return { kind: 'taken' }
    }
    this.#countWrong(nowMs)
    return { kind: 'unusable', wasUsed: found !== undefined }
  }

  #issue(source: IssuedKey['source'], lifeMs: number): string {
    const key = this.#random()
    const expiresAtMs = this.#clock.monotonicMs() + lifeMs
    this.#issued.push({ digest: digestOf(key), expiresAtMs, isUsed: false, source })
    return key
  }

  #brakeMs(nowMs: number): number {
    if (nowMs - this.#minuteAtMs >= minuteMs) return 0
    return this.#wrongInMinute >= mostWrongPerMinute ? this.#minuteAtMs + minuteMs - nowMs : 0
  }

  #countWrong(nowMs: number): void {
    if (nowMs - this.#minuteAtMs >= minuteMs) {
      this.#minuteAtMs = nowMs
      this.#wrongInMinute = 0
    }
    this.#wrongInMinute++
    this.#wrong++
    if (this.#wrong % mostWrong !== 0) return
    this.#issued = []
    this.#onVoid()
  }

  #forgetOld(): void {
    const nowMs = this.#clock.monotonicMs()
    this.#issued = this.#issued.filter(({ expiresAtMs }) => expiresAtMs > nowMs)
  }
}
