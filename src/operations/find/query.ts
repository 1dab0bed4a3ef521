// Pure: what somebody remembers of a purchase, and whether an operation can be it.
import type { OperationStatus } from '#generated/types/router.js'
import type { MoneyAnswer } from '../money.ts'
import { holdsWords } from './words.ts'

/** What is looked for. All of it must hold; what is left out does not matter. */
export interface FindQuery {
  /** Whole cents, both ends included. */
  cents?: { from: number; to: number } | undefined
  since?: Date | undefined
  until?: Date | undefined
  /** Folded, as `wordsIn` gives them. */
  words?: readonly string[] | undefined
  principal?: string | undefined
  /** Operations that nobody wrote a principal to belong to it as well. */
  withUnowned?: boolean | undefined
  /** The name that a client gave itself, or its platform. */
  client?: string | undefined
  answer?: MoneyAnswer | undefined
  state?: OperationStatus['state'] | undefined
  tool?: string | undefined
  /** The first hex digits of a handle. */
  digits?: string | undefined
  /** The operations that an authorization, approval or execution id belongs to were looked up before. */
  handles?: ReadonlySet<string> | undefined
  limit: number
}

/** What an operation is compared by. What nobody knows is null. */
export interface Comparable {
  handle: string
  tool: string
  platform: string
  /** RFC 3339 UTC. */
  createdAt: string
  principal: string | null
  client: string | null
  amountMinor: number | null
  reason: string | null
  merchant: string | null
  answer(): MoneyAnswer
  state(): OperationStatus['state']
}

/** It can be it, it cannot, or what would tell was not written down. */
export type Fit = 'yes' | 'no' | 'not_known'

export function fitOf(one: Comparable, query: FindQuery): Fit {
  if (!isMeant(one, query)) return 'no'
  const { cents, words } = query
  if (cents !== undefined && one.amountMinor !== null && !isWithin(one.amountMinor, cents)) return 'no'
  const texts = [one.reason, one.merchant]
  if (words !== undefined && one.reason !== null && !holdsWords(texts, words)) return 'no'
  if (query.state !== undefined && one.state() !== query.state) return 'no'
  if (query.answer !== undefined && one.answer() !== query.answer) return 'no'
  const isUnknown = (cents !== undefined && one.amountMinor === null) || (words !== undefined && one.reason === null)
  return isUnknown ? 'not_known' : 'yes'
}

/** What every operation tells of itself. */
function isMeant(one: Comparable, query: FindQuery): boolean {
  const { since, until, principal, client, tool, digits, handles } = query
  if (since !== undefined && one.createdAt < since.toISOString()) return false
  if (until !== undefined && one.createdAt > until.toISOString()) return false
  if (principal !== undefined && one.principal !== principal && !(query.withUnowned === true && one.principal === null))
    return false
  if (client !== undefined && one.client !== client && one.platform !== client) return false
  if (tool !== undefined && one.tool !== tool) return false
  if (digits !== undefined && !one.handle.startsWith(`hubu:public-operation:v1:${digits}`)) return false
  return handles === undefined || handles.has(one.handle)
}

function isWithin(amount: number, { from, to }: { from: number; to: number }): boolean {
  return amount >= from && amount <= to
}
