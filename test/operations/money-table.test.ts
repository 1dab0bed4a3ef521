// Every combination of what a row can say of its money, held against a second writing of the rules.
import { expect, test } from 'vitest'
import { moneyAnswer, type MoneyAnswer, type MoneyColumns, type MoneyFacts } from '../../src/operations/money.ts'

const now = new Date('2026-11-30T12:00:00Z')
const answers = new Set<MoneyAnswer>(['paid', 'held', 'waiting', 'refused', 'not_paid', 'unknown'])

const tools = ['hubu_submit_spend', 'hubu_authorize_spend']
const decisions = [null, 'allow', 'deny', 'needs_approval'] as const
const payments = [null, 'succeeded', 'failed'] as const
const states = [null, 'accepted', 'queued', 'dispatching', 'reconciling', 'succeeded', 'failed'] as const
const codes = [
  ...[null, 'spend_refused', 'spend_payment_failed', 'provider_outcome_ambiguous', 'execution_succeeded'],
  ...['execution_failed', 'authorization_released', 'authorization_continuation_unavailable'],
  ...['execution_request_invalid', 'execution_request_target_not_selectable', 'execution_request_unavailable'],
  ...['gongbu_unconfigured', 'gongbu_authentication_failed', 'gongbu_access_forbidden', 'execution_not_found'],
  ...['reconciliation_exhausted', 'operation_deadline_exhausted', 'dispatch_retry_exhausted'],
  ...['observation_retry_exhausted', 'execution_dispatch_failed', 'execution_intent_conflict'],
]
const statuses = [null, 'failed', 'succeeded', 'reconciliation_required'] as const
const begun = [null, 0, 1, 2]
const tokens = [
  { auth_token_id: null, authorization_expires_at: null },
  { auth_token_id: 't', authorization_expires_at: null },
  { auth_token_id: 't', authorization_expires_at: '2026-11-30T12:00:01Z' },
  { auth_token_id: 't', authorization_expires_at: '2026-11-30T11:59:59Z' },
]

/** What a refusal of Gongbu can be called, where it is one. */
const refusals = new Set([
  ...['execution_request_invalid', 'execution_request_target_not_selectable'],
  ...['gongbu_unconfigured', 'gongbu_authentication_failed', 'gongbu_access_forbidden'],
])

/** The rules once more, as a list: the first line that fits gives the answer. */
function expected(row: MoneyColumns, { payment, dispatchBegun }: MoneyFacts): MoneyAnswer {
  const { operation_state: state, operation_result_code: code, decision } = row
  const isSubmit = row.tool_name === 'hubu_submit_spend'
  const isLive = row.auth_token_id !== null && row.authorization_expires_at !== '2026-11-30T11:59:59Z'
  const isOnlyTry = row.gongbu_execution_id === null && dispatchBegun !== null && dispatchBegun < 2
  const lines: [boolean, MoneyAnswer][] = [
    [code === 'spend_refused', 'refused'],
    [code === 'spend_payment_failed' || code === 'authorization_continuation_unavailable', 'not_paid'],
    [isSubmit && payment === 'succeeded', 'paid'],
    [isSubmit && payment === 'failed', 'not_paid'],
    [state === 'succeeded', 'paid'],
    [state === 'failed' && code === 'authorization_released', 'not_paid'],
    [state === 'failed' && code === 'execution_failed' && row.gongbu_status === 'failed', 'not_paid'],
    [state === 'failed' && code !== null && refusals.has(code) && isOnlyTry, 'not_paid'],
    [state === 'failed', 'unknown'],
    [state !== null && code === 'provider_outcome_ambiguous', 'unknown'],
    [state !== null, 'held'],
    [decision === null && row.dispatch_started_at === null, 'not_paid'],
    [decision === null, 'unknown'],
    [decision === 'needs_approval', 'waiting'],
    [decision === 'deny', 'refused'],
    [isSubmit, 'unknown'],
    [isLive, 'held'],
  ]
  return lines.find(([fits]) => fits)?.[1] ?? 'not_paid'
}

test('each combination has exactly one of the six answers, and it is the one that the rules say', () => {
  let seen = 0
  const wrong: unknown[] = []
  for (const tool_name of tools)
    for (const decision of decisions)
      for (const payment of payments)
        for (const operation_state of states)
          for (const operation_result_code of codes)
            for (const gongbu_status of statuses)
              for (const dispatchBegun of begun)
                for (const gongbu_execution_id of [null, 'exec-1'])
                  for (const token of tokens)
                    for (const dispatch_started_at of [null, '2026-11-30T11:00:00Z']) {
                      const row = {
                        ...{ tool_name, decision, operation_state, operation_result_code, gongbu_status },
                        ...{ gongbu_execution_id, dispatch_started_at },
                        ...token,
                      } as MoneyColumns
                      const facts = { payment, dispatchBegun }
                      const answer = moneyAnswer(row, facts, now)
                      if (!answers.has(answer) || answer !== expected(row, facts)) wrong.push({ row, facts, answer })
                      seen++
                    }
  expect(wrong.slice(0, 3)).toEqual([])
  expect(seen).toBe(2 * 4 * 3 * 7 * codes.length * 4 * 4 * 2 * 4 * 2)
})
