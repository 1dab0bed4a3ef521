// Pure: whether a create call may be bound to its authorization.
import { RouterError } from '../../errors/router-error.ts'
import { canonicalJson, requestHash } from '../../json/canonical.ts'
import { member } from '../../json/read.ts'
import type { OperationRow } from '../row.ts'

/** The largest canonical create request, in bytes. */
const executionRequestLimitBytes = 1_048_576

/** How long the adapter follows an acknowledged operation. */
export const operationDeadlineMs = 24 * 60 * 60 * 1000

/** The tool whose arguments are bound to an authorization. */
const createTool = 'gongbu_create_execution'

/** What is bound. */
export interface CreateRequest {
  /** Canonical JSON. */
  text: string
  hash: string
}

/** The request of a create call. Throws `execution_request_too_large`. */
export function createRequest(args: object): CreateRequest {
  const text = canonicalJson(args)
  if (Buffer.byteLength(text) > executionRequestLimitBytes) throw tooLarge()
  return { text, hash: requestHash(createTool, text) }
}

/** Decides it: the row, and whether it is acknowledged now or was before. Throws the continuation codes. */
export function decideBind(
  found: OperationRow | undefined,
  { hash }: CreateRequest,
): { row: OperationRow; isAcknowledged: boolean } {
  const row = executableRow(found)
  if (row.gongbu_request_hash !== null && row.gongbu_request_hash !== hash) throw intentConflict()
  return { row, isAcknowledged: row.gongbu_create_started_at !== null }
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
