// The mock payment rail behind POST /spend.
import { agentById } from '../agents/agents.ts'
import { holdOfDecision, releaseHold, settleHold } from '../budgets/holds.ts'
import { drawUuid, type Hubu } from '../hubu.ts'
import { postPayment } from '../ledger/ledger.ts'
import { Refusal } from '../refusal.ts'
import type { Rows } from '../rows.ts'
import type { User } from '../users/users.ts'
import type { Decided } from './decide.ts'
import { tokenOf, useToken } from './decisions.ts'

/** A payment, made or declined. */
export interface Payment {
  id: string
  status: 'succeeded' | 'failed'
  ledger_transaction_id: string | null
  rail_reference: string | null
  failure_reason: string | null
}

/** The merchant that the mock rail declines. */
const decliningMerchant = 'fail'

/**
 * Pays an allowed spend once, or returns the payment that was made or declined before. Throws a 400 when an executor has
 * claimed the operation and when the authorization is no longer good.
 */
export function pay(hubu: Hubu, owner: User, { attempt, decision }: Decided): Payment {
  const { rows } = hubu
  const earlier = rows.get<Payment>('select * from payments where decision_id = ?', decision.id)
  if (earlier !== undefined) return earlier
  if (
    rows.get('select 1 from claims where agent_id = ? and operation_key = ?', attempt.agent_id, attempt.operation_key)
  )
    throw new Refusal('the operation has been claimed by an executor')
  const token = tokenOf(rows, decision.id)
  const hold = holdOfDecision(rows, decision.id)
  const now = hubu.now()
  if (token === undefined || token.expires_at <= now) throw new Refusal('spend authorization has expired')
  if (hold?.status !== 'frozen') throw new Refusal('the budget hold of the authorization is no longer frozen')

  const id = drawUuid(hubu, 'payments')
  const idempotencyKey = `${decision.id}:${attempt.task_id ?? ''}`
  const declined = attempt.merchant === decliningMerchant
  if (declined) releaseHold(rows, hold)
  else {
    settleHold(rows, hold, hold.amount_cents)
    useToken(rows, token, id, now)
  }
  const payment: Payment = {
    id,
    status: declined ? 'failed' : 'succeeded',
    ledger_transaction_id: declined ? null : postPayment(hubu, owner, id, attempt.amount_cents),
    rail_reference: declined ? null : `fiat_mock_${idempotencyKey}`,
    failure_reason: declined ? 'mock rail declined merchant' : null,
  }
  rows.insert('payments', { ...payment, decision_id: decision.id, idempotency_key: idempotencyKey, created_at: now })
  return payment
}

/** A payment as answers embed it. */
export function paymentJson(rows: Rows, owner: User, agentId: string, payment: Payment) {
  return {
    payment_id: payment.id,
    owner_user_id: owner.public_id,
    owner_user_name: owner.display_name,
    account_id: agentById(rows, agentId).account_public_id,
    status: payment.status,
    ledger_transaction_id: payment.ledger_transaction_id,
    rail_reference: payment.rail_reference,
    failure_reason: payment.failure_reason,
  }
}
