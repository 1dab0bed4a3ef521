// Literals on purpose: clients and operators decide by these codes.
import { expect, test } from 'vitest'
import { codes, type Code } from '../../src/errors/codes.ts'
import { gongbuErrors } from '../../src/backends/gongbu/errors.ts'

const promised: Record<Code, string> = {
  params_invalid: '-32602 without data',
  tool_unknown: '-32602 without data',
  schema_violation: '-32602 arguments_invalid',
  internal_error: '-32603 internal_error',
  backend_unconfigured: '-32010 backend_unconfigured',
  backend_unavailable: '-32010 backend_unavailable, retryable',
  backend_incompatible: '-32010 backend_incompatible',
  backend_not_ready: '-32010 backend_not_ready, retryable',
  approval_gate_required: '-32000 approval_gate_required',
  arguments_invalid: '-32000 arguments_invalid',
  trusted_argument_rejected: '-32000 trusted_argument_rejected',
  identity_missing: '-32000 identity_missing',
  identity_ambiguous: '-32000 identity_ambiguous',
  identity_invalid: '-32000 identity_invalid',
  identity_collision: '-32000 identity_collision',
  possible_duplicate: '-32000 possible_duplicate',
  operation_registry_unavailable: '-32000 operation_registry_unavailable',
  operation_registry_error: '-32000 operation_registry_error, retryable',
  hubu_result_ambiguous: '-32000 hubu_result_ambiguous, retryable',
  hubu_response_invalid: '-32000 hubu_response_invalid, retryable',
  hubu_application_error: '-32000 hubu_application_error',
  hubu_route_invalid: '-32000 hubu_route_invalid',
  reconciliation_capability_missing: '-32000 reconciliation_capability_missing',
  reconciliation_capability_invalid: '-32000 reconciliation_capability_invalid',
  continuation_unknown: '-32000 continuation_unknown',
  continuation_not_authorization: '-32000 continuation_not_authorization',
  continuation_not_executable: '-32000 continuation_not_executable',
  continuation_intent_conflict: '-32000 continuation_intent_conflict',
  execution_request_too_large: '-32000 execution_request_too_large',
  operation_handle_unknown: '-32000 operation_handle_unknown',
  direct_call_required: '-32000 direct_call_required',
}

test('every error code keeps its JSON-RPC code, its data code and whether it is retryable', () => {
  const present = Object.entries(codes).map(([name, { jsonRpcCode, dataCode, retryable }]) => {
    const data = dataCode === null ? 'without data' : dataCode
    return [name, `${jsonRpcCode} ${data}${retryable ? ', retryable' : ''}`]
  })
  expect(Object.fromEntries(present)).toEqual(promised)
})

test('Gongbu tool errors keep their codes and what the worker makes of them', () => {
  expect(Object.fromEntries(Object.entries(gongbuErrors).map(([code, row]) => [code, row.class]))).toEqual({
    invalid_request: 'permanent',
    protected_override: 'permanent',
    gongbu_unavailable: 'transient',
    unauthorized: 'permanent',
    forbidden: 'permanent',
    not_found: 'permanent',
    immutable_scope_conflict: 'permanent',
    rate_limited: 'transient',
    gongbu_internal_error: 'transient',
    gongbu_api_error: 'permanent',
    invalid_response: 'invalid_response',
    identity_conflict: 'permanent',
    invalid_artifact: 'permanent',
  })
})
