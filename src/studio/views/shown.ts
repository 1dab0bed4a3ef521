// The views of the inbox and of operations, for the server and for the page. Types only.
import type { OperationView } from '../../operations/operation-view.ts'
import type { AgentName, Amount, Instant, Quoted } from './words.ts'

/** What became of a request. */
export type InboxStatus = 'waiting' | 'approved' | 'used' | 'lapsed' | 'denied'

export interface InboxItem {
  id: string
  status: InboxStatus
  since: Instant
  amount: Amount
  account: string
  agent: AgentName
  vendor: { provider: Quoted | null; merchant: Quoted | null }
  reason: Quoted | null
  operation: string | null
  expiresAt: Instant | null
}

export interface Inbox {
  items: InboxItem[]
  next: string | null
  total: number
  more: boolean
}

export interface ReviewedBudget {
  id: string
  limit: Amount
  free: Amount
  after: Amount
  enough: boolean
}

export interface Review {
  id: string
  status: InboxStatus
  since: Instant | null
  amount: Amount
  account: string
  agent: AgentName
  provider: Quoted | null
  executor: Quoted | null
  capability: Quoted | null
  billingMerchant: Quoted | null
  /** Free text of an older form of request; no name of the catalog. */
  merchant: Quoted | null
  leaseProfile: Quoted
  policy: { summary: Quoted; reasons: Quoted[] }
  reason: Quoted
  budget: ReviewedBudget | null
  digest: string
  operation: string | null
  expiresAt: Instant | null
}

export interface Ticket {
  ticket: string
  expiresAt: Instant
  review: Review
  /** What must be typed to approve. */
  expect: string
}

export interface Decided {
  status: 'approved' | 'denied'
  already: boolean
  expiresAt: Instant | null
  revision: string
}

/** One operation of a list. */
export type ListedOperation = OperationView & { amount: Amount | null }

/** What was found. */
export interface OperationsPage {
  items: ListedOperation[]
  next: string | null
  /** False: the search ended by time; it goes on at `next`. */
  complete: boolean
  searchedTo: Instant | null
}

/** One step of an operation's story. */
export interface Moment {
  at: Instant
  kind: string
  text: string
  router: number | null
  source: 'registry' | 'journal' | 'hubu'
  inferred: boolean
}
