// Misspelled words: close ones are found by a cheap letter signature first, then by bounded edit distance.

/** A word list prepared for finding close words: words and their signatures by length. */
export interface Lexicon {
  readonly byLength: readonly { readonly words: string[]; readonly masks: number[] }[]
}

const longest = 24
const correctable = /^[a-z]{4,24}$/

/** Prepares a word list; only plain words of 4 to 24 letters are kept, in any order. */
export function buildLexicon(list: Iterable<string>): Lexicon {
  const byLength = Array.from({ length: longest + 1 }, () => ({ words: [] as string[], masks: [] as number[] }))
  for (const word of list) {
    if (!correctable.test(word)) continue
    byLength[word.length]?.words.push(word)
    byLength[word.length]?.masks.push(signature(word))
  }
  return { byLength }
}

/** A bit per letter. One edit changes at most two bits. */
function signature(word: string): number {
  let mask = 0
  for (let i = 0; i < word.length; i++) mask |= 1 << (word.charCodeAt(i) - 97)
  return mask
}

/** How many edits a word of this length may be away from what was meant. */
export function tolerance(length: number): 0 | 1 | 2 {
  if (length < 3) return 0
  return length < 8 ? 1 : 2
}

/** A word of the list and its distance. */
export interface CloseWord {
  word: string
  edits: number
}

/**
 * Words of the list within `most` edits (swapped neighbours count as one) that begin alike. Three letters are too few for any
 * other repair than a letter put in.
 */
export function closeWords(lexicon: Lexicon, word: string, most: number): CloseWord[] {
  if (most === 0 || word.length < 3 || word.length > longest || !/^[a-z]+$/.test(word)) return []
  const mask = signature(word)
  const found: CloseWord[] = []
  const shortest = word.length === 3 ? 4 : word.length - most
  for (let length = shortest; length <= word.length + most; length++) {
    const bucket = lexicon.byLength[length]
    for (let i = 0; bucket !== undefined && i < bucket.words.length; i++) {
      if (bitCount((bucket.masks[i] ?? 0) ^ mask) > 2 * most) continue
      const candidate = bucket.words[i] ?? ''
      if (!beginsAlike(word, candidate)) continue
      const edits = distance(word, candidate, most)
      if (edits <= most) found.push({ word: candidate, edits })
    }
  }
  return found
}

function beginsAlike(word: string, candidate: string): boolean {
  if (word.length === 3) return candidate[0] === word[0]
  return candidate[0] === word[0] || candidate[1] === word[1] || candidate[0] === word[1]
}

function bitCount(bits: number): number {
  let value = bits - ((bits >>> 1) & 0x55555555)
  value = (value & 0x33333333) + ((value >>> 2) & 0x33333333)
  return (((value + (value >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

/** Edit distance with swaps of neighbours, given up with `most + 1` as soon as it must exceed `most`. */
export function distance(a: string, b: string, most: number): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, change)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(swapped ? Math.min(cost, (before[j - 2] ?? 0) + 1) : cost)
    }
    if (Math.min(...row) > most) return most + 1
    before = last
    last = row
  }
  return last[b.length] ?? most + 1
}
