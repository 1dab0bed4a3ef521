// GET /ledger/transactions: settlements of executors with their exact cost, and wallet payments.
import type { Budget } from '../budgets/budgets.ts'
import type { Cell, Rows } from '../rows.ts'
import { storedScope, type Identity } from '../scopes/scope.ts'
import { writeInstant } from '../time/instant.ts'
import type { User } from '../users/users.ts'
import { reference, type Page, type Place } from './page.ts'

/** Narrows what is shown; internal ids. */
export interface TransactionFilter {
  agentId?: string
  budgetId?: string
}

/** A transaction with all its context. */
export interface TransactionRow extends Place {
  kind: 'external_provider' | 'wallet_payment'
  agent_public_id: string
  account_public_id: string
  budget_public_id: string
  decision_id: string
  claim_id: string | null
  settlement_id: string | null
  execution_scope: string | null
  merchant: string | null
  reason: string
  cost_amount: bigint
  cost_scale: bigint
  charge_cents: bigint
  source: string | null
  debit_entry_id: string
  debit_account_id: string
  credit_entry_id: string
  credit_account_id: string
}

const finestScale = 18n

const context = `join attempts on attempts.sequence = decisions.attempt_sequence
  join agents on agents.id = attempts.agent_id
  join agent_accounts on agent_accounts.id = attempts.account_id
  join holds on holds.decision_id = decisions.id
  join budgets on budgets.id = holds.budget_id`

const contextColumns = `agents.id as agent_id, agents.public_id as agent_public_id,
  agent_accounts.public_id as account_public_id, budgets.id as budget_id, budgets.public_id as budget_public_id,
  decisions.id as decision_id, attempts.execution_scope, attempts.merchant, attempts.reason`

const allTransactions = `select * from (
  select provider_postings.id, provider_postings.created_at, provider_postings.owner_id, 'external_provider' as kind,
    ${contextColumns}, claims.id as claim_id, settlements.id as settlement_id, settlements.cost_amount,
    settlements.cost_scale, settlements.charge_cents, settlements.provider_request_id as source,
    debit_entry_id, debit_account_id, credit_entry_id, credit_account_id
  from provider_postings
  join settlements on settlements.id = provider_postings.settlement_id
  join claims on claims.id = settlements.claim_id
  join tokens on tokens.id = claims.token_id
  join decisions on decisions.id = tokens.decision_id ${context}
  union all
  select ledger_transactions.id, ledger_transactions.created_at, ledger_transactions.owner_id, 'wallet_payment' as kind,
    ${contextColumns}, null, null, debit.amount_cents, 2, debit.amount_cents, payments.rail_reference,
    debit.id, debit.account_id, credit.id, credit.account_id
  from ledger_transactions
  join payments on payments.ledger_transaction_id = ledger_transactions.id
  join ledger_entries as debit on debit.transaction_id = ledger_transactions.id and debit.direction = 'debit'
  join ledger_entries as credit on credit.transaction_id = ledger_transactions.id and credit.direction = 'credit'
  join decisions on decisions.id = payments.decision_id ${context}
)`

/** One row more than the page holds, newest first, so that the caller sees whether there is another page. */
export function transactionRows(rows: Rows, owner: User, filter: TransactionFilter, page: Page): TransactionRow[] {
  const { sql, cells } = conditions(owner, filter)
  const after = page.after === undefined ? '' : 'and (created_at, id) < (?, ?)'
  return rows.all<TransactionRow>(
    `${allTransactions} where ${sql} ${after} order by created_at desc, id desc limit ?`,
    ...[...cells, ...(page.after === undefined ? [] : [page.after.created_at, page.after.id]), BigInt(page.limit + 1)],
  )
}

/** How a budget's consumption and the recorded charges compare. */
export function budgetCoverage(rows: Rows, owner: User, agentId: string, budget: Budget) {
  const { sql, cells } = conditions(owner, { agentId, budgetId: budget.id })
  const recorded = rows
    .all<{ charge_cents: bigint }>(`select charge_cents from (${allTransactions}) where ${sql}`, ...cells)
    .reduce((sum, row) => sum + row.charge_cents, 0n)
  const pending = rows.get<{ count: bigint }>(
    `select count(*) as count from holds where budget_id = ? and status in ('frozen', 'claimed')`,
    budget.id,
  )
  return {
    budget_id: budget.public_id,
    agent_id: budget.agent_public_id,
    currency: 'usd',
    consumed_amount_cents: budget.consumed_cents,
    recorded_budget_charges_cents: recorded,
    unaccounted_consumption_cents: budget.consumed_cents - recorded,
    pending_hold_count: pending?.count ?? 0n,
    owner_transactions_without_budget_context: 0,
    historical_wallet_reconciliation_complete: false,
  }
}

/** A transaction on the wire. */
export function transactionJson(row: TransactionRow) {
  const scope = storedScope(row.execution_scope)
  const amount = atFinestScale(row.cost_amount, row.cost_scale)
  const entry = (id: string, accountId: string, accountKind: string, direction: 'debit' | 'credit') => ({
    id,
    account_id: accountId,
    account_kind: accountKind,
    direction,
    amount: { amount: amount.toString(), scale: finestScale, currency: 'usd' },
  })
  const creditKind = row.kind === 'external_provider' ? 'ExternalProviderPayable' : 'WalletCash'
  return {
    id: row.id,
    created_at: writeInstant(row.created_at),
    kind: row.kind,
    agent_id: row.agent_public_id,
    account_id: row.account_public_id,
    budget_id: row.budget_public_id,
    budget_version_id: null,
    workflow_id: row.decision_id,
    claim_id: row.claim_id,
    settlement_id: row.settlement_id,
    provider: identityJson(scope?.provider),
    billing_merchant: identityJson(scope?.billing_merchant),
    effective_cost: { amount: row.cost_amount.toString(), scale: row.cost_scale, currency: 'usd' },
    cost_semantics: 'original_total',
    purpose_reference: reference(row.reason),
    budget_charge_delta_cents: row.charge_cents,
    rounding_delta_amount: (atFinestScale(row.charge_cents, 2n) - amount).toString(),
    original_transaction_id: null,
    previous_transaction_id: null,
    source_reference: reference(row.source),
    adjustment_evidence_reference: null,
    legacy_backfill: false,
    coverage: {
      has_budget_context: true,
      missing_evidence_count: 0,
      missing_evidence: [],
      raw_evidence_redacted: true,
    },
    entries: [
      entry(row.debit_entry_id, row.debit_account_id, 'AgentSpendExpense', 'debit'),
      entry(row.credit_entry_id, row.credit_account_id, creditKind, 'credit'),
    ],
  }
}

/** An identity, or null. The name of a legacy merchant is a caller's free text and is not shown; its id is a digest. */
export function identityJson(identity: Identity | undefined) {
  if (identity === undefined) return null
  const legacy = identity.id.startsWith('merchant:legacy:')
  return { id: identity.id, display_name: legacy ? 'Legacy merchant' : identity.display_name }
}

/** An exact amount at scale 18, in integers of any size. */
function atFinestScale(amount: bigint, scale: bigint): bigint {
  return amount * 10n ** (finestScale - scale)
}

function conditions(owner: User, filter: TransactionFilter): { sql: string; cells: Cell[] } {
  const wanted: [string, Cell | undefined][] = [
    ['owner_id', owner.id],
    ['agent_id', filter.agentId],
    ['budget_id', filter.budgetId],
  ]
  const given = wanted.filter((entry): entry is [string, Cell] => entry[1] !== undefined)
  return { sql: given.map(([column]) => `${column} = ?`).join(' and '), cells: given.map(([, cell]) => cell) }
}
