// Pure: money as digits. Nothing here becomes a JavaScript number, which would round it.
import { WrittenNumber } from '../../json/written-number.ts'
import type { Amount } from './words.ts'

/** The digits of a whole number of a backend's JSON; undefined when it is none. */
export function digitsIn(value: unknown): string | undefined {
  if (value instanceof WrittenNumber) return /^-?\d+$/.test(value.text) ? value.text : undefined
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined
}

/** `250` and `usd` -> 2.50 USD. Other currencies have other places. */
export function amountOf(minor: string | bigint, currency: string): Amount {
  const text = String(minor)
  const isNegative = text.startsWith('-')
  const places = placesOf(currency)
  const digits = (isNegative ? text.slice(1) : text).padStart(places + 1, '0')
  const whole = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return { minor: text, text: `${isNegative ? '-' : ''}${whole}`, currency: currency.toUpperCase() }
}

function placesOf(currency: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    return format.resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    return 2
  }
}
