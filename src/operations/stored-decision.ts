// Pure: what a stored answer of Hubu means for its operation.
import { isObject, member } from '../json/read.ts'
import { paymentOf } from './money.ts'
import type { OperationRow } from './row.ts'
import type { SpendRefusal } from './spend-turn.ts'

/**
 * Whether Hubu repeats an earlier decision about a call that this registry never sent, so that the registry has lost it, and does not
 * show that nothing was bought with it yet. Such an authorization may be used up.
 */
export function isSpentReplay(result: Record<string, unknown>): boolean {
  const hold = result.budget_hold
  return result.idempotent_replay === true && !(isObject(hold) && hold.status === 'frozen')
}

/** A result without what could still be used. */
export function withoutToken({ auth_token_id: _id, spend_auth_token_id: _alias, ...rest }: Record<string, unknown>) {
  return rest
}

/** Whether Hubu's stored answer can never change. Of what a human approved it says `needs_approval` also when it is paid. */
export function isDecided({ decision, result_json: result }: Pick<OperationRow, 'decision' | 'result_json'>): boolean {
  if (decision === 'allow' || decision === 'deny') return true
  // What an earlier release stored of such a payment says that none ran, so it is asked for again.
  return (
    paymentOf(result) !== null && result !== null && member(JSON.parse(result), 'requires_human_approval') === false
  )
}

/** The refusal that ended an operation; null for every other. */
export function storedRefusal(row: OperationRow): SpendRefusal | null {
  if (row.operation_state !== 'failed' || row.result_json === null) return null
  return (member(JSON.parse(row.result_json), 'refusal') as SpendRefusal | undefined) ?? null
}
