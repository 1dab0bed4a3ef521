// The guard: whether a call that equals an earlier one buys, joins it, or is refused. It is asked only where a call would
// allocate an operation; a redelivery never meets it.
import type { SqliteDatabase } from '../../storage/database.ts'
import type { Clock } from '../../timing/clock.ts'
import type { Deliveries } from '../journal/deliveries.ts'
import type { Journal } from '../journal/journal.ts'
import type { OperationRow } from '../row.ts'
import { createEarlierOperations } from './earlier-operations.ts'
import { createGrants, type Grants } from './grants.ts'
import type { Intent } from './identity.ts'
import { judge, judgeNear } from './judge.ts'
import type { Duplicate } from './refusal.ts'
import { createRefusals, type Refusals } from './refusals.ts'
import type { Earlier } from './situation.ts'

/** A call that would allocate an operation. */
export interface GuardedCall {
  intent: Intent
  /** Of the arguments without their reason. */
  nearHash(): Buffer
  /** The call names itself; without an id the router does, and only what it named can be joined. */
  hasIdentity: boolean
  /** What the operator chose; a client whose spends the router names is always judged by `refuse`. */
  mode: 'tell' | 'doubt' | 'refuse'
  /** The operation that the harness confirms beside. */
  confirms?: string | undefined
}

/** What becomes of the call. */
export type GuardTurn =
  | {
      kind: 'new'
      /** The number of this purchase among the equal ones that the router named, from 1; counted when it is asked for. */
      readonly generation: number
      /** An earlier purchase that equals this one; only in mode `tell`. */
      similar: string | undefined
      /** To be called in the same commit, with the handle that was allocated. */
      allocated(handle: string): void
    }
  | { kind: 'join'; row: OperationRow }
  | { kind: 'refuse'; duplicate: Duplicate }

/** The guard of an opened registry. */
export interface Guard {
  /**
   * Decides inside the caller's transaction, in which the operation is then allocated. A refusal is noted in that commit, so the
   * caller must let it stand and throw only afterwards.
   */
  decide(call: GuardedCall): GuardTurn
  grants: Grants
  refusals: Refusals
}

/** The file and journal that the guard works in, and who tells it what neither holds. */
export interface GuardOptions {
  database: SqliteDatabase
  journal: Journal
  deliveries: Pick<Deliveries, 'answerOf'>
  windowMs: number
  clock: Pick<Clock, 'nowMs'>
  /** An instant that has come for certain: by it, and not by our clock alone, an authorization has run out. */
  provenNow(): Date
  /** Whether somebody who is alive waits for Hubu's answer to this operation. */
  isUnderWay(row: OperationRow): boolean
}

/** Creates the guard of an opened file whose journal exists. */
export function createGuard(options: GuardOptions): Guard {
  const { database, journal, windowMs, clock } = options
  const operations = createEarlierOperations(options)
  const grants = createGrants(database, clock)
  const refusals = createRefusals(database, clock)

  const refuse = (
    { intent, nearHash }: GuardedCall,
    earlier: Pick<Earlier, 'handle' | 'answer' | 'requestedAtMs'>,
    reason: Duplicate['reason'],
    difference: Duplicate['difference'],
  ): GuardTurn => {
    const { principal, tool, fingerprint: requestHash } = intent
    const members = { of: earlier.handle, reason, principal, tool, request_hash: requestHash }
    if (refusals.note({ principal, tool, requestHash, nearHash: nearHash(), of: earlier.handle, reason }))
      journal.append(journal.numberOf(earlier.handle) ?? 0, { kind: 'guard_refused', members })
    return {
      kind: 'refuse',
      duplicate: {
        operation_handle: earlier.handle,
        reason,
        difference,
        answer: earlier.answer,
        requested_at: new Date(earlier.requestedAtMs).toISOString(),
      },
    }
  }

  return {
    grants,
    refusals,
    decide: (call) => {
      const { intent, hasIdentity, mode, confirms } = call
      const buys = (similar?: string, use?: (handle: string) => void): GuardTurn => ({
        kind: 'new',
        get generation() {
          return operations.countNamed(intent) + 1
        },
        similar,
        allocated: (handle) => use?.(handle),
      })
      const found = operations.findEqual(intent)
      const isJoinable = !hasIdentity && found?.isOurs === true
      const as = isJoinable ? 'guarded' : hasIdentity && mode === 'doubt' ? 'doubt' : 'refuse'
      const verdict = judge(found?.earlier, as, clock.nowMs(), windowMs)
      if (found !== undefined && verdict.kind !== 'new') {
        if (hasIdentity && mode === 'tell') return buys(found.row.operation_handle)
        const use = grants.use(intent, found.row.operation_handle, confirms)
        if (use !== undefined) {
          const by = confirms === found.row.operation_handle ? 'harness' : 'human'
          const members = { of: found.row.operation_handle, by, uid: null, until: null }
          return buys(undefined, (handle) => {
            use(handle)
            if (by === 'harness')
              journal.append(journal.numberOf(found.row.operation_handle) ?? 0, { kind: 'confirmed', members })
          })
        }
        if (verdict.kind === 'join') return { kind: 'join', row: found.row }
        return refuse(call, found.earlier, verdict.reason, 'none')
      }
      if (as === 'doubt' || mode === 'tell') return buys()
      const near = operations.findAlike(intent, call.nearHash())
      const nearVerdict = near && judgeNear(near, clock.nowMs(), windowMs)
      if (near && nearVerdict?.kind === 'refuse') return refuse(call, near, nearVerdict.reason, 'reason')
      const lately = refusals.near(intent.principal, intent.fingerprint, call.nearHash(), windowMs)
      const earlier = lately && operations.find(lately.of)
      if (lately !== undefined && earlier !== undefined) return refuse(call, earlier, lately.reason, 'reason')
      return buys()
    },
  }
}
