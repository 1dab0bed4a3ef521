import type { GongbuArtifactList, GongbuExecution, GongbuExecutionStatus } from '#generated/types/backends.js'
import { isGongbuArtifactList, isGongbuExecution, isGongbuExecutionStatus } from '#generated/validators/backends.js'
import type { HttpOutcome } from '../http-client.ts'
import { withWrittenNumbers } from '../../json/written-number.ts'
import { member, readJson, type JsonBody } from '../../json/read.ts'
import { gongbuFailure, type AdmissionDiagnostic, type GongbuErrorCode, type GongbuFailure } from './errors.ts'
import { isSafeId } from './request.ts'

/** JSON of Gongbu may be this long, 1 MiB. */
export const maxJsonBytes = 1_048_576
/** An artifact may be this long, 64 MiB. */
export const maxArtifactBytes = 67_108_864

/** An execution as Gongbu tells it, with a status that we know. Holds the private operation key. */
export type ExecutionBody = GongbuExecution & { readonly status: GongbuExecutionStatus }

type Cancelled = { readonly kind: 'cancelled' }
export type ExecutionReply =
  { readonly kind: 'execution'; readonly execution: ExecutionBody } | GongbuFailure | Cancelled
export type ArtifactsReply =
  { readonly kind: 'artifacts'; readonly list: GongbuArtifactList } | GongbuFailure | Cancelled
export type ArtifactReply =
  | { readonly kind: 'artifact'; readonly bytes: Buffer; readonly mediaType: 'image/png' | 'image/jpeg' }
  | GongbuFailure
  | Cancelled

/** What an execution body is held against. */
export interface ExpectedExecution {
  /** 2 for a create, 1 for a read. Only a create has diagnostics. */
  readonly schemaVersion: 1 | 2
  /** The private key of the bound registry row; absent when unbound. */
  readonly operationKey?: string
  /** The id that was asked for, then the id that the row is bound to; absent where there is none. */
  readonly executionIds: readonly (string | null | undefined)[]
}

/**
 * Reads the answer to a create or to a read of an execution. Checked in this order: shape, operation key, execution id,
 * schema version with id alphabet and status; the first that fails decides. Pure.
 */
export function readExecution(outcome: HttpOutcome, expected: ExpectedExecution): ExecutionReply {
  const json = readSuccess(outcome, expected.schemaVersion === 2)
  if (json.kind !== 'json') return json
  const { value: execution, httpStatus } = json
  if (!isGongbuExecution(execution)) return gongbuFailure('invalid_response', { httpStatus })
  if (expected.operationKey !== undefined && execution.operation_key !== expected.operationKey) {
    return gongbuFailure('identity_conflict', { httpStatus })
  }
  if (expected.executionIds.some((id) => typeof id === 'string' && id !== execution.execution_id)) {
    return gongbuFailure('identity_conflict', { httpStatus })
  }
  const isKnown = execution.schema_version === expected.schemaVersion && isSafeId(execution.execution_id)
  if (!isKnown || !hasKnownStatus(execution)) return gongbuFailure('invalid_response', { httpStatus })
  return { kind: 'execution', execution: withWrittenNumbers(json) as ExecutionBody }
}

/** Reads the answer to a list of artifacts of this execution. Pure. */
export function readArtifacts(outcome: HttpOutcome, executionId: string): ArtifactsReply {
  const json = readSuccess(outcome, false)
  if (json.kind !== 'json') return json
  const { value: list, httpStatus } = json
  if (!isGongbuArtifactList(list)) return gongbuFailure('invalid_response', { httpStatus })
  const ids = [list.execution_id, ...list.artifacts.map((artifact) => artifact.execution_id)]
  if (ids.some((id) => id !== executionId)) return gongbuFailure('identity_conflict', { httpStatus })
  if (list.schema_version !== 1) return gongbuFailure('invalid_response', { httpStatus })
  return { kind: 'artifacts', list: withWrittenNumbers(json) as GongbuArtifactList }
}

/** Reads the answer to an artifact. The type is compared exactly, up to the first `;`. Pure. */
export function readArtifact(outcome: HttpOutcome): ArtifactReply {
  const headed = readHead(outcome, false)
  if (headed.kind === 'cancelled' || headed.kind === 'error') return headed
  const { status: httpStatus } = headed
  const mediaType = headed.contentType?.split(';', 1)[0]
  const isImage = mediaType === 'image/png' || mediaType === 'image/jpeg'
  if (headed.kind !== 'answer' || !isImage) return gongbuFailure('invalid_artifact', { httpStatus })
  return { kind: 'artifact', bytes: headed.body, mediaType }
}

function hasKnownStatus(execution: GongbuExecution): execution is ExecutionBody {
  return isGongbuExecutionStatus(execution.status)
}

type Headed = Extract<HttpOutcome, { kind: 'cut' | 'too_large' | 'answer' }>
type Json = Extract<JsonBody, { kind: 'json' }>

function readSuccess(
  outcome: HttpOutcome,
  hasDiagnostics: boolean,
): (Json & { readonly httpStatus: number }) | GongbuFailure | Cancelled {
  const headed = readHead(outcome, hasDiagnostics)
  if (headed.kind === 'cancelled' || headed.kind === 'error') return headed
  const { status: httpStatus } = headed
  const body = readBody(headed)
  return body ? { ...body, httpStatus } : gongbuFailure('invalid_response', { httpStatus })
}

/** A success whose head arrived, or what stands in its place. */
function readHead(outcome: HttpOutcome, hasDiagnostics: boolean): Headed | GongbuFailure | Cancelled {
  switch (outcome.kind) {
    case 'cancelled':
      return outcome
    case 'not_connected':
    case 'no_answer':
      return gongbuFailure('gongbu_unavailable', { cause: outcome.cause })
    case 'cut':
    case 'too_large':
    case 'answer':
      return isSuccess(outcome.status) ? outcome : readRefusal(outcome, hasDiagnostics)
  }
}

/** The status decides, even when the body is missing, cut, unreadable or oversized. */
function readRefusal(outcome: Headed, hasDiagnostics: boolean): GongbuFailure {
  const { status: httpStatus } = outcome
  const byStatus =
    statusCodes[httpStatus] ?? (httpStatus >= 500 && httpStatus <= 599 ? 'gongbu_internal_error' : undefined)
  if (byStatus) return gongbuFailure(byStatus, { httpStatus })
  const body = readBody(outcome)?.value
  const error = member(body, 'error')
  const code = member(error, 'code')
  if (httpStatus === 409 && code === 'immutable_scope_conflict') return gongbuFailure(code, { httpStatus })
  if (httpStatus !== 400 || code !== 'invalid_request') return gongbuFailure('gongbu_api_error', { httpStatus })
  const diagnostic = hasDiagnostics && member(body, 'schema_version') === 2 ? readDiagnostic(error) : undefined
  return gongbuFailure('invalid_request', { httpStatus, ...(diagnostic && { diagnostic }) })
}

const statusCodes: Readonly<Record<number, GongbuErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'gongbu_unavailable',
  425: 'gongbu_unavailable',
  429: 'rate_limited',
}

const diagnostics: readonly AdmissionDiagnostic[] = [
  { reason_code: 'target_not_selectable', fields: ['workload_type', 'provider', 'adapter', 'model'] },
  { reason_code: 'pricing_selector_not_matched', fields: ['input.image_size'] },
]

function readDiagnostic(error: unknown): AdmissionDiagnostic | undefined {
  const fields = member(error, 'fields')
  return diagnostics.find(
    (known) =>
      member(error, 'reason_code') === known.reason_code &&
      Array.isArray(fields) &&
      fields.length === known.fields.length &&
      known.fields.every((field, i) => fields[i] === field),
  )
}

function readBody(outcome: Headed): Json | undefined {
  if (outcome.kind !== 'answer' || outcome.body.length > maxJsonBytes) return undefined
  const body = readJson(outcome.body)
  return body.kind === 'json' ? body : undefined
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299
}
