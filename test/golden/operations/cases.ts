// Rows by what a client must see of them, written down from the contract and not from our code.
import type { OperationRow } from '../../../src/operations/row.ts'
import { accepted, authorized, awaiting } from './rows.ts'

/** What the contract says about a row; `result` and `execution_id` are null unless given. */
export interface OperationCase {
  row: OperationRow
  state: string
  terminal?: true
  replacementSafe?: true
  executionId?: string
  result?: { code: string; reason_code?: string; fields?: string[] }
  updatedAt?: string
}

const submit = { tool_name: 'hubu_submit_spend' }
const running = { ...accepted, gongbu_request_json: null, gongbu_execution_id: 'exec-1' }

/** The fourteen example projections of the contract, in its order. */
const examples: Record<string, OperationCase> = {
  'awaiting-hubu-result': { row: awaiting, state: 'awaiting_hubu_result' },
  'approval-required': {
    row: { ...awaiting, decision: 'needs_approval', approval_request_id: 'apr-1' },
    state: 'approval_required',
    result: { code: 'human_approval_required' },
  },
  authorized: { row: authorized, state: 'authorized', replacementSafe: true },
  'authorization-denied': {
    row: { ...awaiting, decision: 'deny' },
    state: 'failed',
    terminal: true,
    result: { code: 'authorization_denied' },
  },
  'authorization-expired': {
    row: { ...authorized, authorization_expires_at: '2026-08-25T00:00:00.000Z' },
    state: 'failed',
    terminal: true,
    result: { code: 'authorization_continuation_unavailable' },
  },
  'spend-succeeded': {
    row: { ...authorized, ...submit },
    state: 'succeeded',
    terminal: true,
    result: { code: 'spend_succeeded' },
  },
  accepted: { row: accepted, state: 'accepted' },
  'queued-again': {
    row: {
      ...accepted,
      operation_state: 'queued',
      operation_result_code: 'dispatch_retry_pending',
      dispatch_attempts: 1,
      next_operation_attempt_at: '2026-08-25T00:00:01.000Z',
    },
    state: 'queued',
    result: { code: 'dispatch_retry_pending' },
  },
  dispatching: { row: { ...accepted, operation_state: 'dispatching' }, state: 'dispatching' },
  'execution-in-progress': {
    row: { ...running, operation_state: 'reconciling', operation_result_code: 'execution_in_progress' },
    state: 'reconciling',
    executionId: 'exec-1',
    result: { code: 'execution_in_progress' },
  },
  'provider-outcome-ambiguous': {
    row: { ...running, operation_state: 'reconciling', operation_result_code: 'provider_outcome_ambiguous' },
    state: 'reconciling',
    executionId: 'exec-1',
    result: { code: 'provider_outcome_ambiguous' },
  },
  'execution-succeeded': {
    row: { ...running, operation_state: 'succeeded', operation_result_code: 'execution_succeeded' },
    state: 'succeeded',
    terminal: true,
    executionId: 'exec-1',
    result: { code: 'execution_succeeded' },
  },
  'target-not-selectable': {
    row: {
      ...accepted,
      gongbu_request_json: null,
      operation_state: 'failed',
      operation_result_code: 'execution_request_target_not_selectable',
    },
    state: 'failed',
    terminal: true,
    result: {
      code: 'execution_request_invalid',
      reason_code: 'target_not_selectable',
      fields: ['workload_type', 'provider', 'adapter', 'model'],
    },
  },
  'reconciliation-exhausted': {
    row: {
      ...running,
      operation_state: 'failed',
      operation_result_code: 'reconciliation_exhausted',
      reconciliation_attempts: 6,
    },
    state: 'failed',
    terminal: true,
    executionId: 'exec-1',
    result: { code: 'reconciliation_exhausted' },
  },
}

/** The other rows that the state table tells apart. */
const others: Record<string, OperationCase> = {
  'spend-denied': {
    row: { ...awaiting, ...submit, decision: 'deny' },
    state: 'failed',
    terminal: true,
    result: { code: 'spend_denied' },
  },
  'spend-approval-required': {
    row: { ...awaiting, ...submit, decision: 'needs_approval' },
    state: 'approval_required',
    result: { code: 'human_approval_required' },
  },
  'spend-awaiting-hubu-result': {
    row: { ...awaiting, ...submit, dispatch_started_at: null },
    state: 'awaiting_hubu_result',
    updatedAt: '2026-08-24T23:59:59.000Z',
  },
  'authorized-without-expiry': {
    row: { ...authorized, authorization_expires_at: null },
    state: 'authorized',
    replacementSafe: true,
  },
  'authorization-without-token': {
    row: { ...authorized, auth_token_id: null },
    state: 'failed',
    terminal: true,
    result: { code: 'authorization_continuation_unavailable' },
  },
  'authorization-with-unreadable-expiry': {
    row: { ...authorized, authorization_expires_at: 'in five minutes' },
    state: 'failed',
    terminal: true,
    result: { code: 'authorization_continuation_unavailable' },
  },
  'acknowledged-after-expiry': {
    row: { ...accepted, authorization_expires_at: '2026-08-24T00:00:00Z' },
    state: 'accepted',
  },
  queued: { row: { ...accepted, operation_state: 'queued' }, state: 'queued' },
  'dispatching-again': {
    row: { ...accepted, operation_state: 'dispatching', operation_result_code: 'dispatch_retry_pending' },
    state: 'dispatching',
    result: { code: 'dispatch_retry_pending' },
  },
  'observation-retry-pending': {
    row: {
      ...running,
      operation_state: 'reconciling',
      operation_result_code: 'observation_retry_pending',
      observation_failures: 1,
    },
    state: 'reconciling',
    executionId: 'exec-1',
    result: { code: 'observation_retry_pending' },
  },
  'pricing-selector-not-matched': {
    row: {
      ...accepted,
      gongbu_request_json: null,
      operation_state: 'failed',
      operation_result_code: 'execution_request_pricing_selector_not_matched',
    },
    state: 'failed',
    terminal: true,
    result: {
      code: 'execution_request_invalid',
      reason_code: 'pricing_selector_not_matched',
      fields: ['input.image_size'],
    },
  },
}

const failures = [
  ...['execution_failed', 'authorization_released', 'observation_retry_exhausted', 'execution_not_found'],
  ...[
    'operation_deadline_exhausted',
    'gongbu_unconfigured',
    'execution_request_unavailable',
    'execution_request_invalid',
  ],
  ...[
    'gongbu_authentication_failed',
    'gongbu_access_forbidden',
    'dispatch_retry_exhausted',
    'execution_intent_conflict',
  ],
  'execution_dispatch_failed',
]

/** Every row, by the name of its golden file. */
export const operationCases: Readonly<Record<string, OperationCase>> = {
  ...examples,
  ...others,
  ...Object.fromEntries(
    failures.map((code): [string, OperationCase] => [
      `failed.${code.replaceAll('_', '-')}`,
      {
        row: { ...running, operation_state: 'failed', operation_result_code: code },
        state: 'failed',
        terminal: true,
        executionId: 'exec-1',
        result: { code },
      },
    ]),
  ),
}
