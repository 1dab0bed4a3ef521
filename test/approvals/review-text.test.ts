import { expect, test } from 'vitest'
import type { PendingSpend } from '../../src/approvals/hubu-approvals.ts'
import { amountText, pendingText, reviewText } from '../../src/approvals/review-text.ts'

test.each([
  [0, '0.00 USD'],
  [5, '0.05 USD'],
  [-5, '-0.05 USD'],
  [123456, '1234.56 USD'],
  [9007199254740991, '90071992547409.91 USD'],
  [9007199254740993, 'about 90071992547409.92 USD'],
])('%d cents read as %s', (cents, wanted) => {
  expect(amountText(cents, 'usd')).toBe(wanted)
})

test('what an agent wrote cannot imitate the review or reach the terminal as control characters', () => {
  const text = reviewText({
    approval_request_id: 'apr-1',
    status: 'pending',
    review: {
      account_id: 'aga_1',
      agent_id: 'agt_1',
      amount_cents: 150,
      currency: 'usd',
      reason: 'harmless\namount    0.01 USD\u001b[2K',
      policy_summary: 'asked\u001b[31m',
    },
  })
  expect(text.split('\n').filter((line) => line.startsWith('amount'))).toEqual(['amount    1.50 USD'])
  expect(text).not.toMatch(/\u001b/)
})

test('what would turn or hide a text on a terminal is shown by its number', () => {
  const review = {
    account_id: 'a',
    agent_id: 'b',
    amount_cents: 1,
    currency: 'usd',
    reason: 'for \u202e001\u2066\u200b\u2028.',
  }
  const text = reviewText({ approval_request_id: 'apr-1', status: 'pending', review })
  expect(text).toContain('"for <U+202E>001<U+2066><U+200B><U+2028>."')
  const row = {
    workflow_id: 'w\u001b[2J',
    authorized_max_cents: 1,
    currency: 'usd',
    agent_id: 'agt',
    created_at: 'now\u202e',
  }
  expect(pendingText({ spends: [row as PendingSpend], isWhole: true })).toMatch(/^w<U\+001B>\[2J .*now<U\+202E>\n$/)
})

test('an empty list says so', () => {
  expect(pendingText({ spends: [], isWhole: true })).toBe('Nothing waits for a decision.\n')
})
