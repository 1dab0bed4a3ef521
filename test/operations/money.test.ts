import { describe, expect, test } from 'vitest'
import { moneyAnswer, paymentOf, type MoneyColumns, type MoneyFacts } from '../../src/operations/money.ts'

const now = new Date('2026-11-30T12:00:00.000Z')
const row = (members: Partial<MoneyColumns>): MoneyColumns => ({
  tool_name: 'hubu_authorize_spend',
  decision: null,
  auth_token_id: null,
  authorization_expires_at: null,
  dispatch_started_at: '2026-11-30T11:00:00.000Z',
  operation_state: null,
  operation_result_code: null,
  gongbu_status: null,
  gongbu_execution_id: null,
  ...members,
})
const answer = (members: Partial<MoneyColumns>, facts: Partial<MoneyFacts> = {}) =>
  moneyAnswer(row(members), { payment: null, dispatchBegun: null, ...facts }, now)
const submit = { tool_name: 'hubu_submit_spend' }
const failed = (code: string) => ({
  decision: 'allow' as const,
  operation_state: 'failed' as const,
  operation_result_code: code,
})

describe('a payment decides, whatever the decision says', () => {
  test.each(['allow', 'deny', 'needs_approval'] as const)('with the decision %s', (decision) => {
    expect(answer({ ...submit, decision }, { payment: 'succeeded' })).toBe('paid')
    expect(answer({ ...submit, decision }, { payment: 'failed' })).toBe('not_paid')
  })

  test('an allowed submit without a payment that can be read is unknown', () => {
    expect(answer({ ...submit, decision: 'allow' })).toBe('unknown')
  })
})

test('before Hubu decided, only a request that never left is certain', () => {
  expect(answer({})).toBe('unknown')
  expect(answer({ dispatch_started_at: null })).toBe('not_paid')
  expect(answer({ decision: 'needs_approval' })).toBe('waiting')
  expect(answer({ decision: 'deny' })).toBe('refused')
})

test('an authorization holds its money until it expires or is erased', () => {
  const allowed = { decision: 'allow' as const, auth_token_id: 't' }
  expect(answer({ ...allowed, authorization_expires_at: '2026-11-30T12:00:01Z' })).toBe('held')
  expect(answer({ ...allowed, authorization_expires_at: '2026-11-30T11:59:59Z' })).toBe('not_paid')
  expect(answer({ decision: 'allow' })).toBe('not_paid')
})

test.each([
  ['accepted', null, 'held'],
  ['queued', null, 'held'],
  ['dispatching', 'dispatch_retry_pending', 'held'],
  ['reconciling', 'execution_in_progress', 'held'],
  ['reconciling', 'provider_outcome_ambiguous', 'unknown'],
  ['succeeded', 'execution_succeeded', 'paid'],
] as const)('an execution that is %s with %s is %s', (state, code, expected) => {
  expect(answer({ decision: 'allow', operation_state: state, operation_result_code: code })).toBe(expected)
})

test('a failed execution cost nothing where Gongbu says so, or refused the only request that ever left', () => {
  expect(answer(failed('authorization_released'))).toBe('not_paid')
  expect(answer({ ...failed('execution_failed'), gongbu_status: 'failed' })).toBe('not_paid')
  expect(answer(failed('execution_failed'))).toBe('unknown')
  for (const code of [
    'execution_request_invalid',
    'execution_request_target_not_selectable',
    'gongbu_unconfigured',
    'gongbu_authentication_failed',
    'gongbu_access_forbidden',
  ]) {
    expect(answer(failed(code), { dispatchBegun: 1 }), code).toBe('not_paid')
    expect(answer(failed(code), { dispatchBegun: 2 }), code).toBe('unknown')
    expect(answer(failed(code)), code).toBe('unknown')
    expect(answer({ ...failed(code), gongbu_execution_id: 'e' }, { dispatchBegun: 1 }), code).toBe('unknown')
  }
})

test.each([
  ...[
    'reconciliation_exhausted',
    'operation_deadline_exhausted',
    'dispatch_retry_exhausted',
    'observation_retry_exhausted',
  ],
  ...['execution_not_found', 'execution_dispatch_failed', 'execution_intent_conflict', 'execution_request_unavailable'],
])('a failure that proves nothing is unknown: %s', (code) => {
  expect(answer(failed(code), { dispatchBegun: 1 })).toBe('unknown')
})

test('a payment is read out of a stored result, where there is one', () => {
  expect(paymentOf('{"payment":{"status":"succeeded"}}')).toBe('succeeded')
  expect(paymentOf('{"payment":{"status":"pending"}}')).toBeNull()
  expect(paymentOf('{"payment":null}')).toBeNull()
  expect(paymentOf('{}')).toBeNull()
  expect(paymentOf(null)).toBeNull()
})
