// Pure: the periods of a recurring budget.
import { Refusal } from '../refusal.ts'
import { addMonths, addSeconds, type Instant } from '../time/instant.ts'
import type { Period } from '../time/period.ts'

/** How often a budget recurs. */
export type Recurrence = 'daily' | 'monthly' | 'yearly'

/** More periods at once are refused. */
const mostPeriods = 10_000n

/** Reads a recurrence. Throws a 400. */
export function readRecurrence(text: string): Recurrence {
  if (text === 'daily' || text === 'monthly' || text === 'yearly') return text
  throw new Refusal('recurrence must be daily, monthly or yearly')
}

/**
 * Periods without gaps; each boundary derives from the one before, so that a clamped day stays clamped. Throws a 400 for a
 * count out of bounds and for a series beyond the year 9999.
 */
export function seriesPeriods(start: Instant, recurrence: Recurrence, count: bigint): Period[] {
  if (count < 1n || count > mostPeriods) throw new Refusal(`period_count must be between 1 and ${mostPeriods}`)
  const periods: Period[] = []
  let boundary = start
  for (let index = 0n; index < count; index += 1n) {
    const next = following(boundary, recurrence)
    periods.push({ starting_at: boundary, ending_before: next })
    boundary = next
  }
  return periods
}

function following(boundary: Instant, recurrence: Recurrence): Instant {
  switch (recurrence) {
    case 'daily':
      return addSeconds(boundary, 86_400)
    case 'monthly':
      return addMonths(boundary, 1)
    case 'yearly':
      return addMonths(boundary, 12)
  }
}
