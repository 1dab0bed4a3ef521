// Pure: an approval request as a human reads it.
import type { HubuApproval } from '#generated/types/backends.js'
import { label, quote } from '../terminal/foreign-text.ts'
import type { PendingSpends } from './hubu-approvals.ts'
import { shortIds } from '../terminal/short-ids.ts'

/**
 * `12345` cents of `usd` -> `123.45 USD`. Digits are cut, because dividing would round. Cents beyond 2^53 were rounded before they
 * came here, and the text says so.
 */
export function amountText(cents: number, currency: string): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  const about = Number.isSafeInteger(cents) ? '' : 'about '
  return `${about}${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)} ${currency.toUpperCase()}`
}

/** The immutable review, one member a line. What an agent wrote is shown quoted, so that it cannot imitate the frame. */
export function reviewText({ approval_request_id: id, status, review }: HubuApproval): string {
  const rows: [string, string][] = [
    ['approval', id],
    ['status', status],
    ['amount', amountText(review.amount_cents, review.currency)],
    ['account', review.account_id],
    ['agent', review.agent_id],
    ['reason', quote(review.reason)],
  ]
  if (typeof review.merchant === 'string') rows.push(['merchant', quote(review.merchant)])
  if (review.execution_scope) rows.push(['scope', scopeText(review.execution_scope as Record<string, unknown>)])
  if (review.policy_summary !== undefined) rows.push(['policy', review.policy_summary])
  for (const reason of review.policy_reasons ?? []) rows.push(['because', reason])
  return rows.map(([name, value]) => `${name.padEnd(10)}${label(value)}\n`).join('')
}

/** The pending spends, one a line, each with an id that is short and means no other. */
export function pendingText({ spends, isWhole }: PendingSpends): string {
  if (spends.length === 0) return 'Nothing waits for a decision.\n'
  const ids = shortIds(spends.map(({ workflow_id: id }) => id))
  const lines = spends.map((spend, at) => {
    const amount = amountText(spend.authorized_max_cents, spend.currency)
    return label(`${ids[at]}  ${amount.padStart(14)}  ${spend.agent_id}  ${spend.created_at}`)
  })
  const rest = isWhole ? [] : ['More wait; these are the newest.']
  return [...lines, ...rest].map((line) => `${line}\n`).join('')
}

function scopeText(scope: Record<string, unknown>): string {
  return ['provider', 'executor', 'capability', 'billing_merchant']
    .map((name) => (scope[name] as { display_name?: unknown } | undefined)?.display_name)
    .filter((name) => typeof name === 'string')
    .join(' / ')
}
