// What this process remembers of sessions, because somebody may want to hear of it again. Losing it costs a list read too often, a
// level to set and a resource to subscribe to again.
import { createHash } from 'node:crypto'
import type { Clock } from '../../timing/clock.ts'
import type { KeptWatches } from '../../wire/request.ts'
import type { Session } from './session-id.ts'
import { Watches } from './watches.ts'

/** One session as this process knows it. */
export interface SessionNotes {
  /** How the lists were when this process told it last; undefined: never. */
  told: Session['lists'] | undefined
  /** The lowest level of log messages that it wants. */
  logLevel: string | undefined
  readonly watches: KeptWatches & { end(): void }
  /** Sends on its stream, while there is one. */
  send: ((method: string, params: object) => void) | undefined
  /** Ends the stream. */
  endStream: ((by: 'replaced' | 'deleted') => void) | undefined
  readonly principal: string
  /** On the monotonic clock. */
  usedMs: number
}

const mostSessions = 1024
const mostOfOnePrincipal = 64
const idleMs = 60 * 60_000

/** A session is known by a hash of its id: the id itself is kept nowhere. */
export const nameOfSession = (id: string): string => createHash('sha256').update(id).digest('hex')

/** Notes of sessions by their names. Those that were idle for longest go first, never one with an open stream. */
export class Notes {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  /** In the order in which they were used last. */
  readonly #sessions = new Map<string, SessionNotes>()

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** What is known of a session, begun when nothing is. */
  of(name: string, principal: string): SessionNotes {
    const known = this.find(name)
    if (known !== undefined) return known
    const notes: SessionNotes = {
      told: undefined,
      logLevel: undefined,
      watches: new Watches((uri) => notes.send?.('notifications/resources/updated', { uri })),
      send: undefined,
      endStream: undefined,
      principal,
      usedMs: this.#clock.monotonicMs(),
    }
    this.#sessions.set(name, notes)
    this.#makeRoom(principal)
    return notes
  }

  /** What is known, if anything is; it counts as used. */
  find(name: string): SessionNotes | undefined {
    this.#dropIdle()
    const known = this.#sessions.get(name)
    if (known === undefined) return undefined
    known.usedMs = this.#clock.monotonicMs()
    this.#sessions.delete(name)
    this.#sessions.set(name, known)
    return known
  }

  forget(name: string): void {
    const notes = this.#sessions.get(name)
    notes?.endStream?.('deleted')
    this.#drop(name)
  }

  #drop(name: string): void {
    this.#sessions.get(name)?.watches.end()
    this.#sessions.delete(name)
  }

  #dropIdle(): void {
    const before = this.#clock.monotonicMs() - idleMs
    for (const [name, { usedMs, send }] of this.#sessions) {
      if (usedMs > before) break
      if (send === undefined) this.#drop(name)
    }
  }

  #makeRoom(principal: string): void {
    const idle = [...this.#sessions].filter(([, { send }]) => send === undefined)
    const own = idle.filter(([, notes]) => notes.principal === principal)
    const isFull = this.#sessions.size > mostSessions
    const [oldest] = own.length > mostOfOnePrincipal ? own : isFull ? idle : []
    if (oldest !== undefined) this.#drop(oldest[0])
  }
}
