// The double-entry ledger. Transactions and entries are only ever added.
import { drawUuid, type Hubu } from '../hubu.ts'
import { read, type Route } from '../route.ts'
import type { Rows } from '../rows.ts'
import type { Instant } from '../time/instant.ts'
import { writeInstant } from '../time/instant.ts'
import type { User } from '../users/users.ts'

/** The kinds of ledger accounts an owner has. */
export type AccountKind = 'AgentSpendExpense' | 'WalletCash' | 'ExternalProviderPayable'

interface TransactionRow {
  id: string
  external_ref: string | null
  description: string
  created_at: Instant
}

interface EntryRow {
  id: string
  account_id: string
  direction: 'debit' | 'credit'
  amount_cents: bigint
}

/** The owner's account of a kind, opened at first use and kept for good. */
export function ledgerAccount(hubu: Hubu, owner: User, kind: AccountKind): string {
  const { rows } = hubu
  const found = rows.get<{ id: string }>(
    'select id from ledger_accounts where owner_id = ? and kind = ?',
    owner.id,
    kind,
  )
  if (found !== undefined) return found.id
  const id = drawUuid(hubu, 'ledger_accounts')
  rows.insert('ledger_accounts', { id, owner_id: owner.id, kind })
  return id
}

/** Posts a successful payment: spend expense against wallet cash. Returns the transaction's id. */
export function postPayment(hubu: Hubu, owner: User, paymentId: string, amountCents: bigint): string {
  const { rows } = hubu
  const id = drawUuid(hubu, 'ledger_transactions')
  rows.insert('ledger_transactions', {
    id,
    owner_id: owner.id,
    external_ref: paymentId,
    ...{ description: `payment ${paymentId} via fiat_mock`, created_at: hubu.now() },
  })
  for (const [direction, kind] of [
    ['debit', 'AgentSpendExpense'],
    ['credit', 'WalletCash'],
  ] as const)
    rows.insert('ledger_entries', {
      id: drawUuid(hubu, 'ledger_entries'),
      transaction_id: id,
      account_id: ledgerAccount(hubu, owner, kind),
      direction,
      amount_cents: amountCents,
    })
  return id
}

/** The owner's wallet payments, oldest first, with their entries. */
export function walletTransactions(rows: Rows, owner: User) {
  const names = { owner_user_id: owner.public_id, owner_user_name: owner.display_name }
  const transactions = rows.all<TransactionRow>(
    'select * from ledger_transactions where owner_id = ? order by created_at, id',
    owner.id,
  )
  return transactions.map((transaction) => ({
    id: transaction.id,
    ...names,
    external_ref: transaction.external_ref,
    description: transaction.description,
    created_at: writeInstant(transaction.created_at),
    entries: rows
      .all<EntryRow>('select * from ledger_entries where transaction_id = ? order by id', transaction.id)
      .map(({ id, account_id, direction, amount_cents }) => ({
        id,
        ...names,
        account_id,
        direction,
        amount_cents,
        currency: 'usd',
      })),
  }))
}

/** The routes about wallet payments. */
export const ledgerRoutes: readonly Route[] = [
  read('/ledger', ({ hubu, owner }) => ({ transactions: walletTransactions(hubu.rows, owner) })),
]
