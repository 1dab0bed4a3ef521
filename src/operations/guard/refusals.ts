// What the guard refused lately, and call ids that were used for two purchases. Kept for a day.
import type { SqliteDatabase } from '../../storage/database.ts'
import { dateOf, type Clock } from '../../timing/clock.ts'
import { plusMs, toStored } from '../instants.ts'
import type { DuplicateReason } from './judge.ts'

const keptMs = 24 * 60 * 60 * 1000
/** Equal refusals within this time are one. */
const sameMs = 60_000

/** One refusal. */
export interface Refusal {
  principal: string
  tool: string
  requestHash: string
  nearHash: Buffer
  /** The earlier operation. */
  of: string
  reason: DuplicateReason
}

/** The refusals in an opened file whose guard tables exist. Every method runs inside the caller's transaction. */
export interface Refusals {
  /** Notes a refusal; false when an equal one was noted within the last minute. */
  note(refusal: Refusal): boolean
  /** The last refusal of a purchase that differs in its reason alone, not older than `withinMs`. */
  near(
    principal: string,
    requestHash: string,
    nearHash: Buffer,
    withinMs: number,
  ): Pick<Refusal, 'of' | 'reason'> | undefined
  /** Notes that one call id of a platform was used for two purchases. */
  noteReusedId(platform: string, principal: string, tool: string, requestHash: string): void
  /** Whether a call id of this platform was used for two purchases within the last day. */
  hasReusedId(platform: string): boolean
}

export function createRefusals(database: SqliteDatabase, clock: Pick<Clock, 'nowMs'>): Refusals {
  const now = () => dateOf(clock)
  const insert = database.prepare(
    `insert into guard_refusals (principal, platform, tool, request_hash, near_hash, of_handle, reason, refused_at)
     values (:principal, :platform, :tool, :requestHash, :nearHash, :of, :reason, :now)`,
  )
  const clean = database.prepare('delete from guard_refusals where refused_at <= ?')
  const same = database.prepare(
    `select 1 from guard_refusals where request_hash = ? and principal = ? and of_handle = ? and reason = ? and refused_at > ?`,
  )
  const last = database.prepare<[string, Buffer, string, string], Pick<Refusal, 'of' | 'reason'>>(
    `select of_handle as 'of', reason from guard_refusals where principal = ? and near_hash = ? and request_hash <> ?
     and of_handle is not null and refused_at > ? order by rowid desc limit 1`,
  )
  const reused = database.prepare(
    `select 1 from guard_refusals where platform = ? and reason = 'id_reused' and refused_at > ? limit 1`,
  )
  const since = (ms: number) => toStored(plusMs(now(), -ms))
  const write = (members: Record<string, unknown>) => {
    clean.run(since(keptMs))
    insert.run({ platform: null, nearHash: null, of: null, now: toStored(now()), ...members })
  }

  return {
    note: (refusal) => {
      const { requestHash, principal, of, reason } = refusal
      if (same.get(requestHash, principal, of, reason, since(sameMs)) !== undefined) return false
      write({ ...refusal })
      return true
    },
    near: (principal, requestHash, nearHash, withinMs) => last.get(principal, nearHash, requestHash, since(withinMs)),
    noteReusedId: (platform, principal, tool, requestHash) => {
      if (reused.get(platform, since(sameMs)) === undefined)
        write({ platform, principal, tool, requestHash, reason: 'id_reused' })
    },
    hasReusedId: (platform) => reused.get(platform, since(keptMs)) !== undefined,
  }
}
