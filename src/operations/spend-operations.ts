import { dateOf, type Clock } from '../timing/clock.ts'
import { RouterError } from '../errors/router-error.ts'
import type { SqliteDatabase } from '../storage/database.ts'
import type { RegistryAccess } from './transaction.ts'
import { isObject, member } from '../json/read.ts'
import { canonicalJson, requestHash } from '../json/canonical.ts'
import type { Cleanup } from './cleanup.ts'
import type { CallIdentity } from '../identity/call-identity.ts'
import { plusMs, toStored } from './instants.ts'
import type { NamedCall, OperationNames } from './derived-names.ts'
import { printValue } from '../json/print-value.ts'
import { paymentOf } from './money.ts'
import type { OperationRow, SpendTool } from './row.ts'
import { readSpendColumns, SpendResultRefused, type SpendColumns } from './spend-columns.ts'
import { prepareSpendStatements } from './spend-statements.ts'

/** Whose purchases those of a client are that started us itself. */
const localPrincipal = 'local'

/** How long a dispatch belongs to a process that says nothing; renewed while the request runs. */
export const dispatchLeaseMs = 3000

/** A retry comes sooner after the answer that it missed. */
const retriedWithinMs = 60_000

/** What a spend call may do now. */
export type SpendTurn =
  /** A terminal answer is stored: return it, ask nobody. */
  | {
      kind: 'stored'
      result: string
      /** When it was stored, where another run of ours stored it or it is over a minute old; null for what is fresh. */
      earlierAt: string | null
    }
  /** Hubu's refusal is stored: it is given again, and nobody is asked. */
  | { kind: 'refused'; refusal: SpendRefusal }
  /** The dispatch is ours; the mark is durable. */
  | {
      kind: 'dispatch'
      operationKey: string
      handle: string
      taskId: string | null
      leaseId: string
      /** The call was dispatched before, so Hubu may have carried it out already. */
      isRepeated: boolean
      /** Hubu's last answer was that a human must decide. */
      isWaiting: boolean
      recordedAt: string | null
    }
  /** Another delivery of this very call is waiting for Hubu's answer. */
  | { kind: 'busy'; handle: string; recordedAt: string | null }

/** How Hubu ended an operation without deciding about it. */
export interface SpendRefusal {
  /** Nothing was carried out; or it was approved, and its authorization ran out before anything was paid. */
  code: 'spend_refused' | 'authorization_continuation_unavailable'
  /** What the agent was told, without secrets and private keys. */
  message: string
}

/** What a waiting delivery found when it began to wait: a result stored since then is the one that it waits for. */
export interface Seen {
  /** When the stored result was stored; null when there was none. */
  recordedAt: string | null
}

/** The present state of a dispatch, as a waiting delivery sees it. */
export interface DispatchView {
  /** Somebody who is alive waits for Hubu's answer. */
  isBusy: boolean
  /** The stored result when it was stored since `seen`; null otherwise. */
  news: string | null
}

/** The registry's part of the money path up to Hubu's decision. */
export interface SpendOperations {
  /**
   * Finds or allocates the operation of a call and, when it is ours to send, marks its dispatch, in one commit. A stored
   * result that is not terminal answers only a delivery that waited for it, which `seen` tells. Throws `identity_collision` when the identity belongs to another call, `operation_registry_error` when the file fails.
   */
  begin(identity: CallIdentity, tool: SpendTool, args: object, seen?: Seen): Promise<SpendTurn>
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

/** The opened registry that spend operations are kept in, and how they get their names. */
export interface SpendOperationsOptions {
  database: SqliteDatabase
  access: RegistryAccess
  cleanup: Cleanup
  installationId: string
  nameOperation(call: NamedCall): OperationNames
  clock: Pick<Clock, 'nowMs'>
  /** 32 lowercase hex digits, independent at every call. */
  randomHex(): string
}

export function createSpendOperations(options: SpendOperationsOptions): SpendOperations {
  const { database, access, cleanup, installationId, nameOperation, clock, randomHex } = options
  const now = () => dateOf(clock)
  const { transact, read } = access
  const { byIdentity, byHandle, insert, mark, extend, free, end, store, tokenOwner } = prepareSpendStatements(database)
  /** Dispatches of calls that the registry had never sent before. */
  const firstDispatches = new Set<string>()
  const openedAt = toStored(now())
  const earlierAt = ({ result_recorded_at: at }: OperationRow): string | null =>
    at !== null && (at < openedAt || at < toStored(plusMs(now(), -retriedWithinMs))) ? at : null
  const leaseEnd = () => toStored(plusMs(now(), dispatchLeaseMs))

  const find = (identity: CallIdentity) => byIdentity.get(identity.platform, installationId, identity.harnessCallId)

  const allocate = (identity: CallIdentity, tool: SpendTool, hash: string): OperationRow => {
    const { key, handle } = nameOperation({ ...identity, principal: localPrincipal })
    insert.run({ ...identity, installationId, hash, tool, key, handle, now: toStored(now()) })
    return find(identity) as OperationRow
  }

  return {
    begin: async (identity, tool, args, seen) => {
      const hash = requestHash(tool, canonicalJson(args))
      await cleanup.sweep()
      return transact((): SpendTurn => {
        const known = cleanup.fresh(find(identity))
        if (known !== undefined && !isSameCall(known, identity, tool, hash)) throw collision()
        const row = known ?? allocate(identity, tool, hash)
        const refusal = refusalOf(row)
        if (refusal !== null) return { kind: 'refused', refusal }
        if (row.result_json !== null && (isDecided(row) || isNews(row, seen)))
          return { kind: 'stored', result: row.result_json, earlierAt: seen === undefined ? earlierAt(row) : null }
        const handle = row.operation_handle
        if (row.operation_key === null)
          throw new RouterError('operation_registry_error', 'The operation cannot be sent any more.')
        if (isLeased(row, now())) return { kind: 'busy', handle, recordedAt: row.result_recorded_at }
        const leaseId = randomHex()
        if (row.dispatch_started_at === null) firstDispatches.add(leaseId)
        mark.run({ handle, lease: leaseId, expires: leaseEnd(), now: toStored(now()) })
        return {
          kind: 'dispatch',
          operationKey: row.operation_key,
          handle,
          taskId: row.task_id,
          leaseId,
          isRepeated: row.dispatch_started_at !== null,
          isWaiting: row.decision === 'needs_approval',
          recordedAt: row.result_recorded_at,
        }
      })
    },
    renew: (handle, lease) => transact(() => void extend.run({ handle, lease, expires: leaseEnd() })),
    release: (handle, lease) => {
      firstDispatches.delete(lease)
      return transact(() => void free.run({ handle, lease }))
    },
    refuse: (handle, lease, refusal) => {
      firstDispatches.delete(lease)
      return transact(() => {
        const row = byHandle.get(handle)
        if (row === undefined || isDecided(row)) return void free.run({ handle, lease })
        end.run({ handle, lease, code: refusal.code, result: JSON.stringify({ refusal }), now: toStored(now()) })
      })
    },
    record: (handle, lease, given, givenText = JSON.stringify(given)) => {
      const isForgotten = firstDispatches.delete(lease) && isSpentReplay(given)
      const result = isForgotten ? withoutToken(given) : given
      const text = isForgotten ? printValue(result) : givenText
      return transact(() => {
        const row = byHandle.get(handle)
        if (row === undefined)
          throw new RouterError('operation_registry_error', 'The operation is not in the registry.')
        free.run({ handle, lease })
        if (isDecided(row) && row.result_json !== null) return row.result_json
        const columns: SpendColumns = readSpendColumns(result, text, row.operation_key)
        const owner = columns.authTokenId === null ? undefined : tokenOwner.get(columns.authTokenId)
        if (owner !== undefined && owner !== handle)
          throw new SpendResultRefused('the authorization id belongs to another operation')
        store.run({ handle, ...columns, result: text, now: toStored(now()) })
        return text
      })
    },
    look: (handle, seen) =>
      read(() => {
        const row = byHandle.get(handle)
        if (row === undefined) return { isBusy: false, news: null }
        return { isBusy: isLeased(row, now()), news: isNews(row, seen) ? row.result_json : null }
      }),
  }
}

/**
 * Whether Hubu repeats an earlier decision about a call that this registry never sent, so that the registry has lost it, and does not
 * show that nothing was bought with it yet. Such an authorization may be used up.
 */
function isSpentReplay(result: Record<string, unknown>): boolean {
  const hold = result.budget_hold
  return result.idempotent_replay === true && !(isObject(hold) && hold.status === 'frozen')
}

function withoutToken({ auth_token_id: _id, spend_auth_token_id: _alias, ...rest }: Record<string, unknown>) {
  return rest
}

/** Whether Hubu's stored answer can never change. Of what a human approved it says `needs_approval` also when it is paid. */
function isDecided({ decision, result_json: result }: OperationRow): boolean {
  if (decision === 'allow' || decision === 'deny') return true
  // What an earlier release stored of such a payment says that none ran, so it is asked for again.
  return (
    paymentOf(result) !== null && result !== null && member(JSON.parse(result), 'requires_human_approval') === false
  )
}

/** The refusal that ended an operation; null for every other. */
function refusalOf(row: OperationRow): SpendRefusal | null {
  if (row.operation_state !== 'failed' || row.result_json === null) return null
  return (member(JSON.parse(row.result_json), 'refusal') as SpendRefusal | undefined) ?? null
}

function isNews(row: OperationRow, seen: Seen | undefined): boolean {
  return seen !== undefined && row.result_recorded_at !== seen.recordedAt
}

/**
 * A lease on a row without adapter state is a dispatch under way (the worker never claims such a row). One that ends later than
 * any lease given now was given before the wall clock was set back: nobody may wait for that.
 */
function isLeased(row: OperationRow, now: Date): boolean {
  const ends = row.worker_lease_expires_at
  if (row.worker_lease_id === null || ends === null) return false
  return ends > toStored(now) && ends <= toStored(plusMs(now, dispatchLeaseMs))
}

function isSameCall(row: OperationRow, identity: CallIdentity, tool: string, hash: string): boolean {
  return (
    row.request_hash === hash &&
    row.tool_name === tool &&
    row.codex_call_id === identity.codexCallId &&
    row.claude_tool_use_id === identity.claudeToolUseId &&
    row.hubu_invocation_id === identity.hubuInvocationId &&
    row.task_id === identity.taskId
  )
}

function collision(): RouterError {
  return new RouterError(
    'identity_collision',
    'This harness call identity already belongs to a call with other arguments, so the router is refusing backend access. ' +
      'Redeliver the original call unchanged; a different purchase needs a harness call of its own.',
  )
}
