import { dateOf, type Clock } from '../timing/clock.ts'
import type { SqliteDatabase } from '../storage/database.ts'
import { toStored, plusMs } from './instants.ts'
import { failWith, type ExecutionAnswer, type ExecutionChange } from './execution-outcome.ts'
import { createLeaseWatch } from './lease-watch.ts'
import { isTerminal, type OperationRow } from './row.ts'
import type { RegistryAccess } from './transaction.ts'
import { truncateLog } from './truncate-log.ts'

/** How long a claimed row belongs to a worker that says nothing. */
export const workerLeaseMs = 10_000

/** A row that this worker holds. */
export interface ClaimedOperation {
  row: OperationRow
  leaseId: string
  /** An earlier dispatch was begun and its outcome never recorded: the process behind it is gone. */
  wasInterrupted: boolean
}

/** The registry's part of the worker. */
export interface WorkerOperations {
  /** Makes every accepted operation due. */
  promote(): Promise<void>
  /**
   * Takes the oldest operation that has been due, and held by nobody, for at least `overdueMs`; null when there is none. With a
   * wait, also null while any worker holds an operation: what waits behind that one is not neglected.
   */
  claim(overdueMs: number): Promise<ClaimedOperation | null>
  /** Writes what happened, unless the lease was lost or the row is terminal: then nothing is written. */
  settle(claimed: ClaimedOperation, change: ExecutionChange, answer: ExecutionAnswer | null): Promise<void>
  /** When the next open operation can be claimed; null when none is open. */
  nextDue(): Promise<Date | null>
}

export function createWorkerOperations(options: {
  database: SqliteDatabase
  access: RegistryAccess
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>
  /** 32 lowercase hex digits. */
  randomHex(): string
}): WorkerOperations {
  const { database, access, clock, randomHex } = options
  const now = () => dateOf(clock)
  const leases = createLeaseWatch(database, { ...options, leaseMs: workerLeaseMs })
  const hasAccepted = database
    .prepare("select 1 from harness_operations where operation_state = 'accepted' limit 1")
    .pluck()
  const promoteAll = database.prepare(
    `update harness_operations set operation_state = 'queued', next_operation_attempt_at = null, operation_updated_at = :now
     where operation_state = 'accepted'`,
  )
  const due = database.prepare<{ cutoff: string; now: string; atOnce: 0 | 1; abandoned: string }, OperationRow>(
    `select * from harness_operations
     where operation_state in ('queued', 'dispatching', 'reconciling')
       and (coalesce(next_operation_attempt_at, operation_updated_at, created_at) <= :cutoff
         or (next_operation_attempt_at is null and :atOnce) or operation_deadline_at <= :now)
       and (worker_lease_id is null or worker_lease_expires_at is null or worker_lease_expires_at <= :cutoff
         or (:atOnce and worker_lease_id in (select value from json_each(:abandoned))))
       and (:atOnce or not exists (select 1 from harness_operations
         where operation_state in ('dispatching', 'reconciling') and worker_lease_expires_at > :now))
     order by coalesce(next_operation_attempt_at, gongbu_create_started_at, created_at), created_at limit 1`,
  )
  const take = database.prepare(
    `update harness_operations set operation_state = :state, worker_lease_id = :lease, worker_lease_expires_at = :expires,
       operation_updated_at = case when operation_state = :state then operation_updated_at else :now end
     where operation_handle = :handle`,
  )
  const settleRow = database.prepare(
    `update harness_operations set operation_state = :state, operation_result_code = :code,
       next_operation_attempt_at = :next, worker_lease_id = null, worker_lease_expires_at = null,
       dispatch_attempts = :dispatchAttempts, observation_failures = :observationFailures,
       reconciliation_attempts = :reconciliationAttempts, gongbu_execution_id = :executionId, gongbu_status = :status,
       gongbu_outcome = :outcome, gongbu_result_recorded_at = :recordedAt, gongbu_request_json = :request,
       operation_updated_at = :updatedAt
     where operation_handle = :handle and worker_lease_id = :lease and operation_state in ('dispatching', 'reconciling')`,
  )
  const current = database.prepare<[string], OperationRow>(
    'select * from harness_operations where operation_handle = ?',
  )
  const ownerOf = database
    .prepare<[string], string>('select operation_handle from harness_operations where gongbu_execution_id = ?')
    .pluck()
  const earliest = database
    .prepare<[], string | null>(
      `select min(max(
         min(coalesce(next_operation_attempt_at, ''), coalesce(operation_deadline_at, next_operation_attempt_at, '')),
         coalesce(worker_lease_expires_at, '')))
       from harness_operations where operation_state in ('accepted', 'queued', 'dispatching', 'reconciling')`,
    )
    .pluck()

  return {
    promote: async () => {
      if ((await access.read(() => hasAccepted.get())) === undefined) return
      await access.transact(() => void promoteAll.run({ now: toStored(now()) }))
    },
    claim: async (overdueMs) => {
      const moment = () => ({
        now: toStored(now()),
        cutoff: toStored(plusMs(now(), -overdueMs)),
        atOnce: overdueMs === 0 ? (1 as const) : (0 as const),
        abandoned: JSON.stringify(leases.abandoned()),
      })
      const found = await access.read(() => {
        leases.look()
        return due.get(moment())
      })
      if (found === undefined) return null
      return access.transact(() => {
        const row = due.get(moment())
        if (row === undefined) return null
        const leaseId = randomHex()
        take.run({
          handle: row.operation_handle,
          state: row.gongbu_execution_id === null ? 'dispatching' : 'reconciling',
          lease: leaseId,
          expires: toStored(plusMs(now(), workerLeaseMs)),
          now: toStored(now()),
        })
        const claimed = current.get(row.operation_handle) as OperationRow
        return { row: claimed, leaseId, wasInterrupted: row.operation_state === 'dispatching' }
      })
    },
    settle: async ({ row, leaseId }, wanted, answer) => {
      const isErased = await access.transact(() => {
        const latest = current.get(row.operation_handle)
        if (latest === undefined) return false
        const owner = answer?.kind === 'execution' ? ownerOf.get(answer.executionId) : undefined
        const isForeign = owner !== undefined && owner !== row.operation_handle
        const change = isForeign ? failWith('execution_dispatch_failed') : wanted
        const reported = answer?.kind === 'execution' && !isForeign ? answer : null
        const executionId = latest.gongbu_execution_id ?? reported?.executionId ?? null
        const isDone = isTerminal(change.state) || executionId !== null
        const isVisible =
          change.state !== latest.operation_state ||
          change.code !== latest.operation_result_code ||
          executionId !== latest.gongbu_execution_id
        const { changes } = settleRow.run({
          handle: row.operation_handle,
          lease: leaseId,
          state: change.state,
          code: change.code,
          next: change.nextInMs === null ? null : toStored(plusMs(now(), change.nextInMs)),
          dispatchAttempts: change.dispatchAttempts ?? latest.dispatch_attempts,
          observationFailures: change.observationFailures ?? latest.observation_failures,
          reconciliationAttempts: change.reconciliationAttempts ?? latest.reconciliation_attempts,
          executionId,
          status: reported?.status ?? latest.gongbu_status,
          outcome: reported === null ? latest.gongbu_outcome : reported.outcome,
          recordedAt: reported === null ? latest.gongbu_result_recorded_at : toStored(now()),
          request: isDone ? null : latest.gongbu_request_json,
          updatedAt: isVisible ? toStored(now()) : latest.operation_updated_at,
        })
        return changes === 1 && isDone && latest.gongbu_request_json !== null
      })
      if (isErased) truncateLog(database)
    },
    nextDue: async () => {
      const instant = await access.read(() => earliest.get())
      if (instant === null || instant === undefined) return null
      return instant === '' ? now() : new Date(instant)
    },
  }
}
