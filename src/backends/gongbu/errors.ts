import type { GongbuToolError } from '#generated/types/router.js'

/** The code of a Gongbu tool error. */
export type GongbuErrorCode = GongbuToolError['error']['code']

/**
 * What the worker may do about it: `transient` and `invalid_response` are tried again within their limits,
 * `permanent` is not.
 */
export type GongbuErrorClass = 'permanent' | 'transient' | 'invalid_response'

/** Why Gongbu admits no such execution: the only two reasons that are passed on. */
export type AdmissionDiagnostic =
  | {
      readonly reason_code: 'target_not_selectable'
      readonly fields: readonly ['workload_type', 'provider', 'adapter', 'model']
    }
  | { readonly reason_code: 'pricing_selector_not_matched'; readonly fields: readonly ['input.image_size'] }

/** A request to Gongbu that did not give what was asked for. */
export interface GongbuFailure {
  readonly kind: 'error'
  readonly code: GongbuErrorCode
  readonly class: GongbuErrorClass
  /** The status when a head was read. */
  readonly httpStatus?: number
  readonly diagnostic?: AdmissionDiagnostic
  /** For the redacted log only; not enumerable. */
  readonly cause?: unknown
}

interface ErrorRow {
  readonly class: GongbuErrorClass
  readonly text: string
}

/** Class and text of every code. The texts are ours: nothing that Gongbu says is repeated. */
export const gongbuErrors: Readonly<Record<GongbuErrorCode, ErrorRow>> = {
  invalid_request: { class: 'permanent', text: 'The request is not valid for Gongbu. Correct the arguments.' },
  protected_override: {
    class: 'permanent',
    text: 'The input names state that only the platform may set. Remove those members.',
  },
  gongbu_unavailable: { class: 'transient', text: 'Gongbu did not answer in time. Try the same call again later.' },
  unauthorized: { class: 'permanent', text: 'Gongbu does not accept the credential of this router.' },
  forbidden: { class: 'permanent', text: 'Gongbu does not allow this to the credential of this router.' },
  not_found: { class: 'permanent', text: 'Gongbu knows nothing under this id.' },
  immutable_scope_conflict: {
    class: 'permanent',
    text: 'Gongbu already has an execution of this authorization with another request.',
  },
  rate_limited: { class: 'transient', text: 'Gongbu is limiting requests. Try the same call again later.' },
  gongbu_internal_error: { class: 'transient', text: 'Gongbu failed on this request. Try the same call again later.' },
  gongbu_api_error: { class: 'permanent', text: 'Gongbu refused the request.' },
  invalid_response: { class: 'invalid_response', text: 'Gongbu answered with something that this router cannot use.' },
  identity_conflict: { class: 'permanent', text: 'Gongbu answered about another execution than the one asked for.' },
  invalid_artifact: {
    class: 'permanent',
    text: 'The artifact is no complete PNG or JPEG image of at most 64 MiB.',
  },
}

/** A failure with the class its code has. */
export function gongbuFailure(
  code: GongbuErrorCode,
  more: { httpStatus?: number; diagnostic?: AdmissionDiagnostic; cause?: unknown } = {},
): GongbuFailure {
  const { cause, ...members } = more
  const failure: GongbuFailure = { kind: 'error', code, class: gongbuErrors[code].class, ...members }
  return cause === undefined ? failure : Object.defineProperty(failure, 'cause', { value: cause, enumerable: false })
}

/** The body of the tool error that stands for a failure. */
export function toToolError({ code, diagnostic }: Pick<GongbuFailure, 'code' | 'diagnostic'>): GongbuToolError {
  const message = gongbuErrors[code].text
  if (!diagnostic) return { schema_version: 2, error: { code, message } }
  const { reason_code, fields } = diagnostic
  return { schema_version: 2, error: { code, message, reason_code, fields: [...fields] } }
}
