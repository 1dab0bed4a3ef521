import { expect, test } from 'vitest'
import type { Execution } from '../../../../src/sandbox/gongbu/executions/execution.ts'
import {
  isFinal,
  mayMove,
  transitions,
  type ExecutionStatus,
} from '../../../../src/sandbox/gongbu/executions/states.ts'
import type { Attempt, Receipt } from '../../../../src/sandbox/gongbu/run/attempt-store.ts'
import { nextStep, type Facts } from '../../../../src/sandbox/gongbu/run/next-step.ts'

const at = '2031-03-04T05:06:07.000Z'
const unstarted = { outcome: 'started', transmissionStartedAt: null } as Attempt
const started = { outcome: 'started', transmissionStartedAt: at } as Attempt
const succeeded = { outcome: 'succeeded', transmissionStartedAt: at } as Attempt
const failed = { outcome: 'failed', transmissionStartedAt: at } as Attempt
const ambiguous = { outcome: 'ambiguous', transmissionStartedAt: at } as Attempt

function facts(status: ExecutionStatus, more: Partial<Facts> = {}, execution: Partial<Execution> = {}): Facts {
  const blank = { preflightPassedAt: null, claimStartedAt: null, releaseStartedAt: null }
  return {
    execution: { ...blank, status, ...execution } as Execution,
    attempt: undefined,
    stagedCount: 0,
    receipt: undefined,
    ...more,
  }
}
const receipt = (more: Partial<Receipt>) => ({ transmissionStartedAt: null, settledAt: null, ...more }) as Receipt

test.each<[string, Facts, string, string?]>([
  ['pending', facts('pending'), 'preflight'],
  ['preflighting', facts('preflighting'), 'preflight'],
  ['preflighting, all passed', facts('preflighting', {}, { preflightPassedAt: at }), 'claim'],
  ['claimed', facts('claimed'), 'check-claim'],
  ['executing, not transmitted', facts('executing', { attempt: unstarted }), 'call-provider'],
  ['executing, transmitted', facts('executing', { attempt: started }), 'hold', 'provider_delivery_interrupted'],
  ['executing, staged', facts('executing', { attempt: succeeded, stagedCount: 1 }), 'store-artifacts'],
  ['executing, staging lost', facts('executing', { attempt: succeeded }), 'hold', 'artifact_delivery_interrupted'],
  ['executing, failed', facts('executing', { attempt: failed }), 'release'],
  [
    'executing, release begun',
    facts('executing', { attempt: failed }, { releaseStartedAt: at }),
    'hold',
    'release_delivery_interrupted',
  ],
  ['executing, ambiguous', facts('executing', { attempt: ambiguous }), 'hold', 'provider_ambiguous'],
  ['settling, no receipt', facts('settling', { attempt: succeeded }), 'settle'],
  ['settling, receipt not sent', facts('settling', { attempt: succeeded, receipt: receipt({}) }), 'settle'],
  [
    'settling, receipt sent',
    facts('settling', { attempt: succeeded, receipt: receipt({ transmissionStartedAt: at }) }),
    'hold',
    'settlement_delivery_interrupted',
  ],
  [
    'settling, receipt settled',
    facts('settling', { attempt: succeeded, receipt: receipt({ transmissionStartedAt: at, settledAt: at }) }),
    'finish-settled',
  ],
  ['reconciliation_required', facts('reconciliation_required'), 'recover'],
  ['succeeded', facts('succeeded'), 'ended'],
  ['failed', facts('failed'), 'ended'],
  ['released', facts('released'), 'ended'],
])('%s comes to its next step', (_, stored, kind, code) => {
  expect(nextStep(stored)).toMatchObject(code === undefined ? { kind } : { kind, code })
})

test('a claim that may have been sent is known as a repetition', () => {
  const passed = { preflightPassedAt: at }
  expect(nextStep(facts('preflighting', {}, passed))).toEqual({ kind: 'claim', repeated: false })
  expect(nextStep(facts('preflighting', {}, { ...passed, claimStartedAt: at }))).toEqual({
    kind: 'claim',
    repeated: true,
  })
})

test('an execution may move only as the contract has it, and final statuses do not even stay', () => {
  const statuses = Object.keys(transitions) as ExecutionStatus[]
  const moves = statuses.flatMap((from) =>
    statuses.filter((to) => from !== to && mayMove(from, to)).map((to) => `${from} ${to}`),
  )
  expect(new Set(moves)).toEqual(
    new Set([
      'pending preflighting',
      'pending failed',
      'preflighting claimed',
      'preflighting failed',
      'preflighting reconciliation_required',
      'claimed executing',
      'claimed released',
      'claimed reconciliation_required',
      'executing settling',
      'executing released',
      'executing reconciliation_required',
      'settling succeeded',
      'settling reconciliation_required',
      'reconciliation_required settling',
      'reconciliation_required succeeded',
      'reconciliation_required released',
    ]),
  )
  expect(moves).toHaveLength(16)
  expect(statuses.filter(isFinal)).toEqual(['succeeded', 'released', 'failed'])
  expect(statuses.filter((status) => !mayMove(status, status))).toEqual(['succeeded', 'released', 'failed'])
})
