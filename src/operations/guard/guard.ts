// The guard: whether a call that equals an earlier one buys, joins it, or is refused. It is asked only where a call would
// allocate an operation; a redelivery never meets it.
import type { SqliteDatabase } from '../../storage/database.ts'
import { dateOf, type Clock } from '../../timing/clock.ts'
import type { Deliveries } from '../journal/deliveries.ts'
import { createFacts } from '../journal/facts.ts'
import type { Journal } from '../journal/journal.ts'
import { paymentOf, type MoneyFacts } from '../money.ts'
import type { OperationRow } from '../row.ts'
import { createGrants, type Grants } from './grants.ts'
import { guardedPlatform, isNamedFor, type Intent } from './identity.ts'
import { judge, judgeNear, type Verdict } from './judge.ts'
import type { Duplicate } from './refusal.ts'
import { createRefusals, type Refusals } from './refusals.ts'
import { earlierOf, type Delivery, type Earlier } from './situation.ts'

/** A call that would allocate an operation. */
export interface GuardedCall {
  intent: Intent
  /** Of the arguments without their reason. */
  nearHash: Buffer
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
      /** The number of this purchase among the equal ones that the router named, from 1. */
      generation: number
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

/** What the guard stands on. */
export interface GuardOptions {
  database: SqliteDatabase
  journal: Journal
  deliveries: Pick<Deliveries, 'answerOf'>
  windowMs: number
  clock: Pick<Clock, 'nowMs'>
  /** Whether somebody who is alive waits for Hubu's answer to this operation. */
  isUnderWay(row: OperationRow): boolean
}

/** Rows that are looked at together. */
const pageRows = 32

export function createGuard(options: GuardOptions): Guard {
  const { database, journal, deliveries, windowMs, clock, isUnderWay } = options
  const facts = createFacts(database)
  const grants = createGrants(database, clock)
  const refusals = createRefusals(database, clock)
  const equal = database.prepare<[string, number, number], OperationRow>(
    `select * from harness_operations where request_hash = ? order by rowid desc limit ? offset ?`,
  )
  const countNamed = database
    .prepare<[string, string], number>(
      'select count(*) from harness_operations where request_hash = ? and platform = ?',
    )
    .pluck()
  const alike = database.prepare<[Buffer, string, string, number], OperationRow>(
    `select harness_operations.* from operation_facts join harness_operations using (operation_handle)
     where near_hash = ? and principal = ? and request_hash <> ? order by no desc limit ?`,
  )

  /** What a row does not tell; read from the entries, because the facts may be behind. */
  const moneyFactsOf = (row: OperationRow): MoneyFacts => {
    const no = row.operation_state === 'failed' ? journal.numberOf(row.operation_handle) : undefined
    const entries = no === undefined ? null : journal.entriesOf(no)
    const dispatchBegun = entries && entries.filter(({ entry }) => entry.kind === 'dispatching').length
    return { payment: paymentOf(row.result_json), dispatchBegun }
  }

  const toEarlier = (row: OperationRow): Earlier | undefined => {
    const known = deliveries.answerOf(row.operation_handle)
    const stored = known === undefined ? facts.find(row.operation_handle) : undefined
    const delivery: Delivery = known?.delivery ?? stored?.answer ?? null
    const at = known?.happenedAt ?? stored?.answer_at ?? null
    const delivered = { delivery, deliveredAtMs: at === null ? null : Date.parse(at) }
    return earlierOf(row, { ...moneyFactsOf(row), ...delivered, isUnderWay: isUnderWay(row) }, dateOf(clock))
  }

  /** On whose behalf an operation with an id was made; undefined when nobody wrote it down, which makes it everybody's. */
  const principalOf = (handle: string): string | undefined => {
    const known = facts.find(handle)?.principal
    if (known !== undefined) return known
    const no = journal.numberOf(handle)
    return no === undefined ? undefined : String(journal.entriesOf(no)[0]?.entry.principal)
  }

  /** The newest earlier operation that the call might be meant to be, and whether the router named it for this principal. */
  const findEarlier = (
    intent: Intent,
    named: number,
  ): { row: OperationRow; earlier: Earlier; isOurs: boolean } | undefined => {
    let generation = named
    for (let offset = 0; ; offset += pageRows) {
      const rows = equal.all(intent.fingerprint, pageRows, offset)
      for (const row of rows) {
        const isNamed = row.platform === guardedPlatform
        const isOurs = isNamed && isNamedFor(row, intent, likely(generation))
        if (isNamed) generation -= 1
        if (isNamed && !isOurs) continue
        if (!isNamed && (principalOf(row.operation_handle) ?? intent.principal) !== intent.principal) continue
        const earlier = toEarlier(row)
        if (earlier !== undefined) return { row, earlier, isOurs }
      }
      if (rows.length < pageRows) return undefined
    }
  }

  const findNear = ({ intent, nearHash }: GuardedCall): { earlier: Earlier; verdict: Verdict } | undefined => {
    for (const row of alike.all(nearHash, intent.principal, intent.fingerprint, pageRows)) {
      const earlier = toEarlier(row)
      if (earlier !== undefined) return { earlier, verdict: judgeNear(earlier, clock.nowMs(), windowMs) }
    }
    return undefined
  }

  const refuse = (
    { intent, nearHash }: GuardedCall,
    earlier: Pick<Earlier, 'handle' | 'answer' | 'requestedAtMs'>,
    reason: Duplicate['reason'],
    difference: Duplicate['difference'],
  ): GuardTurn => {
    const { principal, tool, fingerprint: requestHash } = intent
    const members = { of: earlier.handle, reason, principal, tool, request_hash: requestHash }
    if (refusals.note({ principal, tool, requestHash, nearHash, of: earlier.handle, reason }))
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

  const rowByHandle = database.prepare<[string], OperationRow>(
    'select * from harness_operations where operation_handle = ?',
  )

  return {
    grants,
    refusals,
    decide: (call) => {
      const { intent, hasIdentity, mode, confirms } = call
      const named = countNamed.get(intent.fingerprint, guardedPlatform) ?? 0
      const buys = (similar?: string, use?: (handle: string) => void): GuardTurn => ({
        kind: 'new',
        generation: named + 1,
        similar,
        allocated: (handle) => use?.(handle),
      })
      const found = findEarlier(intent, named)
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
      const near = findNear(call)
      if (near?.verdict.kind === 'refuse') return refuse(call, near.earlier, near.verdict.reason, 'reason')
      const lately = refusals.near(intent.principal, intent.fingerprint, call.nearHash, windowMs)
      const row = lately && rowByHandle.get(lately.of)
      const earlier = row && toEarlier(row)
      if (lately !== undefined && earlier !== undefined) return refuse(call, earlier, lately.reason, 'reason')
      return buys()
    },
  }
}

/** The generation that a row has by its place; a few further ones, should rows before it ever have been taken out. */
function likely(generation: number): number[] {
  return [generation, generation + 1, generation + 2]
}
