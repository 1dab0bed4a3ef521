// Pure: the answers that every route gives.
import type { Diagnostic } from '../admission/create.ts'
import type { Answer } from './listener.ts'

/** Error codes with their status and fixed text. */
const errors = {
  invalid_request: [400, 'The request is not acceptable.'],
  unauthorized: [401, 'A valid credential is required.'],
  forbidden: [403, 'This resource belongs to another account.'],
  not_found: [404, 'There is no such resource.'],
  immutable_scope_conflict: [409, 'The authorization already belongs to a different execution.'],
  internal_error: [500, 'The request could not be processed.'],
  not_ready: [503, 'New executions are not accepted at the moment.'],
} as const

/** The codes of the error envelope. */
export type ErrorCode = keyof typeof errors

/** The contract positions that a diagnostic names. */
export const diagnosticFields: Readonly<Record<Diagnostic, readonly string[]>> = {
  target_not_selectable: ['workload_type', 'provider', 'adapter', 'model'],
  pricing_selector_not_matched: ['input.image_size'],
}

/** A JSON answer. */
export function json(status: number, body: unknown): Answer {
  return { status, contentType: 'application/json', body: JSON.stringify(body) }
}

/** The error envelope; its version follows the path as it was sent. */
export function failure(path: string, code: ErrorCode, diagnostic?: Diagnostic): Answer {
  const [status, message] = errors[code]
  const told = diagnostic === undefined ? {} : { reason_code: diagnostic, fields: diagnosticFields[diagnostic] }
  return json(status, { schema_version: versionOf(path), error: { code, message, ...told } })
}

/** 1 under `/v1/`, else 2, also for paths that do not exist. */
export function versionOf(path: string): 1 | 2 {
  return path.startsWith('/v1/') ? 1 : 2
}

/** What a sandbox answers with a fault that was asked for: the envelope, or not being ready in the words of each route. */
export function injectedError(path: string, status: number): Answer {
  if (path === '/readyz' && status === 503) return json(503, { status: 'not_ready' })
  if (status === 503) return failure(path, 'not_ready')
  const message = 'The sandbox was told to fail here.'
  return json(status, { schema_version: versionOf(path), error: { code: 'internal_error', message } })
}
