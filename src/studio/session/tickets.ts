// One look at one review, good for one decision.
import type { Clock } from '../../timing/clock.ts'
import { digestOf, findDigest, secretForm } from './digests.ts'
import type { StudioSession } from './sessions.ts'

interface IssuedTicket {
  digest: Buffer
  session: number
  approvalId: string
  /** Of the review that was shown. */
  reviewDigest: string
  /** The amount that must be typed. */
  expect: string
  expiresAtMs: number
  wrong: number
}

/** A ticket that holds. */
export type GoodTicket = Pick<IssuedTicket, 'reviewDigest' | 'expect'>

export const ticketLifeMs = 5 * 60_000
const mostWrong = 5
/** More than a person looks at; the oldest give way. */
const mostTickets = 256

export class Tickets {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #random: () => string
  #tickets: IssuedTicket[] = []

  constructor(clock: Pick<Clock, 'monotonicMs'>, random: () => string) {
    this.#clock = clock
    this.#random = random
  }

  issue(session: StudioSession, approvalId: string, shown: GoodTicket): string {
    const ticket = this.#random()
    this.#forgetOld()
    const expiresAtMs = this.#clock.monotonicMs() + ticketLifeMs
    this.#tickets.push({ ...shown, digest: digestOf(ticket), session: session.id, approvalId, expiresAtMs, wrong: 0 })
    this.#tickets = this.#tickets.slice(-mostTickets)
    return ticket
  }

  /** The ticket, if it is of this session and this id and still holds. */
  find(ticket: string, session: StudioSession, approvalId: string): GoodTicket | undefined {
    return this.#find(ticket, session, approvalId)
  }

  /** The wrong amount was typed; the fifth time voids the ticket. */
  miss(ticket: string, session: StudioSession, approvalId: string): void {
    const found = this.#find(ticket, session, approvalId)
    if (found !== undefined && ++found.wrong >= mostWrong) this.strike(ticket)
  }

  /** It decides now, and never again. */
  strike(ticket: string): void {
    const found = findDigest(this.#tickets, digestOf(ticket), ({ digest }) => digest)
    this.#tickets = this.#tickets.filter((one) => one !== found)
  }

  /** The approvals that somebody looks at. */
  approvals(): string[] {
    this.#forgetOld()
    return [...new Set(this.#tickets.map(({ approvalId }) => approvalId))]
  }

  #find(ticket: string, session: StudioSession, approvalId: string): IssuedTicket | undefined {
    this.#forgetOld()
    if (!secretForm.test(ticket)) return undefined
    const found = findDigest(this.#tickets, digestOf(ticket), ({ digest }) => digest)
    return found?.session === session.id && found.approvalId === approvalId ? found : undefined
  }

  #forgetOld(): void {
    const nowMs = this.#clock.monotonicMs()
    this.#tickets = this.#tickets.filter(({ expiresAtMs }) => expiresAtMs > nowMs)
  }
}
