// The purchases that wait for a human: what was asked, until the decision is final.
import type { CallIdentity } from '../../identity/call-identity.ts'
import type { SqliteDatabase } from '../../storage/database.ts'
import { dateOf, type Clock } from '../../timing/clock.ts'
import type { ClockWitness } from '../../timing/clock-witness.ts'
import { plusMs, toStored } from '../instants.ts'
import { identityOf, type OperationRow, type SpendTool } from '../row.ts'
import { longestWaitMs, waitAfter, waitingLimitMs } from './schedule.ts'

/** How long a claimed purchase belongs to a worker that says nothing. */
export const waitingLeaseMs = 10_000

/** One purchase to ask Hubu about again, exactly as it was asked. */
export interface WaitingSpend {
  handle: string
  identity: CallIdentity
  /** Whose it is, as its row says it. */
  owner: string
  tool: SpendTool
  args: Record<string, unknown>
  leaseId: string
}

/**
 * The purchases that wait. Every method runs inside the caller's transaction or is one statement of its own, so that a
 * purchase begins and ceases to wait in the very commit that records what Hubu answered.
 */
export interface WaitingSpends {
  /** Keeps what was asked, with the commit that records `needs_approval`; one that waits already keeps its place. */
  keep(handle: string, tool: SpendTool, requestText: string): void
  /** Erases it, with the commit that records a final decision. True when it was there. */
  erase(handle: string): boolean
  /** Erases every one that has waited too long, where the witness agrees. Returns how many. */
  eraseOld(): number
  /** Takes the one that has been due longest and is held by nobody; null when there is none. */
  claim(leaseId: string): WaitingSpend | null
  /** Gives a claimed one back until its next attempt. Nothing happens when the lease was lost, or it waits no more. */
  release(claimed: Pick<WaitingSpend, 'handle' | 'leaseId'>): void
  /** Makes one due now: a human may just have decided. */
  hurry(handle: string): void
  /** When the next one can be claimed; null when none waits. */
  nextDue(): Date | null
  /** Whether it waits here, and so completes by itself. */
  waits(handle: string): boolean
}

/** The purchases that wait in an opened registry; its tables exist. */
export function createWaitingSpends(
  database: SqliteDatabase,
  clock: Pick<Clock, 'nowMs'>,
  witness: Pick<ClockWitness, 'isOver'>,
): WaitingSpends {
  const now = () => dateOf(clock)
  const insert = database.prepare(
    `insert or ignore into waiting_spends (operation_handle, tool_name, request_text, waits_since, next_attempt_at)
     values (:handle, :tool, :request, :now, :next)`,
  )
  const remove = database.prepare('delete from waiting_spends where operation_handle = ?')
  const old = database.prepare<[string], { handle: string; since: string }>(
    'select operation_handle as handle, waits_since as since from waiting_spends where waits_since <= ?',
  )
  const due = database.prepare<Moment, OperationRow & { request_text: string }>(
    `select harness_operations.*, waiting_spends.request_text from waiting_spends
     join harness_operations using (operation_handle)
     where (next_attempt_at <= :now or next_attempt_at > :beyond)
       and (lease_expires_at is null or lease_expires_at <= :now or lease_expires_at > :farthest)
     order by next_attempt_at limit 1`,
  )
  const take = database.prepare(
    'update waiting_spends set lease_id = :lease, lease_expires_at = :expires where operation_handle = :handle',
  )
  const free = database.prepare(
    `update waiting_spends set lease_id = null, lease_expires_at = null, attempts = attempts + 1, next_attempt_at = :next
     where operation_handle = :handle and lease_id = :lease`,
  )
  const attemptsOf = database
    .prepare<[string], number>('select attempts from waiting_spends where operation_handle = ?')
    .pluck()
  const makeDue = database.prepare('update waiting_spends set next_attempt_at = :now where operation_handle = :handle')
  const earliest = database
    .prepare<Moment, string | null>(
      `select min(max(
         case when next_attempt_at > :beyond then '' else next_attempt_at end,
         case when lease_expires_at is null or lease_expires_at > :farthest then '' else lease_expires_at end
       )) from waiting_spends where :now is not null`,
    )
    .pluck()
  /** What is due later than any wait that is given now, and a lease that ends later, come from a clock that was wrong. */
  const moment = (): Moment => ({
    now: toStored(now()),
    farthest: toStored(plusMs(now(), waitingLeaseMs)),
    beyond: toStored(plusMs(now(), longestWaitMs)),
  })

  return {
    keep: (handle, tool, request) => {
      insert.run({ handle, tool, request, now: toStored(now()), next: toStored(plusMs(now(), waitAfter(0))) })
    },
    erase: (handle) => remove.run(handle).changes > 0,
    eraseOld: () => {
      const over = old
        .all(toStored(plusMs(now(), -waitingLimitMs)))
        .filter(({ handle, since }) => witness.isOver(`waiting of ${handle}`, Date.parse(since) + waitingLimitMs))
      for (const { handle } of over) remove.run(handle)
      return over.length
    },
    claim: (lease) => {
      const row = due.get(moment())
      if (row === undefined) return null
      take.run({ handle: row.operation_handle, lease, expires: toStored(plusMs(now(), waitingLeaseMs)) })
      return {
        handle: row.operation_handle,
        identity: identityOf(row),
        owner: row.installation_id,
        tool: row.tool_name as SpendTool,
        args: JSON.parse(row.request_text) as Record<string, unknown>,
        leaseId: lease,
      }
    },
    release: ({ handle, leaseId }) => {
      const next = plusMs(now(), waitAfter(attemptsOf.get(handle) ?? 0))
      free.run({ handle, lease: leaseId, next: toStored(next) })
    },
    hurry: (handle) => void makeDue.run({ handle, now: toStored(now()) }),
    nextDue: () => {
      const instant = earliest.get(moment()) ?? null
      if (instant === null) return null
      return instant === '' ? now() : new Date(instant)
    },
    waits: (handle) => attemptsOf.get(handle) !== undefined,
  }
}

/** Three instants, as they are stored. */
interface Moment {
  now: string
  farthest: string
  beyond: string
}
