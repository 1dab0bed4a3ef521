import { expect, test } from 'vitest'
import { judgeCheck, ofExecution, ofWorkflow } from '../../../src/operations/find/check.ts'

test('an execution and a workflow say what became of the money, or nothing', () => {
  expect(['succeeded', 'released', 'failed', 'settling', 'reconciliation_required'].map(ofExecution)).toEqual([
    'paid',
    'not_paid',
    'not_paid',
    'held',
    undefined,
  ])
  expect(['settled', 'expired', 'authorized', 'needs_approval', 'unknown', 7].map(ofWorkflow)).toEqual([
    'paid',
    'not_paid',
    'held',
    'waiting',
    undefined,
    undefined,
  ])
})

test('the backends confirm, contradict, know better, or cannot tell', () => {
  expect(judgeCheck('paid', 'paid', 'Hubu')).toEqual({ verdict: 'confirmed', detail: 'Hubu says so too' })
  expect(judgeCheck('paid', 'not_paid', "Hubu's ledger")).toEqual({
    verdict: 'contradicted',
    detail: "Hubu's ledger says: not_paid",
  })
  expect(judgeCheck('unknown', 'paid', 'Gongbu')).toEqual({ verdict: 'found_out', detail: 'Gongbu says: paid' })
  expect(judgeCheck('paid', undefined, 'Hubu gave no answer')).toEqual({
    verdict: 'cannot_tell',
    detail: 'Hubu gave no answer',
  })
})
