// Half-open periods. Pure.
import type { Fields } from '../json/fields.ts'
import { Refusal } from '../refusal.ts'
import { parseInstant, type Instant } from './instant.ts'

/** From `starting_at` to before `ending_before`; null means without end. */
export interface Period {
  starting_at: Instant
  ending_before: Instant | null
}

/** Reads the two optional fields of a body; the start defaults to now. An end at or before the start is a 400. */
export function readPeriod(fields: Fields, now: Instant): Period {
  const start = fields.optionalText('starting_at')
  const end = fields.optionalText('ending_before')
  const period = {
    starting_at: start === undefined ? now : parseInstant(start, 'starting_at'),
    ending_before: end === undefined ? null : parseInstant(end, 'ending_before'),
  }
  if (period.ending_before !== null && period.ending_before <= period.starting_at)
    throw new Refusal('ending_before must be after starting_at')
  return period
}

/** Whether each starts before the other ends. Touching periods do not overlap. */
export function overlap(one: Period, other: Period): boolean {
  const startsBeforeEnd = (left: Period, right: Period) =>
    right.ending_before === null || left.starting_at < right.ending_before
  return startsBeforeEnd(one, other) && startsBeforeEnd(other, one)
}

/** Whether an instant lies in the period. */
export function contains(period: Period, instant: Instant): boolean {
  return period.starting_at <= instant && (period.ending_before === null || instant < period.ending_before)
}
