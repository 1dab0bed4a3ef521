// The journal of a registry file: entries are appended inside the commit of what they tell, each linked to the one before.
import type { SqliteDatabase } from '../../storage/database.ts'
import { dateOf, type Clock } from '../../timing/clock.ts'
import { toStored } from '../instants.ts'
import { entryLimitBytes, entryText, firstLink, linkTo, type EntryKind, type Opening } from './entry.ts'

/** What an entry says besides its place. */
export interface NewEntry {
  kind: EntryKind
  /** In the order in which they are written. */
  members: Record<string, unknown>
  /** By the name of the member that commits to it. */
  openings?: Record<string, Opening> | undefined
}

/** An entry as it was read. */
export interface StoredEntry {
  seq: number
  operation: number
  entry: Record<string, unknown> & { kind: EntryKind; at: string }
}

/** The journal. Every method runs inside the caller's transaction. */
export interface Journal {
  /** Appends the first entry of an operation, which begins with its handle; returns the number by which all others know it. */
  open(handle: string, entry: NewEntry): number
  /** Appends an entry of an operation, or of the journal itself with 0. */
  append(operation: number, entry: NewEntry): void
  /** The number of an operation; undefined when nobody wrote its first entry. */
  numberOf(handle: string): number | undefined
  /** The entries of an operation, oldest first. */
  entriesOf(operation: number): StoredEntry[]
}

/** So far back an operation is looked for that is not among the facts yet. */
const recentEntries = 2000

/** The journal on an opened file whose tables exist. */
export function createJournal(database: SqliteDatabase, clock: Pick<Clock, 'nowMs'>): Journal {
  const last = database.prepare<[], { seq: number; entry: string }>(
    'select seq, entry from operation_journal order by seq desc limit 1',
  )
  const lastOf = database
    .prepare<[number], number | null>('select max(seq) from operation_journal where operation = ?')
    .pluck()
  const insert = database.prepare(
    'insert into operation_journal (seq, operation, entry, opening) values (:seq, :operation, :text, :opening)',
  )
  const inFacts = database
    .prepare<[string], number>('select no from operation_facts where operation_handle = ?')
    .pluck()
  const isFirstOf = database
    .prepare<[number, string], number>(
      `select 1 from operation_journal where seq = ? and operation = seq and entry ->> '$.handle' = ?`,
    )
    .pluck()
  // What another process opened a moment ago, before anybody sealed it.
  const amongLast = database
    .prepare<[string], number>(
      `select seq from operation_journal where operation = seq and entry ->> '$.handle' = ?
       and seq > (select coalesce(max(seq), 0) from operation_journal) - ${recentEntries} order by seq desc limit 1`,
    )
    .pluck()
  /** What this process opened; a commit that failed leaves a number behind that is another's, so it is looked at. */
  const opened = new Map<string, number>()
  const all = database.prepare<[number], { seq: number; operation: number; entry: string }>(
    'select seq, operation, entry from operation_journal where operation = ? order by seq',
  )

  const write = (operation: number | undefined, { kind, members, openings }: NewEntry): number => {
    const before = last.get()
    const seq = (before?.seq ?? 0) + 1
    const place = {
      seq,
      prev: before === undefined ? firstLink : linkTo(before.entry),
      at: toStored(dateOf(clock)),
      operation: operation ?? seq,
      opPrev: operation === undefined ? null : (lastOf.get(operation) ?? null),
    }
    const text = entryText(place, kind, members)
    if (Buffer.byteLength(text) > entryLimitBytes) throw new Error(`the entry ${kind} is too long`)
    const opening = openings === undefined ? null : Buffer.from(JSON.stringify(openings))
    insert.run({ seq, operation: place.operation, text, opening })
    return seq
  }

  return {
    open: (handle, { kind, members, openings }) => {
      const no = write(undefined, { kind, members: { handle, ...members }, openings })
      if (opened.size >= recentEntries) opened.clear()
      opened.set(handle, no)
      return no
    },
    append: (operation, entry) => void write(operation, entry),
    numberOf: (handle) => {
      const ours = opened.get(handle)
      if (ours !== undefined && isFirstOf.get(ours, handle) !== undefined) return ours
      return inFacts.get(handle) ?? amongLast.get(handle)
    },
    entriesOf: (operation) =>
      all.all(operation).map((row) => ({ ...row, entry: JSON.parse(row.entry) as StoredEntry['entry'] })),
  }
}
