// Numbers as they were written. A JavaScript number rounds `12345678901234567.89`, knows no `1e400`, and forgets whether it
// was `1.0`, `1` or `1e0`; what a backend says of money is passed on digit for digit.
import { createHash } from 'node:crypto'
import { chars, skipScalar, skipString } from './scan.ts'

/** A number of a parsed text that a JavaScript number would print differently. */
export class WrittenNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** For whoever prints JSON without knowing of this: the nearest number, or null where there is none. */
  toJSON(): number {
    return Number(this.text)
  }
}

/**
 * The parsed value of a JSON text with a WrittenNumber for every number that JavaScript would print differently; the very
 * same value when there is none. Our walks of JSON pass them on as they are, and `printValue` prints them.
 */
export function withWrittenNumbers(json: { readonly value: unknown; readonly text: string }): unknown {
  const { text } = json
  // No text holds its own digest, so what begins with it was marked here.
  let mark: string | undefined
  let marked = ''
  let copied = 0
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code === chars.quote) at = skipString(text, at)
    else if (code === chars.minus || (code >= chars.zero && code <= chars.nine)) {
      const end = skipScalar(text, at)
      const token = text.slice(at, end)
      if (String(Number(token)) !== token) {
        mark ??= createHash('sha256').update(text).digest('hex')
        marked += `${text.slice(copied, at)}"${mark}${token}"`
        copied = end
      }
      at = end
    } else at++
  }
  if (mark === undefined) return json.value
  const length = mark.length
  return JSON.parse(marked + text.slice(copied), (_name, item: unknown) =>
    typeof item === 'string' && item.startsWith(mark) ? new WrittenNumber(item.slice(length)) : item,
  )
}
