import { dateOf } from '../timing/clock.ts'
import { RouterError } from '../errors/router-error.ts'
import type { SqliteDatabase } from '../storage/database.ts'
import type { RegistryAccess } from './transaction.ts'
import { canonicalJson, requestHash } from '../json/canonical.ts'
import { collision, decideBegin, isNews } from './decisions/begin.ts'
import { decideRecord, refuseForeignToken, trusted } from './decisions/record.ts'
import { dispatchLeaseMs, isLeased } from './dispatch-lease.ts'
import { guardedPlatform, nearFingerprint } from './guard/identity.ts'
import { plusMs, toStored } from './instants.ts'
import { guardedAs } from './owners.ts'
import { identityOf, type SpendTool } from './row.ts'
import { createSettling, type SettledCall, type SettlingOptions } from './settle-call.ts'
import type { DispatchView, Seen, SpendAsk, SpendRefusal, SpendTurn } from './spend-turn.ts'
import { createEarlierAnswers } from './earlier-answer.ts'
import { isDecided } from './stored-decision.ts'
import { prepareSpendStatements } from './spend-statements.ts'
import type { WaitingSpends } from './waiting/waiting-spends.ts'

/** The registry's part of the money path up to Hubu's decision. */
export interface SpendOperations {
  /**
   * Finds or allocates the operation of a call and, when it is ours to send, marks its dispatch, in one commit. A stored
   * result that is not terminal answers only a delivery that waited for it, which `seen` tells. Throws `identity_collision` when
   * the identity belongs to another call, `operation_registry_error` when the file fails.
   */
  begin(ask: SpendAsk, seen?: Seen): Promise<SpendTurn>
  /** Keeps a running dispatch ours. */
  renew(handle: string, leaseId: string): Promise<void>
  /** Gives up a dispatch without a result, so that a redelivery may send it. */
  release(handle: string, leaseId: string): Promise<void>
  /** Ends an operation with Hubu's refusal. Nothing happens when the dispatch is no longer ours, or a decision is stored. */
  refuse(handle: string, leaseId: string, refusal: SpendRefusal): Promise<void>
  /**
   * Stores Hubu's public result and returns its text; a stored terminal one wins and is returned instead. `text` is the
   * result's JSON where JSON.stringify would not print it. Throws SpendResultRefused when the result may not be stored.
   */
  record(handle: string, leaseId: string, result: Record<string, unknown>, text?: string): Promise<string>
  /** Looks at a dispatch without taking it. */
  look(handle: string, seen: Seen): Promise<DispatchView>
}

/** The opened registry that spend operations are kept in. */
export interface SpendOperationsOptions extends SettlingOptions {
  database: SqliteDatabase
  access: RegistryAccess
  waiting: WaitingSpends
  /** 32 lowercase hex digits, independent at every call. */
  randomHex(): string
}

type FoundCall = SettledCall & { kind: 'row' }

export function createSpendOperations(options: SpendOperationsOptions): SpendOperations {
  const { database, access, cleanup, waiting, books, clock, randomHex } = options
  const now = () => dateOf(clock)
  const { transact, read } = access
  const statements = prepareSpendStatements(database)
  const { byHandle, mark, extend, free, end, store, tokenOwner } = statements
  /** The dispatches of this process, by lease. */
  const dispatches = new Map<string, { isFirst: boolean; tool: SpendTool; request: string }>()
  const tellEarlier = createEarlierAnswers(clock, (platform) => books?.guard.refusals.hasReusedId(platform) ?? false)
  const leaseEnd = () => toStored(plusMs(now(), dispatchLeaseMs))
  const settle = createSettling(options, statements)

  /** What an operation lets its call do now. */
  const turnOf = (ask: SpendAsk, request: string, found: FoundCall, seen: Seen | undefined): SpendTurn => {
    const { row, joinedAt = null, similar = null, isNew = false } = found
    const begun = decideBegin(row, isLeased(row, now()), seen)
    if (begun.kind === 'refused') return { ...begun, ...tellEarlier(row, seen) }
    const handle = row.operation_handle
    const standing = { handle, isGuarded: row.platform === guardedPlatform, joinedAt, similar }
    if (begun.kind === 'stored') return { ...begun, ...standing, ...tellEarlier(row, seen) }
    if (begun.kind === 'busy')
      return { ...begun, ...standing, identity: identityOf(row), recordedAt: row.result_recorded_at }
    const leaseId = randomHex()
    dispatches.set(leaseId, { isFirst: row.dispatch_started_at === null, tool: ask.tool, request })
    mark.run({ handle, lease: leaseId, expires: leaseEnd(), now: toStored(now()) })
    if (!isNew) books?.sentAgain(row, ask.buyer === null)
    return { ...begun, ...standing, taskId: row.task_id, leaseId, recordedAt: row.result_recorded_at }
  }

  return {
    begin: async (ask, seen) => {
      const { tool, args, buyer } = ask
      const request = canonicalJson(args)
      const hash = requestHash(tool, request)
      const purchase =
        books === null || buyer === null
          ? null
          : {
              args,
              argsText: request,
              nearHash: onceAsked(() => nearFingerprint(tool, args)),
              buyer: { ...buyer, principal: guardedAs(ask, options.rules) },
            }
      await cleanup.sweep()
      let isNew = false
      const turn = await transact((): SpendTurn | { kind: 'collision'; idsRepeat: boolean } => {
        const found = settle(ask, hash, purchase)
        isNew = found.kind === 'row' && found.isNew === true
        return found.kind === 'row' ? turnOf(ask, request, found, seen) : found
      })
      if (turn.kind === 'collision') throw collision(turn.idsRepeat)
      if (turn.kind === 'dispatch') books?.note(turn.handle, isNew ? purchase : null)
      return turn
    },
    renew: (handle, lease) => transact(() => void extend.run({ handle, lease, expires: leaseEnd() })),
    release: (handle, lease) => {
      dispatches.delete(lease)
      return transact(() => void free.run({ handle, lease }))
    },
    refuse: async (handle, lease, refusal) => {
      dispatches.delete(lease)
      await transact(() => {
        const row = byHandle.get(handle)
        if (row === undefined || isDecided(row)) return void free.run({ handle, lease })
        const result = JSON.stringify({ refusal })
        const { changes } = end.run({ handle, lease, code: refusal.code, result, now: toStored(now()) })
        if (changes > 0) waiting.erase(handle)
      })
      books?.note(handle)
    },
    record: async (handle, lease, given, givenText = JSON.stringify(given)) => {
      const dispatch = dispatches.get(lease)
      dispatches.delete(lease)
      const kept = trusted({ result: given, text: givenText }, dispatch?.isFirst === true)
      const stored = await transact(() => {
        const row = byHandle.get(handle)
        if (row === undefined)
          throw new RouterError('operation_registry_error', 'The operation is not in the registry.')
        free.run({ handle, lease })
        const recorded = decideRecord(row, kept)
        if (recorded.kind === 'stored') return recorded.text
        const { columns, isFinal } = recorded
        refuseForeignToken(columns.authTokenId === null ? undefined : tokenOwner.get(columns.authTokenId), handle)
        store.run({ handle, ...columns, result: kept.text, now: toStored(now()) })
        if (isFinal) waiting.erase(handle)
        else if (dispatch !== undefined) waiting.keep(handle, dispatch.tool, dispatch.request)
        return kept.text
      })
      books?.note(handle)
      return stored
    },
    look: (handle, seen) =>
      read(() => {
        const row = byHandle.get(handle)
        if (row === undefined) return { isBusy: false, news: null }
        return { isBusy: isLeased(row, now()), news: isNews(row, seen) ? row.result_json : null }
      }),
  }
}

/** Most purchases are never compared with one that differs in its reason. */
function onceAsked<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
