// Reads the text of a JSON document where its parsed value would have lost something: exact digits, repeated keys.
// Nothing here recurses, so nesting costs no stack.

/** Character codes that the scanners of this room look at. */
export const chars = {
  tab: 9,
  newline: 10,
  return: 13,
  space: 32,
  quote: 34,
  comma: 44,
  minus: 45,
  point: 46,
  zero: 48,
  nine: 57,
  colon: 58,
  upperE: 69,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  lowerE: 101,
  openBrace: 123,
  closeBrace: 125,
} as const

/** The index of the first character at or after `at` that is not JSON white space. */
export function skipSpace(text: string, at: number): number {
  let end = at
  for (;;) {
    const code = text.charCodeAt(end)
    if (code !== chars.space && code !== chars.tab && code !== chars.return && code !== chars.newline) return end
    end++
  }
}

/** The index behind the string literal whose opening quote stands at `at`; -1 when it does not end. */
export function skipString(text: string, at: number): number {
  let quote = at
  for (;;) {
    quote = text.indexOf('"', quote + 1)
    if (quote < 0) return -1
    let before = quote - 1
    while (text.charCodeAt(before) === chars.backslash) before--
    // An even number of backslashes escape each other, not the quote.
    if ((quote - before) % 2 === 1) return quote + 1
  }
}

/** The index behind the value that begins at `at`; -1 when it does not end. */
export function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at)
  if (first === chars.quote) return skipString(text, at)
  if (first !== chars.openBrace && first !== chars.openBracket) return skipScalar(text, at)
  let depth = 0
  let index = at
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === chars.quote) {
      index = skipString(text, index)
      if (index < 0) return -1
      continue
    }
    if (code === chars.openBrace || code === chars.openBracket) depth++
    else if ((code === chars.closeBrace || code === chars.closeBracket) && --depth === 0) return index + 1
    index++
  }
  return -1
}

/**
 * Visits the members of the object that begins at `start`. `onValue` gets each key, unescaped, with the index where its
 * value begins, and returns the index behind that value or -1. Answers the index behind the object, or -1 when it was not
 * read to its end, so it may be given the beginning of a longer text.
 */
export function walkMembers(
  text: string,
  onValue: (key: string, valueStart: number) => number,
  start: number = 0,
): number {
  let at = skipSpace(text, start)
  if (text.charCodeAt(at) !== chars.openBrace) return -1
  at = skipSpace(text, at + 1)
  if (text.charCodeAt(at) === chars.closeBrace) return at + 1
  for (;;) {
    if (text.charCodeAt(at) !== chars.quote) return -1
    const keyEnd = skipString(text, at)
    if (keyEnd < 0) return -1
    const key = keyOf(text, at, keyEnd)
    at = skipSpace(text, keyEnd)
    if (text.charCodeAt(at) !== chars.colon) return -1
    const valueEnd = onValue(key, skipSpace(text, at + 1))
    if (valueEnd < 0) return -1
    at = skipSpace(text, valueEnd)
    if (text.charCodeAt(at) === chars.closeBrace) return at + 1
    if (text.charCodeAt(at) !== chars.comma) return -1
    at = skipSpace(text, at + 1)
  }
}

/** The key whose literal is `text` from `start` to `end`, quotes included. Throws on an escape that is none. */
export function keyOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1)
  return raw.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : raw
}

/** The raw text of one member of the outermost object of valid JSON; the last one wins, as in JSON.parse. */
export function rawMember(text: string, key: string): string | undefined {
  let found: string | undefined
  walkMembers(text, (name, start) => {
    const end = skipValue(text, start)
    if (name === key) found = text.slice(start, end)
    return end
  })
  return found
}

/** The index behind the number or literal that begins at `at`; -1 when there is none. */
export function skipScalar(text: string, at: number): number {
  let end = at
  while (end < text.length && !endsScalar(text.charCodeAt(end))) end++
  return end === at ? -1 : end
}

function endsScalar(code: number): boolean {
  return code <= chars.space || code === chars.comma || code === chars.closeBrace || code === chars.closeBracket
}

/** Whether some value is nested in more than `levels` objects and arrays. False for a text that is cut inside a string. */
export function nestsDeeper(text: string, levels: number): boolean {
  if (text.length <= levels) return false
  let depth = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === chars.quote) {
      at = skipString(text, at)
      if (at < 0) return false
      continue
    }
    if (code === chars.openBrace || code === chars.openBracket) {
      if (++depth > levels) return true
    } else if (code === chars.closeBrace || code === chars.closeBracket) depth--
    at++
  }
  return false
}
