// Money is integer cents in 64 bits. Pure.
import type { Fields } from './json/fields.ts'
import { Refusal } from './refusal.ts'

/** The largest amount that is stored or shown. */
export const mostCents = 2n ** 63n - 1n

/** Reads an amount that must be above zero. Throws a 400. */
export function readAmountCents(fields: Fields, key = 'amount_cents'): bigint {
  return positiveCents(fields.integer(key), key)
}

/** The amount, which must be above zero. Throws a 400. */
export function positiveCents(cents: bigint, key = 'amount_cents'): bigint {
  if (cents <= 0n) throw new Refusal(`${key} must be greater than zero`)
  return cents
}
