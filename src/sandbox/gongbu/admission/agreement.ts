// Pure: whether Hubu's authorization is for exactly this request.
import { sameScope, type ExecutionScope } from '../executions/scope.ts'
import type { SpendSnapshot } from '../hubu/hubu.ts'
import type { PriceSnapshot } from '../prices/estimate.ts'

/** What the authorization must agree with. */
export interface Expectation {
  tokenId: string
  price: PriceSnapshot
  scope: ExecutionScope
  now: Date
  /** Only where the server is bound to an account. */
  accountId?: string
}

/** Whether all points hold. */
export function agrees(spend: SpendSnapshot, expected: Expectation): boolean {
  const amount = expected.price.estimated_amount_minor
  const texts = [spend.accountId, spend.agentId, spend.operationKey, spend.decisionId, spend.reason]
  return (
    spend.tokenId === expected.tokenId &&
    spend.status === 'available' &&
    isLater(spend.expiresAt, expected.now) &&
    spend.hold.status === 'frozen' &&
    spend.hold.amountCents === spend.amountCents &&
    texts.every((text) => text.trim() !== '') &&
    spend.operationKey === spend.operationKey.trim() &&
    spend.amountCents === amount &&
    spend.currency.toLowerCase() === expected.price.currency.toLowerCase() &&
    spend.scope !== null &&
    sameScope(spend.scope, expected.scope) &&
    (expected.accountId === undefined || spend.accountId === expected.accountId)
  )
}

/** Whether the text is an RFC 3339 time with an offset, strictly after `now`. */
function isLater(text: string, now: Date): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text)) return false
  return Date.parse(text) > now.getTime()
}
