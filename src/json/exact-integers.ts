// JavaScript's numbers hold integers exactly up to 2^53-1. Amounts may be longer, and none may be passed on rounded.
import { createHash } from 'node:crypto'

/**
 * The parsed value of a JSON text with every integer that parsing rounded as a BigInt, which all our walks of JSON pass on as they
 * are; the very same value when there is none. `printValue` prints them. What no number reaches stays Infinity.
 */
export function withExactIntegers(json: { readonly value: unknown; readonly text: string }): unknown {
  if (!/\d{16}/.test(json.text)) return json.value
  // No text holds its own digest, so what begins with it was marked here.
  const mark = createHash('sha256').update(json.text).digest('hex')
  const marked = markRounded(json.text, mark)
  if (marked === json.text) return json.value
  return JSON.parse(marked, (_name, item: unknown) =>
    typeof item === 'string' && item.startsWith(mark) ? BigInt(item.slice(mark.length)) : item,
  )
}

/** Integers outside strings that a number cannot hold, as strings behind `mark`. */
function markRounded(text: string, mark: string): string {
  let isQuoted = false
  return text.replace(/\\.|"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs, (token) => {
    if (token === '"') isQuoted = !isQuoted
    if (isQuoted || !/^-?\d+$/.test(token)) return token
    const number = Number(token)
    return Number.isFinite(number) && !Number.isSafeInteger(number) ? `"${mark}${token}"` : token
  })
}
