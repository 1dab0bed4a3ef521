import { expect, test } from 'vitest'
import {
  judgeAnswer,
  stateOfStatus,
  type ExecutionAnswer,
  type ExecutionChange,
} from '../../src/operations/execution-outcome.ts'
import type { OperationRow } from '../../src/operations/row.ts'

const tickMs = 1000

/** What an answer does to a row with these columns. */
function judge(row: Partial<OperationRow>, answer: ExecutionAnswer, wasInterrupted = false): ExecutionChange {
  const fresh = { gongbu_execution_id: null, dispatch_attempts: 0, observation_failures: 0, reconciliation_attempts: 0 }
  return judgeAnswer({ row: { ...fresh, ...row } as OperationRow, wasInterrupted }, answer, tickMs)
}

const status = (value: Extract<ExecutionAnswer, { kind: 'execution' }>['status']): ExecutionAnswer => ({
  kind: 'execution',
  executionId: 'exec-1',
  status: value,
  outcome: null,
})

const refused = (
  httpStatus: number | null,
  code: string,
  diagnostic: Extract<ExecutionAnswer, { kind: 'permanent' }>['diagnostic'] = null,
): ExecutionAnswer => ({ kind: 'permanent', httpStatus, code, diagnostic })

const retryable: ExecutionAnswer = { kind: 'retryable' }
const observing = { gongbu_execution_id: 'exec-1' }

test.each([
  ['succeeded', 'succeeded', 'execution_succeeded'],
  ['failed', 'failed', 'execution_failed'],
  ['released', 'failed', 'authorization_released'],
] as const)('the status %s ends the operation as %s, %s', (reported, state, code) => {
  const end = { state, code, nextInMs: null, observationFailures: 0 }
  expect(judge({}, status(reported))).toEqual(end)
  expect(judge(observing, status(reported))).toEqual(end)
  expect(stateOfStatus(reported)).toEqual({ state, code })
})

test.each(['pending', 'preflighting', 'claimed', 'executing', 'settling'] as const)(
  'the status %s is looked at again one tick later, and failures before it are forgotten',
  (reported) => {
    expect(judge({ ...observing, observation_failures: 4 }, status(reported))).toEqual({
      state: 'reconciling',
      code: 'execution_in_progress',
      nextInMs: 1000,
      observationFailures: 0,
    })
  },
)

test('an ambiguous provider outcome is looked at after 30, 60, 120, 240 and 480 ticks and then given up', () => {
  const steps = [0, 1, 2, 3, 4, 5].map((n) => judge({ reconciliation_attempts: n }, status('reconciliation_required')))
  expect(steps.map(({ nextInMs }) => nextInMs)).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, null])
  expect(steps.map(({ reconciliationAttempts }) => reconciliationAttempts)).toEqual([1, 2, 3, 4, 5, 6])
  expect(steps[0]).toMatchObject({ state: 'reconciling', code: 'provider_outcome_ambiguous' })
  expect(steps[5]).toMatchObject({ state: 'failed', code: 'reconciliation_exhausted' })
})

test('a dispatch that fails is repeated after 1, 2, 4 and 8 ticks and given up at the fifth', () => {
  const steps = [0, 1, 2, 3, 4].map((n) => judge({ dispatch_attempts: n }, retryable))
  expect(steps.map(({ nextInMs }) => nextInMs)).toEqual([1000, 2000, 4000, 8000, null])
  expect(steps.map(({ dispatchAttempts }) => dispatchAttempts)).toEqual([1, 2, 3, 4, 5])
  expect(steps[3]).toMatchObject({ state: 'queued', code: 'dispatch_retry_pending' })
  expect(steps[4]).toMatchObject({ state: 'failed', code: 'dispatch_retry_exhausted' })
})

test('an observation that fails is repeated after 1, 2, 4 and 8 ticks and given up at the fifth', () => {
  const steps = [0, 1, 2, 3, 4].map((n) => judge({ ...observing, observation_failures: n }, retryable))
  expect(steps.map(({ nextInMs }) => nextInMs)).toEqual([1000, 2000, 4000, 8000, null])
  expect(steps[3]).toMatchObject({ state: 'reconciling', code: 'observation_retry_pending', observationFailures: 4 })
  expect(steps[4]).toMatchObject({ state: 'failed', code: 'observation_retry_exhausted', observationFailures: 5 })
})

test.each([
  [400, 'invalid_request', 'execution_request_invalid'],
  [400, 'gongbu_api_error', 'execution_dispatch_failed'],
  [401, 'unauthorized', 'gongbu_authentication_failed'],
  [403, 'forbidden', 'gongbu_access_forbidden'],
  [404, 'not_found', 'execution_not_found'],
  [409, 'immutable_scope_conflict', 'execution_intent_conflict'],
  [409, 'gongbu_api_error', 'execution_dispatch_failed'],
  [422, 'gongbu_api_error', 'execution_dispatch_failed'],
  [302, 'gongbu_api_error', 'execution_dispatch_failed'],
  [200, 'identity_conflict', 'execution_dispatch_failed'],
])('the refusal %d %s of a first dispatch fails the operation as %s', (http, code, result) => {
  expect(judge({}, refused(http, code))).toEqual({ state: 'failed', code: result, nextInMs: null })
  expect(judge(observing, refused(http, code))).toEqual({ state: 'failed', code: result, nextInMs: null })
})

test.each(['target_not_selectable', 'pricing_selector_not_matched'] as const)(
  'the diagnostic %s is kept for a dispatch, also on a replay, and ignored while observing',
  (reason) => {
    const answer = refused(400, 'invalid_request', reason)
    const kept = { state: 'failed', code: `execution_request_${reason}`, nextInMs: null }
    expect(judge({}, answer)).toEqual(kept)
    expect(judge({ dispatch_attempts: 3 }, answer)).toEqual(kept)
    expect(judge(observing, answer)).toMatchObject({ code: 'execution_request_invalid' })
  },
)

test.each([
  [409, 'immutable_scope_conflict'],
  [409, 'gongbu_api_error'],
  [400, 'invalid_request'],
  [400, 'gongbu_api_error'],
])('a %d %s on a replay proves nothing about the first try and counts as one more attempt', (http, code) => {
  const again = { state: 'queued', code: 'dispatch_retry_pending', dispatchAttempts: 2, nextInMs: 2000 }
  expect(judge({ dispatch_attempts: 1 }, refused(http, code))).toEqual(again)
  expect(judge({ dispatch_attempts: 4 }, refused(http, code))).toMatchObject({ code: 'dispatch_retry_exhausted' })
})

test('a dispatch whose first try died unrecorded is a replay too', () => {
  expect(judge({}, refused(409, 'gongbu_api_error'), true)).toMatchObject({ state: 'queued', dispatchAttempts: 1 })
  expect(judge(observing, refused(409, 'gongbu_api_error'), true)).toMatchObject({ state: 'failed' })
})

test.each([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [422, 'gongbu_api_error'],
  [200, 'identity_conflict'],
])('a %d %s is final on a replay as well', (http, code) => {
  expect(judge({ dispatch_attempts: 1 }, refused(http, code))).toMatchObject({ state: 'failed', nextInMs: null })
})
