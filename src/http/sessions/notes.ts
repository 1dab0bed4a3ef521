// What this process remembers of sessions, because somebody may want to hear of it again. Losing it costs a list read too often, a
// level to set and a resource to subscribe to again.
import { createHash } from 'node:crypto'
import type { WatchedResource } from '../../wire/news.ts'
import type { Session } from './session-id.ts'

/** One session as this process knows it. */
export interface SessionNotes {
  /** How the lists were when this process told it last; undefined: never. */
  told: Session['lists'] | undefined
  /** The lowest level of log messages that it wants. */
  logLevel: string | undefined
  readonly watched: Map<string, WatchedResource>
  /** Sends on its stream, while there is one. */
  send: ((method: string, params: object) => void) | undefined
  /** Ends the stream. */
  endStream: ((by: 'replaced' | 'deleted') => void) | undefined
  readonly principal: string
}

const mostSessions = 1024
const mostOfOnePrincipal = 64

/** A session is known by a hash of its id: the id itself is kept nowhere. */
export const nameOfSession = (id: string): string => createHash('sha256').update(id).digest('hex')

/** Notes of sessions; those that were idle for longest go first, never one with an open stream. */
export class Notes {
  readonly #sessions = new Map<string, SessionNotes>()

  /** What is known of a session, begun when nothing is. */
  of(id: string, principal: string): SessionNotes {
    const name = nameOfSession(id)
    const known = this.#sessions.get(name)
    this.#sessions.delete(name)
    const notes: SessionNotes = known ?? {
      told: undefined,
      logLevel: undefined,
      watched: new Map(),
      send: undefined,
      endStream: undefined,
      principal,
    }
    this.#sessions.set(name, notes)
    if (known === undefined) this.#makeRoom(principal)
    return notes
  }

  /** What is known, if anything is. */
  find(id: string): SessionNotes | undefined {
    return this.#sessions.get(nameOfSession(id))
  }

  forget(id: string): void {
    const name = nameOfSession(id)
    const notes = this.#sessions.get(name)
    if (notes === undefined) return
    this.#sessions.delete(name)
    notes.endStream?.('deleted')
    for (const one of notes.watched.values()) one.end()
  }

  #makeRoom(principal: string): void {
    const idle = [...this.#sessions].filter(([, { send }]) => send === undefined)
    const own = idle.filter(([, notes]) => notes.principal === principal)
    const isFull = this.#sessions.size > mostSessions
    const [oldest] = own.length > mostOfOnePrincipal ? own : isFull ? idle : []
    if (oldest === undefined) return
    this.#sessions.delete(oldest[0])
    for (const one of oldest[1].watched.values()) one.end()
  }
}
