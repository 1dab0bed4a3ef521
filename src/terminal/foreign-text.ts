// Pure: texts that somebody else wrote, as a person may see them. A terminal obeys control characters, and some signs turn,
// hide or imitate others: all of them are shown by their number, everything that has a form of its own stays.

/** Control and format characters, separators, fillers, strange spaces, private, unassigned and torn code points. */
const hidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\u2800]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}|(?<!\p{Emoji})\ufe0f/gu
/** More marks than a letter can carry would run over the lines around it. */
const surplusMarks = /(?<=\p{M}{2})\p{M}+/gu

const number = (sign: string): string => sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
const named = (signs: string): string => [...signs].map((sign) => `<U+${number(sign)}>`).join('')
const escaped = (signs: string): string =>
  signs.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A whole output of ours: lines and tabs stay, every other hidden sign becomes `<U+202E>` and the like. */
export function cleanText(text: string): string {
  return replaceHidden(text.replaceAll('\r\n', '\n'), (signs) =>
    signs === '\n' || signs === '\t' ? signs : named(signs),
  )
}

/**
 * A name or a sentence of somebody else inside a line of ours: one line, hidden signs as `<U+202E>`, breaks of lines as `⏎`. With
 * `atMost`, so many characters and the number of those left out.
 */
export function label(text: string, atMost = Infinity): string {
  const signs = [...text]
  const shown = replaceHidden(signs.slice(0, atMost).join('').replaceAll('\r\n', '\n'), (sign) =>
    sign === '\n' ? '⏎' : named(sign),
  )
  return signs.length > atMost ? `${shown}… (${signs.length - atMost} more)` : shown
}

/** A text of somebody else as a JSON string literal, so that its end is where it ends; hidden signs as `<U+202E>`. */
export function quote(text: string): string {
  return label(JSON.stringify(text))
}

/** JSON text with every hidden sign escaped; its value is the same. Line breaks between members stay. */
export function cleanJson(json: string): string {
  return replaceHidden(json, (signs) => (signs === '\n' ? signs : escaped(signs)))
}

/** A value as the indented JSON that commands print, its hidden signs escaped, with a line break behind it. */
export function jsonLines(value: unknown): string {
  return `${cleanJson(JSON.stringify(value, null, 2))}\n`
}

/** Replaces every hidden sign, one by one, and runs of surplus marks. */
export function replaceHidden(text: string, replace: (signs: string) => string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  return text.replace(hidden, replace).replace(surplusMarks, replace)
}
