const units: Readonly<Record<string, number>> = { '': 1, B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

/** What is allowed where a size is wanted, in words. */
export const sizeWords = 'a size such as 32KB, 1MB or 512'

/**
 * The bytes that a size text means: a whole number with B, KB, MB, GB or nothing behind it. Undefined for anything
 * else, for a negative number and for more than 2^53-1. A blank text is no size: nobody means "no limit" by it.
 */
export function parseSize(text: string): number | undefined {
  const [, digits, unit] = /^\s*[+]?(\d{1,30})\s*([A-Za-z]{0,2})\s*$/.exec(text) ?? []
  const factor = unit === undefined ? undefined : units[unit.toUpperCase()]
  if (digits === undefined || factor === undefined) return undefined
  const bytes = Number(digits) * factor
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** The smallest limit on a result: a receipt needs as much. */
const smallestBudgetBytes = 512

/** What is allowed as a response budget, in words. */
export const budgetWords = `${sizeWords} (at least ${smallestBudgetBytes} bytes), or 0 for no limit`

/** The bytes of a response budget; 0 is no limit, undefined is not allowed. */
export function parseBudget(text: string): number | undefined {
  const bytes = parseSize(text)
  return bytes === undefined || (bytes > 0 && bytes < smallestBudgetBytes) ? undefined : bytes
}
