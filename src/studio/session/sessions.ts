// Who is let in, until when.
import type { Clock } from '../../timing/clock.ts'
import { digestOf, findDigest } from './digests.ts'

/** Why a session ended. */
export type SessionEnd = 'idle' | 'ended' | 'expired' | 'stopped'

/** One unlocked browser. */
export interface StudioSession {
  /** Never leaves this process. */
  readonly id: number
  /** Called once, when it ends. */
  readonly endings: Set<(why: SessionEnd) => void>
}

interface Kept extends StudioSession {
  cookie: Buffer
  token: Buffer
  activeAtMs: number
  cancelIdle: () => void
  cancelEnd: () => void
}

/** What sessions are made with. */
export interface SessionOptions {
  clock: Pick<Clock, 'monotonicMs' | 'after'>
  /** A new secret each time. */
  random: () => string
  idleMs: number
}

const mostSessions = 8
const longestMs = 12 * 60 * 60_000
const mostCookies = 8

/** Needs both secrets of a session: the cookie goes to every port of this address, the token only where our page sends it. */
export class StudioSessions {
  readonly #options: SessionOptions
  readonly #sessions = new Map<number, Kept>()
  #count = 0

  constructor(options: SessionOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#sessions.size
  }

  /** A new session; of more than eight the one that is idle for longest ends. */
  open(): { cookie: string; token: string } {
    const { clock, random } = this.#options
    if (this.#sessions.size >= mostSessions) {
      const [longestIdle] = [...this.#sessions.values()].sort((a, b) => a.activeAtMs - b.activeAtMs)
      this.#end(longestIdle!, 'ended')
    }
    const [cookie, token] = [random(), random()]
    const session: Kept = {
      id: ++this.#count,
      endings: new Set(),
      cookie: digestOf(cookie),
      token: digestOf(token),
      activeAtMs: 0,
      cancelIdle: () => {},
      cancelEnd: clock.after(longestMs, () => this.#end(session, 'expired')),
    }
    this.#sessions.set(session.id, session)
    this.touch(session)
    return { cookie, token }
  }

  /** The session of a token, if its cookie is among those that came: another port may have set more under the name. */
  find(token: string | undefined, cookies: readonly string[]): StudioSession | undefined {
    if (token === undefined) return undefined
    const session = findDigest(this.#sessions.values(), digestOf(token), (kept) => kept.token)
    if (session === undefined) return undefined
    const isOwn = findDigest(cookies.slice(0, mostCookies), session.cookie, digestOf)
    return isOwn === undefined ? undefined : session
  }

  /** A person did something. */
  touch({ id }: StudioSession): void {
    const session = this.#sessions.get(id)
    if (session === undefined) return
    const { clock, idleMs } = this.#options
    session.cancelIdle()
    session.activeAtMs = clock.monotonicMs()
    session.cancelIdle = clock.after(idleMs, () => this.#end(session, 'idle'))
  }

  end({ id }: StudioSession): void {
    const session = this.#sessions.get(id)
    if (session !== undefined) this.#end(session, 'ended')
  }

  /** Ends every session; this is the end of the studio. */
  stop(): void {
    for (const session of [...this.#sessions.values()]) this.#end(session, 'stopped')
  }

  #end(session: Kept, why: SessionEnd): void {
    session.cancelIdle()
    session.cancelEnd()
    this.#sessions.delete(session.id)
    for (const tell of session.endings) tell(why)
  }
}

/** The values of the cookies of a name, in their order. */
export function cookiesNamed(name: string, header: string | undefined): string[] {
  return (header ?? '').split(';').flatMap((pair) => {
    const mark = pair.indexOf('=')
    return mark > 0 && pair.slice(0, mark).trim() === name ? [pair.slice(mark + 1).trim()] : []
  })
}
