// Pure: whether a text holds words that somebody remembers, in any order and spelling of case.

/** The most words that are looked for at once. */
export const mostWords = 16

/** Whether a text is of signs that folding changes in their case only. */
export const ascii = /^[\x20-\x7e]*$/

/** Letters, digits and the marks that they carry; everything else lies between words. */
const wordSigns = /[\p{L}\p{N}\p{M}]+/gu
/** Scripts without spaces between words: each of their signs may begin one. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** The words of a query, folded; undefined when there is none, or more than `mostWords`. */
export function wordsIn(query: string): string[] | undefined {
  const words = [...new Set(folded(query).match(wordSigns))]
  return words.length > 0 && words.length <= mostWords ? words : undefined
}

/** Whether each of these folded words begins a word of one of the texts. */
export function holdsWords(texts: readonly (string | null)[], words: readonly string[]): boolean {
  const parts = texts.flatMap((text) => (text === null ? [] : [folded(text)]))
  return words.every((word) => parts.some((part) => beginsWord(part, word)))
}

/** Whether a text may hold these folded words: never false for one that holds them, also where it stands inside other text. */
export function mayHoldWords(text: string, words: readonly string[]): boolean {
  const whole = folded(text)
  return words.every((word) => whole.includes(word))
}

/** Letters of western Europe in their usual form. */
const western = /^[\x20-\x7e\xc0-\xff]*$/

/** Compatibility forms and case made alike; `ß` and `SS`, and the sigma at the end of a word, too. */
function folded(text: string): string {
  if (western.test(text)) return text.toLowerCase().replaceAll('ß', 'ss')
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replaceAll('ς', 'σ')
}

const wordSignAtEnd = /[\p{L}\p{N}\p{M}]$/u

function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || unspaced.test(word) || !wordSignAtEnd.test(text.slice(Math.max(0, at - 2), at))) return true
  return false
}
