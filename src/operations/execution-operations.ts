import type { OperationStatus } from '#generated/types/router.js'
import { dateOf, type Clock } from '../timing/clock.ts'
import type { ClockWitness } from '../timing/clock-witness.ts'
import { RouterError } from '../errors/router-error.ts'
import type { SqliteDatabase } from '../storage/database.ts'
import type { Bookkeeping } from './bookkeeping.ts'
import type { Cleanup } from './cleanup.ts'
import { createRequest, decideBind, operationDeadlineMs } from './decisions/bind.ts'
import { decideRead, type ReportedExecution } from './decisions/direct-read.ts'
import { prepareExecutionStatements } from './execution-statements.ts'
import { plusMs, toStored } from './instants.ts'
import { localPrincipal, type Owners } from './owners.ts'
import type { OperationRow } from './row.ts'
import { toOperationStatus } from './status.ts'
import type { RegistryAccess } from './transaction.ts'
import type { WaitingSpends } from './waiting/waiting-spends.ts'

/** The operation behind an execution, as a direct read names it. */
export interface ExecutionOwner {
  handle: string
  operationKey: string | null
}

/** The registry's part of executions that clients ask for: binding, status, direct reads. */
export interface ExecutionOperations {
  /** Binds a create call to its authorization and acknowledges it, durably. Throws the continuation codes. */
  bind(authTokenId: string, args: object, principal?: string): Promise<OperationStatus>
  /** Throws `operation_handle_unknown`. */
  status(handle: string, principal?: string): Promise<OperationStatus>
  /** The operation that owns an execution, if any; `foreign`: it is another principal's. */
  findByExecution(executionId: string, principal?: string): Promise<ExecutionOwner | 'foreign' | null>
  /** Executions of one principal, the latest first; not more than the limit. */
  executionsOf(principal: string, limit: number): Promise<string[]>
  /** Takes over what a direct read saw, without moving anything terminal. */
  recordRead(handle: string, reported: ReportedExecution): Promise<void>
}

export function createExecutionOperations(options: {
  database: SqliteDatabase
  access: RegistryAccess
  cleanup: Cleanup
  waiting: Pick<WaitingSpends, 'waits'>
  /** Null where no journal is kept. */
  books: Bookkeeping | null
  clock: Pick<Clock, 'nowMs'>
  witness: Pick<ClockWitness, 'provenMs'>
  owners: Owners
}): ExecutionOperations {
  const { database, access, cleanup, waiting, books, clock, witness, owners } = options
  const now = () => dateOf(clock)
  // An authorization counts as live until it is certain that it is over.
  const proven = () => new Date(witness.provenMs())
  const statements = prepareExecutionStatements(database)
  /** What another principal has is as if it were not there. */
  const own = (row: OperationRow | undefined, principal: string) =>
    row?.installation_id === owners.idOf(principal) ? row : undefined

  return {
    bind: async (authTokenId, args, principal = localPrincipal) => {
      const request = createRequest(args)
      await cleanup.sweep()
      const status = await access.transact(() => {
        const found = cleanup.fresh(own(statements.byToken.get(authTokenId), principal))
        const { row, isAcknowledged } = decideBind(found, request)
        if (isAcknowledged) return toOperationStatus(row, proven())
        statements.acknowledge.run({
          handle: row.operation_handle,
          hash: request.hash,
          request: request.text,
          state: 'accepted',
          deadline: toStored(plusMs(now(), operationDeadlineMs)),
          started: toStored(now()),
          now: toStored(now()),
        })
        return toOperationStatus(statements.byHandle.get(row.operation_handle) as OperationRow, proven())
      })
      books?.used(status.operation_handle, principal)
      books?.note(status.operation_handle)
      return status
    },
    status: async (handle, principal = localPrincipal) => {
      const found = await access.read(() => {
        const row = own(statements.byHandle.get(handle), principal)
        return row && { row, completesItself: row.decision === 'needs_approval' && waiting.waits(handle) }
      })
      if (found === undefined) throw unknownHandle()
      books?.used(handle, principal)
      return toOperationStatus(found.row, proven(), found)
    },
    findByExecution: async (executionId, principal = localPrincipal) => {
      const row = await access.read(() => statements.byExecution.get(executionId))
      if (row !== undefined && own(row, principal) === undefined) return 'foreign'
      return row === undefined ? null : { handle: row.operation_handle, operationKey: row.operation_key }
    },
    executionsOf: (principal, limit) =>
      access.read(() => statements.ownExecutions.all(owners.idOf(principal), limit).map(({ id }) => id)),
    recordRead: async (handle, reported) => {
      await access.transact(() => {
        const row = statements.byHandle.get(handle)
        const read = row === undefined ? null : decideRead(row, reported)
        if (read === null) return
        const { status, outcome } = reported
        statements.mirror.run({ handle, status, outcome, now: toStored(now()) })
        if (read.move === null) return
        const { state, code, isEnd } = read.move
        statements.move.run({ handle, state, code, now: toStored(now()) })
        if (isEnd) statements.close.run({ handle })
      })
      books?.note(handle)
    },
  }
}

function unknownHandle(): RouterError {
  return new RouterError(
    'operation_handle_unknown',
    'No operation has this handle. Use operation_handle exactly as a spend or create result gave it.',
  )
}
