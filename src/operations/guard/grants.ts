// A person's, or a harness's, word that one more purchase is meant. A word counts once.
import type { SqliteDatabase } from '../../storage/database.ts'
import { dateOf, type Clock } from '../../timing/clock.ts'
import { plusMs, toStored } from '../instants.ts'
import type { Intent } from './identity.ts'

/** How long a harness's word counts; it is used in the commit that writes it. */
const harnessMs = 15 * 60 * 1000

/** The grants in an opened file whose guard tables exist. Every method runs inside the caller's transaction. */
export interface Grants {
  /** A human allows one more purchase that equals this operation, until then. */
  give(intent: Intent, of: string, until: Date): void
  /**
   * Uses the word that allows this purchase beside the operation `of`: a human's, or the harness's own when it names that
   * operation and did so for no other purchase before. Undefined when there is none. The returned function ends it, with the
   * handle of the purchase that was allocated for it.
   */
  use(intent: Intent, of: string, confirmed: string | undefined): ((handle: string) => void) | undefined
}

export function createGrants(database: SqliteDatabase, clock: Pick<Clock, 'nowMs'>): Grants {
  const now = () => dateOf(clock)
  const insert = database.prepare(
    `insert into guard_grants (of_handle, principal, tool, request_hash, granted_by, granted_at, until, used_by)
     values (:of, :principal, :tool, :fingerprint, :by, :now, :until, :usedBy)`,
  )
  const clean = database.prepare('delete from guard_grants where until <= ? and granted_at <= ?')
  const unused = database
    .prepare<[string, string, string, string, string], number>(
      `select rowid from guard_grants where request_hash = ? and of_handle = ? and principal = ? and tool = ?
       and granted_by = 'human' and used_by is null and until > ? limit 1`,
    )
    .pluck()
  const end = database.prepare('update guard_grants set used_by = ? where rowid = ? and used_by is null')
  const said = database.prepare<[string, string]>(
    `select 1 from guard_grants where of_handle = ? and principal = ? and granted_by = 'harness'`,
  )
  const dayMs = 24 * 60 * 60 * 1000
  const write = (intent: Intent, of: string, by: 'human' | 'harness', until: Date, usedBy: string | null) =>
    insert.run({ ...intent, of, by, until: toStored(until), usedBy, now: toStored(now()) })

  return {
    give: (intent, of, until) => {
      clean.run(toStored(now()), toStored(plusMs(now(), -dayMs)))
      write(intent, of, 'human', until, null)
    },
    use: (intent, of, confirmed) => {
      const row = unused.get(intent.fingerprint, of, intent.principal, intent.tool, toStored(now()))
      if (row !== undefined) return (handle) => void end.run(handle, row)
      if (confirmed !== of || said.get(of, intent.principal) !== undefined) return undefined
      return (handle) => void write(intent, of, 'harness', plusMs(now(), harnessMs), handle)
    },
  }
}
