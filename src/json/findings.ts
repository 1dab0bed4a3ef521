// What the parsed arguments of a call no longer show, read from their text.
import { isExactNumber } from './exact-number.ts'
import { chars, keyOf, skipSpace, skipString, skipValue, walkMembers } from './scan.ts'

/**
 * What was seen in one frame: inside the `arguments` of its `params`, and, for repeated keys only, in all of `params`. What
 * else a harness writes there, such as a time in nanoseconds in `_meta`, is its own business.
 */
export interface Findings {
  /** Some object repeats a key, or `params` itself is given twice; JSON.parse kept only the last value. */
  readonly duplicateKey: boolean
  /** Some object has a key `__proto__` of its own. */
  readonly protoKey: boolean
  /** The deepest nesting of objects and arrays: 0 for a scalar or no `arguments`, 1 for `{}`. */
  readonly depth: number
  /** Some number is not exactly representable, not finite, or an integer beyond 2^53-1. */
  readonly inexactNumber: boolean
}

/** The findings of a frame without `arguments`. */
export const noFindings: Findings = { duplicateKey: false, protoKey: false, depth: 0, inexactNumber: false }

/** One key is kept as it is; a set costs too much for each of a million nested objects with one key. */
type SeenKeys = string | Set<string> | undefined

/** Inspects the `params` that begin at `start` of a text that JSON.parse accepted; `end` is the index behind them. */
export function inspectParams(text: string, start: number): { end: number; findings: Findings } {
  const names = new Set<string>()
  let findings = noFindings
  let duplicateKey = false
  const end = walkMembers(
    text,
    (name, valueStart) => {
      const inspected = inspectValue(text, valueStart)
      if (names.has(name) || inspected.findings.duplicateKey) duplicateKey = true
      names.add(name)
      if (name === 'arguments') findings = inspected.findings
      return inspected.end
    },
    start,
  )
  return end < 0 ? { end: skipValue(text, start), findings } : { end, findings: { ...findings, duplicateKey } }
}

/** Inspects the value that begins at `start` of a text that JSON.parse accepted; `end` is the index behind it. */
export function inspectValue(text: string, start: number): { end: number; findings: Findings } {
  const seen: SeenKeys[] = []
  let depth = 0
  let duplicateKey = false
  let protoKey = false
  let inexactNumber = false
  let deepest = 0
  let at = start
  do {
    const code = text.charCodeAt(at)
    if (code === chars.quote) {
      const end = skipString(text, at)
      const next = skipSpace(text, end)
      // In valid JSON only a key has a colon behind it.
      if (depth > 0 && text.charCodeAt(next) === chars.colon) {
        const key = keyOf(text, at, end)
        if (key === '__proto__') protoKey = true
        if (!duplicateKey) duplicateKey = repeats(seen, depth - 1, key)
      }
      at = end
    } else if (code === chars.openBrace || code === chars.openBracket) {
      seen[depth++] = undefined
      if (depth > deepest) deepest = depth
      at++
    } else if (code === chars.closeBrace || code === chars.closeBracket) {
      depth--
      at++
    } else if (code === chars.minus || isDigit(code)) {
      const { end, hasExponent } = numberEnd(text, at)
      if (!inexactNumber) inexactNumber = !isExactNumber(text, at, end, hasExponent)
      at = end
    } else {
      // Separators and space inside a container; a literal such as `true` may also be the whole value.
      at = depth === 0 ? skipValue(text, at) : at + 1
    }
  } while (depth > 0)
  return { end: at, findings: { duplicateKey, protoKey, depth: deepest, inexactNumber } }
}

/** Notes `key` in the open object number `level`, and says whether it was there already. */
function repeats(seen: SeenKeys[], level: number, key: string): boolean {
  const keys = seen[level]
  if (keys === undefined) seen[level] = key
  else if (typeof keys === 'string') {
    if (keys === key) return true
    seen[level] = new Set([keys, key])
  } else {
    if (keys.has(key)) return true
    keys.add(key)
  }
  return false
}

function numberEnd(text: string, at: number): { end: number; hasExponent: boolean } {
  let end = at + 1
  let hasExponent = false
  for (;;) {
    const code = text.charCodeAt(end)
    const isExponent = code === chars.lowerE || code === chars.upperE
    if (isExponent) hasExponent = true
    // A sign can only follow an exponent's letter; `+` is 43.
    else if (!isDigit(code) && code !== chars.point && code !== chars.minus && code !== 43) return { end, hasExponent }
    end++
  }
}

function isDigit(code: number): boolean {
  return code >= chars.zero && code <= chars.nine
}
