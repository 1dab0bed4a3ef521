// Text to words: pure, linear in the length of the text, free of backtracking patterns.

const folded = new Map(Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' }))

const ascii = /^[\u0000-\u007f]*$/

/** Lower case without accents; letters that do not decompose are folded by hand. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  const bare = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
  return bare.replace(/[ßæœøłđ]/g, (letter) => folded.get(letter) ?? letter)
}

/** One run of letters and digits, with what its spelling shows. */
export interface Word {
  /** The whole run, folded. */
  text: string
  /** Its pieces by case and digits, folded; empty when it is of one piece. */
  parts: readonly string[]
  /** Of a script that puts no spaces between words: Chinese, Japanese, Thai and the like. */
  unspaced: boolean
  /** Begins with a capital letter, as brands and sentences do. */
  capital: boolean
}

/** Longer runs of letters are cut; no word is so long. */
const longestWord = 64
const unspacedClass = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')
const runs = /[\p{L}\p{N}\p{M}]+/gu
const plain = /^[a-z]+$/
const scripts = new RegExp(`[${unspacedClass}ー]+|[^${unspacedClass}ー]+`, 'gu')
const isUnspaced = new RegExp(`[${unspacedClass}]`, 'u')
const pieces = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu
/** `word`, `Word`, `WORD` and `PRs` are of one piece. */
const onePiece = /^(?:\p{Lu}?\p{Ll}*|\p{Lu}+s?)$/u

/** The words of a text in order, at most `limit`. */
export function words(text: string, limit = 1024): Word[] {
  const found: Word[] = []
  for (const [run] of text.matchAll(runs)) {
    if (found.length >= limit) return found
    if (plain.test(run)) {
      found.push({ text: run.slice(0, longestWord), parts: [], unspaced: false, capital: false })
      continue
    }
    for (const [piece] of run.matchAll(scripts)) {
      if (found.length >= limit) return found
      found.push(toWord(piece.slice(0, longestWord)))
    }
  }
  return found
}

function toWord(run: string): Word {
  if (isUnspaced.test(run)) return { text: fold(run), parts: [], unspaced: true, capital: false }
  const parts = onePiece.test(run) ? [] : (run.match(pieces) ?? []).map(fold)
  return { text: fold(run), parts: parts.length > 1 ? parts : [], unspaced: false, capital: /^\p{Lu}/u.test(run) }
}

/** Overlapping pairs of characters; a single character stands for itself. */
export function bigrams(run: string): string[] {
  const letters = [...run]
  if (letters.length < 2) return letters
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** A name or request as a key without case, accents and kinds of separators: `listIssues` equals `list_issues`. */
export function nameKey(text: string): string {
  return words(text.slice(0, 1024), 64)
    .flatMap((word) => (word.parts.length > 0 ? word.parts : [word.text]))
    .join(' ')
}
