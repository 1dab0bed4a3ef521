// GET /ledger.
import { read, type Route } from '../route.ts'
import { walletTransactions } from './ledger.ts'

/** The routes about wallet payments. */
export const ledgerRoutes: readonly Route[] = [
  read('/ledger', ({ hubu, owner }) => ({ transactions: walletTransactions(hubu.rows, owner) })),
]
