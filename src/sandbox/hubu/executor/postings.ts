// Postings of executor settlements: the exact cost, balanced, beside the charge in cents.
import type { Settlement } from './settlements.ts'
import { drawUuid, type Hubu } from '../hubu.ts'
import type { User } from '../users/users.ts'
import { ledgerAccount } from '../ledger/ledger.ts'

/** Posts a settlement once: spend expense against what is owed to the provider. */
export function postSettlement(hubu: Hubu, owner: User, settlement: Settlement): void {
  hubu.rows.insert('provider_postings', {
    id: drawUuid(hubu, 'provider_postings'),
    settlement_id: settlement.id,
    owner_id: owner.id,
    debit_entry_id: drawUuid(hubu, 'provider_postings', 'debit_entry_id'),
    debit_account_id: ledgerAccount(hubu, owner, 'AgentSpendExpense'),
    credit_entry_id: drawUuid(hubu, 'provider_postings', 'credit_entry_id'),
    credit_account_id: ledgerAccount(hubu, owner, 'ExternalProviderPayable'),
    created_at: settlement.created_at,
  })
}
