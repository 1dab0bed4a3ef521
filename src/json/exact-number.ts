// Whether a JSON number survives becoming a JavaScript number. Money must not be rounded on the way in.
import { chars } from './scan.ts'

const surelyExactLength = 15

/**
 * Whether the number token at `start`..`end` of `text` is exactly the double that JSON.parse makes of it: finite, within
 * 2^53-1 when it is an integer, and with the decimal value that this double prints. `0.1`, `1.0` and `1e2` are exact.
 */
export function isExactNumber(text: string, start: number, end: number, hasExponent: boolean): boolean {
  // Up to fifteen significant digits always come back from a double as they went in.
  if (!hasExponent && end - start <= surelyExactLength) return true
  const token = text.slice(start, end)
  const value = Number(token)
  if (!Number.isFinite(value)) return false
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return false
  const printed = String(value)
  return printed === token || decimalOf(printed) === decimalOf(token)
}

/** The decimal value of a number token in one spelling: two tokens with the same value give the same text. */
export function decimalOf(token: string): string {
  const negative = token.charCodeAt(0) === chars.minus
  const exponentAt = token.search(/[eE]/)
  const mantissa = token.slice(negative ? 1 : 0, exponentAt < 0 ? undefined : exponentAt)
  const exponent = exponentAt < 0 ? 0 : Number(token.slice(exponentAt + 1))
  const pointAt = mantissa.indexOf('.')
  const digits = pointAt < 0 ? mantissa : mantissa.slice(0, pointAt) + mantissa.slice(pointAt + 1)
  const fractionDigits = pointAt < 0 ? 0 : mantissa.length - pointAt - 1
  // Loops, because `/0+$/` takes quadratic time on a long run of zeros in the middle.
  let first = 0
  while (digits.charCodeAt(first) === chars.zero) first++
  if (first === digits.length) return '0'
  let last = digits.length
  while (digits.charCodeAt(last - 1) === chars.zero) last--
  return `${negative ? '-' : ''}${digits.slice(first, last)}e${exponent - fractionDigits + digits.length - last}`
}
