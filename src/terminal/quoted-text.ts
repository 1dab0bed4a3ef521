// Pure: texts that somebody else wrote, cut into what a page may show: signs as text, and what hides, turns or imitates by number.
import { replaceHidden } from './foreign-text.ts'

/** Such a text. `bytes` and `lines` are those of the whole one. */
export interface QuotedText {
  parts: ({ t: string } | { u: string })[]
  bytes: number
  lines: number
}

/** Longer texts are cut; the whole size is told. */
const longestBytes = 4096
const longestLabel = 80

/** A whole text; each of its line breaks stays, with `⏎` before it. */
export function quotedText(text: string): QuotedText {
  const plain = text.replaceAll('\r\n', '\n')
  return {
    parts: partsOf(beginningOf(plain), '⏎\n'),
    bytes: Buffer.byteLength(text),
    lines: plain.split('\n').length,
  }
}

/** A name inside a line of ours: one line, at most 80 signs, then `…` and how many are left out. */
export function quotedLabel(text: string): QuotedText {
  const signs = [...text.replaceAll('\r\n', '\n')]
  const parts = partsOf(signs.slice(0, longestLabel).join(''), '⏎')
  if (signs.length > longestLabel) parts.push({ t: `… (${signs.length - longestLabel} more)` })
  return { parts, bytes: Buffer.byteLength(text), lines: 1 }
}

function partsOf(text: string, lineBreak: string): QuotedText['parts'] {
  // A zero is hidden itself, so that it stands for nothing else behind the replacement.
  const marked = replaceHidden(text, (signs) =>
    signs === '\n' ? lineBreak : [...signs].map((sign) => `\0${numberOf(sign)}\0`).join(''),
  )
  return marked.split('\0').flatMap((part, at): QuotedText['parts'] => {
    if (at % 2 === 1) return [{ u: part }]
    return part === '' ? [] : [{ t: part }]
  })
}

function numberOf(sign: string): string {
  return sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
}

/** As many whole characters as fit. */
function beginningOf(text: string): string {
  if (Buffer.byteLength(text) <= longestBytes) return text
  let bytes = 0
  let end = 0
  for (const sign of text) {
    bytes += Buffer.byteLength(sign)
    if (bytes > longestBytes) break
    end += sign.length
  }
  return text.slice(0, end)
}
