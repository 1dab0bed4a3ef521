// Pure: the text of a journal entry, its place in the chain, and what is committed to without being shown.
import { createHash } from 'node:crypto'

/** The largest entry, in bytes of UTF-8. */
export const entryLimitBytes = 4096

/** Everything an entry may tell of. */
export type EntryKind =
  | 'journal_opened'
  | 'opened'
  | 'sent'
  | 'answered'
  | 'delivered'
  | 'bound'
  | 'dispatching'
  | 'dispatched'
  | 'observed'
  | 'finished'
  | 'approval_shown'
  | 'approval_decided'
  | 'guard_refused'
  | 'confirmed'
  | 'forgotten'
  | 'resumed'
  | 'key'

/** What stands in every entry before what is particular to its kind. */
export interface EntryPlace {
  seq: number
  /** Of the entry before; 64 zeros for the first. */
  prev: string
  /** When it was sealed. */
  at: string
  /** The `seq` of the operation's first entry; 0 for the journal itself. */
  operation: number
  /** The `seq` of this operation's entry before. */
  opPrev: number | null
}

/** A content that is committed to: with the salt, which is erasable, nobody can guess it back from its hash. */
export interface Opening {
  salt: string
  /** Left out where it stands in the row. */
  content?: string
}

/** One line of JSON without white space, written once and never parsed to be written again. */
export function entryText(place: EntryPlace, kind: EntryKind, members: Record<string, unknown>): string {
  const { seq, prev, at, operation, opPrev } = place
  return JSON.stringify({ v: 1, seq, prev, at, operation, op_prev: opPrev, kind, ...members })
}

/** The link to an entry: the hash of a zero byte and its exact bytes. */
export function linkTo(entry: string): string {
  return createHash('sha256').update('\0').update(entry).digest('hex')
}

/** What the first entry's link is. */
export const firstLink = '0'.repeat(64)

/** The commitment to a content under a salt of 32 hex digits. */
export function commitment(salt: string, content: string): string {
  const hash = createHash('sha256').update('hubu-opening-v1\0').update(salt).update(content)
  return `sha256:${hash.digest('hex')}`
}

/** A text as an entry may hold it; null when it is longer than `maxBytes`, because half an id is worse than none. */
export function bounded(text: unknown, maxBytes = 255): string | null {
  return typeof text === 'string' && Buffer.byteLength(text) <= maxBytes ? text : null
}
