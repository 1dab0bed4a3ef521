// Which operation a call stands for: the one that it was, the one that it equals, or a new one.
import type { CallIdentity } from '../identity/call-identity.ts'
import { RouterError } from '../errors/router-error.ts'
import { dateOf, type Clock } from '../timing/clock.ts'
import type { Bookkeeping, NewPurchase } from './bookkeeping.ts'
import type { Cleanup } from './cleanup.ts'
import { isSameCall } from './decisions/begin.ts'
import type { NamedCall, OperationNames } from './derived-names.ts'
import { guardedIdentity } from './guard/identity.ts'
import type { Duplicate } from './guard/refusal.ts'
import { toStored } from './instants.ts'
import { guardedAs, localPrincipal, type Owners } from './owners.ts'
import type { OperationRow } from './row.ts'
import type { SpendRules } from './spend-rules.ts'
import type { prepareSpendStatements } from './spend-statements.ts'
import type { SpendAsk } from './spend-turn.ts'

/** The operation of a call, or why there is none. */
export type SettledCall =
  | {
      kind: 'row'
      row: OperationRow
      /** Allocated now. */
      isNew?: boolean
      /** When the operation was first asked for, where this call joins it. */
      joinedAt?: string
      /** The handle of an earlier purchase that equals this one. */
      similar?: string | undefined
    }
  /** It was not the first one of this client within the last day where `idsRepeat` says so. */
  | { kind: 'collision'; idsRepeat: boolean }
  | { kind: 'duplicate'; duplicate: Duplicate }

/** The opened registry that calls are looked up in, and how a new operation gets its names. */
export interface SettlingOptions {
  cleanup: Cleanup
  /** Null where no journal is kept: then nothing is guarded either. */
  books: Bookkeeping | null
  rules: Pick<SpendRules, 'principal' | 'twinGuard'>
  owners: Owners
  nameOperation(call: NamedCall): OperationNames
  clock: Pick<Clock, 'nowMs'>
}

/** Settles calls, inside the caller's transaction. A refusal is noted in that commit, so it is thrown only afterwards. */
export function createSettling(
  options: SettlingOptions,
  { byIdentity, insert }: ReturnType<typeof prepareSpendStatements>,
): (ask: SpendAsk, hash: string, purchase: NewPurchase | null) => SettledCall {
  const { cleanup, books, rules, owners, nameOperation, clock } = options

  const allocate = (
    identity: CallIdentity,
    { tool, principal = localPrincipal }: SpendAsk,
    hash: string,
    purchase: NewPurchase | null,
  ): OperationRow => {
    const { key, handle } = nameOperation({ ...identity, principal })
    const installationId = owners.admit(principal)
    const now = toStored(dateOf(clock))
    const row = insert.get({ ...identity, installationId, hash, tool, key, handle, now })!
    if (purchase !== null) books?.open(row, purchase)
    return row
  }

  return (ask, hash, purchase) => {
    const { identity, tool } = ask
    const owner = ask.owner ?? owners.idOf(ask.principal ?? localPrincipal)
    const find = ({ platform, harnessCallId }: CallIdentity) => byIdentity.get(platform, owner, harnessCallId)
    const principal = guardedAs(ask, rules)
    const known = identity === null ? undefined : cleanup.fresh(find(identity))
    if (identity !== null && known !== undefined) {
      if (isSameCall(known, identity, tool, hash)) return { kind: 'row', row: known }
      const idsRepeat = books?.guard.refusals.hasReusedId(identity.platform) ?? false
      books?.guard.refusals.noteReusedId(identity.platform, principal, tool, hash)
      return { kind: 'collision', idsRepeat }
    }
    // The worker asks again for what stands in the file, and never buys anew.
    if (ask.owner !== undefined)
      throw new RouterError('operation_registry_error', 'The operation that waits is not in the registry any more.')
    const intent = { principal, tool, fingerprint: hash, owner }
    const mode = rules.twinGuard
    if (books === null || purchase === null || mode === 'off') {
      if (identity === null) throw new Error('a call without an identity needs a guard')
      return { kind: 'row', row: allocate(identity, ask, hash, purchase), isNew: true }
    }
    const call = {
      intent,
      nearHash: purchase.nearHash,
      hasIdentity: identity !== null,
      mode,
      confirms: identity === null ? undefined : ask.confirms,
    }
    const verdict = books.guard.decide(call)
    if (verdict.kind === 'refuse') return { kind: 'duplicate', duplicate: verdict.duplicate }
    if (verdict.kind === 'join') {
      const row = cleanup.fresh(verdict.row) as OperationRow
      return { kind: 'row', row, joinedAt: row.created_at }
    }
    const named = identity ?? guardedIdentity(intent, verdict.generation)
    const row = allocate(named, ask, hash, purchase)
    verdict.allocated(row.operation_handle)
    return { kind: 'row', row, isNew: true, similar: verdict.similar }
  }
}
