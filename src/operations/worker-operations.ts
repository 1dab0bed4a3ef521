import { dateOf, type Clock } from '../timing/clock.ts'
import type { ClockWitness } from '../timing/clock-witness.ts'
import type { SqliteDatabase } from '../storage/database.ts'
import { toStored, plusMs } from './instants.ts'
import { decideSettle } from './decisions/settle.ts'
import type { ExecutionAnswer, ExecutionChange } from './execution-outcome.ts'
import { createLeaseWatch } from './lease-watch.ts'
import type { OperationRow } from './row.ts'
import type { Bookkeeping } from './bookkeeping.ts'
import type { RegistryAccess } from './transaction.ts'
import { truncateLog } from './truncate-log.ts'
import { prepareWorkerStatements } from './worker-statements.ts'

/** How long a claimed row belongs to a worker that says nothing. */
export const workerLeaseMs = 10_000

/**
 * The longest wait that any row is given: 480 of the longest ticks. One that is due later was given its instant before the wall clock
 * was set back, and is due now.
 */
const longestRestMs = 480_000

/** A row that this worker holds. */
export interface ClaimedOperation {
  row: OperationRow
  leaseId: string
  /** An earlier dispatch was begun and its outcome never recorded: the process behind it is gone. */
  wasInterrupted: boolean
  /** Its deadline has passed, by more than the wall clock alone. */
  isOverdue: boolean
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
  /** Null where no journal is kept. */
  books: Bookkeeping | null
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>
  witness: Pick<ClockWitness, 'provenMs' | 'isOver'>
  /** 32 lowercase hex digits. */
  randomHex(): string
}): WorkerOperations {
  const { database, access, books, clock, witness, randomHex } = options
  const now = () => dateOf(clock)
  const proven = () => new Date(witness.provenMs())
  const isOverdue = ({ operation_deadline_at: deadline, operation_handle: handle }: OperationRow) =>
    deadline !== null && witness.isOver(`execution of ${handle}`, Date.parse(deadline))
  const leases = createLeaseWatch(database, { ...options, leaseMs: workerLeaseMs })
  const statements = prepareWorkerStatements(database)

  return {
    promote: async () => {
      if ((await access.read(() => statements.hasAccepted.get())) === undefined) return
      await access.transact(() => void statements.promoteAll.run({ now: toStored(now()) }))
    },
    claim: async (overdueMs) => {
      const moment = () => ({
        now: toStored(now()),
        proven: toStored(proven()),
        // Whoever only ends what others neglect must be sure of the time.
        cutoff: toStored(overdueMs === 0 ? now() : plusMs(proven(), -overdueMs)),
        atOnce: overdueMs === 0 ? (1 as const) : (0 as const),
        beyond: toStored(plusMs(now(), longestRestMs)),
        abandoned: JSON.stringify(leases.abandoned()),
      })
      const found = await access.read(() => {
        leases.look()
        return statements.due.get(moment())
      })
      if (found === undefined) return null
      return access.transact(() => {
        const row = statements.due.get(moment())
        if (row === undefined) return null
        const leaseId = randomHex()
        const isDispatch = row.gongbu_execution_id === null
        // Before the request can leave, so that it is counted also when this process dies.
        if (isDispatch) books?.dispatching(row)
        statements.take.run({
          handle: row.operation_handle,
          state: isDispatch ? 'dispatching' : 'reconciling',
          lease: leaseId,
          expires: toStored(plusMs(now(), workerLeaseMs)),
          now: toStored(now()),
        })
        const claimed = statements.current.get(row.operation_handle) as OperationRow
        const wasInterrupted = row.operation_state === 'dispatching'
        return { row: claimed, leaseId, wasInterrupted, isOverdue: isOverdue(row) }
      })
    },
    settle: async ({ row, leaseId }, wanted, answer) => {
      const isErased = await access.transact(() => {
        const latest = statements.current.get(row.operation_handle)
        if (latest === undefined) return false
        const owner = answer?.kind === 'execution' ? statements.ownerOf.get(answer.executionId) : undefined
        const { nextInMs, isReported, isVisible, ...settled } = decideSettle(latest, wanted, answer, owner)
        const { changes } = statements.settleRow.run({
          ...settled,
          handle: row.operation_handle,
          lease: leaseId,
          next: nextInMs === null ? null : toStored(plusMs(now(), nextInMs)),
          recordedAt: isReported ? toStored(now()) : latest.gongbu_result_recorded_at,
          updatedAt: isVisible ? toStored(now()) : latest.operation_updated_at,
        })
        return changes === 1 && settled.request === null && latest.gongbu_request_json !== null
      })
      books?.note(row.operation_handle)
      if (isErased) truncateLog(database)
    },
    nextDue: async () => {
      const instant = await access.read(() => statements.earliest.get())
      if (instant === null || instant === undefined) return null
      return instant === '' ? now() : new Date(instant)
    },
  }
}
