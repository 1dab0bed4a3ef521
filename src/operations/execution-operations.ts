import type { GongbuExecutionStatus } from '#generated/types/backends.js'
import type { OperationStatus } from '#generated/types/router.js'
import { dateOf, type Clock } from '../timing/clock.ts'
import type { ClockWitness } from '../timing/clock-witness.ts'
import { RouterError } from '../errors/router-error.ts'
import type { SqliteDatabase } from '../storage/database.ts'
import { canonicalJson, requestHash } from '../json/canonical.ts'
import { member } from '../json/read.ts'
import type { Bookkeeping } from './bookkeeping.ts'
import type { Cleanup } from './cleanup.ts'
import { stateOfStatus } from './execution-outcome.ts'
import { prepareExecutionStatements } from './execution-statements.ts'
import { plusMs, toStored } from './instants.ts'
import { localPrincipal, type Owners } from './owners.ts'
import { isTerminal, type OperationRow } from './row.ts'
import { toOperationStatus } from './status.ts'
import type { RegistryAccess } from './transaction.ts'
import type { WaitingSpends } from './waiting/waiting-spends.ts'

/** The largest canonical create request, in bytes. */
const executionRequestLimitBytes = 1_048_576

/** How long the adapter follows an acknowledged operation. */
const operationDeadlineMs = 24 * 60 * 60 * 1000

/** The tool whose arguments are bound to an authorization. */
const createTool = 'gongbu_create_execution'

/** The operation behind an execution, as a direct read names it. */
export interface ExecutionOwner {
  handle: string
  operationKey: string | null
}

/** What Gongbu reported on a direct read, already checked. */
export interface ReportedExecution {
  executionId: string
  status: GongbuExecutionStatus
  outcome: string | null
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
      const request = canonicalJson(args)
      if (Buffer.byteLength(request) > executionRequestLimitBytes) throw tooLarge()
      const hash = requestHash(createTool, request)
      await cleanup.sweep()
      const status = await access.transact(() => {
        const row = executableRow(cleanup.fresh(own(statements.byToken.get(authTokenId), principal)))
        if (row.gongbu_request_hash !== null && row.gongbu_request_hash !== hash) throw intentConflict()
        if (row.gongbu_create_started_at !== null) return toOperationStatus(row, proven())
        statements.acknowledge.run({
          handle: row.operation_handle,
          hash,
          request,
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
        if (row === undefined || row.gongbu_execution_id !== reported.executionId) return
        const { status, outcome } = reported
        if (isTerminal(row.operation_state)) {
          if (isBackendTerminal(status)) statements.mirror.run({ handle, status, outcome, now: toStored(now()) })
          return
        }
        statements.mirror.run({ handle, status, outcome, now: toStored(now()) })
        const next = stateOfStatus(status)
        if (next.state === row.operation_state && next.code === row.operation_result_code) return
        statements.move.run({ handle, ...next, now: toStored(now()) })
        if (isTerminal(next.state)) statements.close.run({ handle })
      })
      books?.note(handle)
    },
  }
}

/** The row an authorization id stands for, if it may be executed. */
function executableRow(row: OperationRow | undefined): OperationRow {
  if (row === undefined || row.auth_token_id === null) {
    throw new RouterError(
      'continuation_unknown',
      'No live authorization has this id: it is unknown, expired or erased. Ask hubu_authorize_spend for a new purchase if the money is still wanted.',
    )
  }
  if (row.operation_key === null) throw notExecutable()
  if (row.tool_name !== 'hubu_authorize_spend') {
    throw new RouterError(
      'continuation_not_authorization',
      'This id belongs to a finished hubu_submit_spend and cannot start an execution. Use an id from hubu_authorize_spend.',
    )
  }
  if (row.decision !== 'allow') throw notExecutable()
  // Gongbu would refuse it for good, with the money held until it lapses.
  if (row.gongbu_create_started_at === null && hasNoScope(row)) throw scopeMissing()
  return row
}

/** Whether Hubu says of the authorization that it has no execution scope; an answer without the word says nothing of it. */
function hasNoScope({ result_json: result }: OperationRow): boolean {
  return result !== null && member(JSON.parse(result), 'execution_scope') === null
}

function scopeMissing(): RouterError {
  return new RouterError(
    'continuation_not_executable',
    'This authorization has no execution_scope, so Gongbu cannot use it. Nothing was executed, and it stays authorized until it ' +
      'expires. Call hubu_authorize_spend again as a new purchase, with an execution_scope that names schema_version 1, provider, ' +
      'executor, capability and billing_merchant of the target, for example capability:image:generate of executor:gongbu:image; ' +
      'then create the execution with the new auth_token_id.',
  )
}

function isBackendTerminal(status: GongbuExecutionStatus): boolean {
  return status === 'succeeded' || status === 'released' || status === 'failed'
}

function notExecutable(): RouterError {
  return new RouterError(
    'continuation_not_executable',
    'Hubu has not allowed this spend, so it cannot be executed. Read hubu_operation_status of its operation for the next step.',
  )
}

function intentConflict(): RouterError {
  return new RouterError(
    'continuation_intent_conflict',
    'This authorization is already bound to a different execution intent. Read the operation with hubu_operation_status; ' +
      'a different image needs an authorization of its own.',
  )
}

function tooLarge(): RouterError {
  return new RouterError(
    'execution_request_too_large',
    'The execution request is larger than 1 MiB. Shorten its input.',
  )
}

function unknownHandle(): RouterError {
  return new RouterError(
    'operation_handle_unknown',
    'No operation has this handle. Use operation_handle exactly as a spend or create result gave it.',
  )
}
