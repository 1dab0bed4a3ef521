/** No control characters (C0, DEL, C1), and no Unicode white space at either end. */
export function isBoundedText(value: string, maxBytes: number): boolean {
  if (value.length === 0 || value.length > maxBytes || Buffer.byteLength(value) > maxBytes) return false
  if (/\p{Cc}/u.test(value) || !value.isWellFormed()) return false
  return !/^\p{White_Space}|\p{White_Space}$/u.test(value)
}

/** A platform name: 1 to 64 of `A-Z a-z 0-9 . _ -`. */
export function isPlatformName(value: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(value)
}

/** Bytes allowed in a harness call id, tool use id, invocation id, task id or installation alias. */
export const identifierLimitBytes = 512
