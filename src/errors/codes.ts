// This room holds every way we can fail: one table of codes, one error class.

/** What one machine code means on the wire. */
export interface CodeRow {
  /** The JSON-RPC error code that carries it. */
  readonly jsonRpcCode: -32602 | -32603 | -32010 | -32000
  /** The `data.code` a client sees; null where the contract wants no `data`. */
  readonly dataCode: string | null
  /** Whether the same call may succeed later without anybody changing anything. */
  readonly retryable: boolean
  /** One line for the table of docs/errors.md. */
  readonly summary: string
}

const row = (
  jsonRpcCode: CodeRow['jsonRpcCode'],
  dataCode: string | null,
  retryable: boolean,
  summary: string,
): CodeRow => ({
  jsonRpcCode,
  dataCode,
  retryable,
  summary,
})

const refusal = (dataCode: string, retryable: boolean, summary: string) => row(-32000, dataCode, retryable, summary)

/** The one table of error codes. docs/errors.md and the pins in test/ must agree with it. */
export const codes = {
  params_invalid: row(
    -32602,
    null,
    false,
    'The call itself is malformed: unknown member, wrong type, or no parameters.',
  ),
  tool_unknown: row(-32602, null, false, 'No such tool in the ownership table.'),
  schema_violation: row(-32602, 'arguments_invalid', false, 'The arguments do not match the published input schema.'),
  internal_error: row(-32603, 'internal_error', false, 'A fault of the router itself.'),
  backend_unconfigured: row(-32010, 'backend_unconfigured', false, 'The owning backend has no endpoint or no token.'),
  backend_unavailable: row(-32010, 'backend_unavailable', true, 'The backend does not answer or is unhealthy.'),
  backend_incompatible: row(-32010, 'backend_incompatible', false, 'The backend is of another release.'),
  backend_not_ready: row(-32010, 'backend_not_ready', true, 'Gongbu lives but accepts no new executions yet.'),
  approval_gate_required: refusal(
    'approval_gate_required',
    false,
    'Protected tool, but client approval is not trusted.',
  ),
  arguments_invalid: refusal('arguments_invalid', false, 'Arguments that contradict each other.'),
  trusted_argument_rejected: refusal(
    'trusted_argument_rejected',
    false,
    'Spend arguments name trusted platform state.',
  ),
  identity_missing: refusal('identity_missing', false, 'The harness sent no supported call identity.'),
  identity_ambiguous: refusal('identity_ambiguous', false, 'The harness sent more than one call identity.'),
  identity_invalid: refusal('identity_invalid', false, 'The call identity is malformed.'),
  identity_collision: refusal('identity_collision', false, 'The call identity already belongs to another call.'),
  possible_duplicate: refusal('possible_duplicate', false, 'An equal purchase is open, in doubt or fresh.'),
  operation_registry_unavailable: refusal(
    'operation_registry_unavailable',
    false,
    'The operation registry could not be opened.',
  ),
  operation_registry_error: refusal('operation_registry_error', true, 'The operation registry is busy or failing.'),
  hubu_result_ambiguous: refusal('hubu_result_ambiguous', true, 'Hubu may have acted, the answer is lost.'),
  hubu_response_invalid: refusal(
    'hubu_response_invalid',
    true,
    'Hubu answered a read with something that is not JSON, or too large.',
  ),
  hubu_application_error: refusal('hubu_application_error', false, 'Hubu refused the request.'),
  hubu_route_invalid: refusal('hubu_route_invalid', false, 'A request outside the allowed Hubu routes.'),
  reconciliation_capability_missing: refusal(
    'reconciliation_capability_missing',
    false,
    'No reconciliation token is configured.',
  ),
  reconciliation_capability_invalid: refusal(
    'reconciliation_capability_invalid',
    false,
    'The reconciliation token is blank or unreadable.',
  ),
  continuation_unknown: refusal('continuation_unknown', false, 'The authorization id is unknown, expired or erased.'),
  continuation_not_authorization: refusal(
    'continuation_not_authorization',
    false,
    'The id belongs to a finished hubu_submit_spend.',
  ),
  continuation_not_executable: refusal(
    'continuation_not_executable',
    false,
    'The authorization does not allow an execution.',
  ),
  continuation_intent_conflict: refusal(
    'continuation_intent_conflict',
    false,
    'The authorization is bound to another request.',
  ),
  execution_request_too_large: refusal('execution_request_too_large', false, 'The execution request is over 1 MiB.'),
  operation_handle_unknown: refusal('operation_handle_unknown', false, 'No operation has this handle.'),
  direct_call_required: refusal(
    'direct_call_required',
    false,
    'The tool must be called by its own name, not through `call_tool`.',
  ),
} as const satisfies Record<string, CodeRow>

/** Every machine code. */
export type Code = keyof typeof codes
