// What a word that nobody knows may be: the beginning of a known word, two words in one, or a misspelling.
import { translate, type Language } from '../dictionaries.ts'
import type { SearchIndex } from '../search-index.ts'
import { stem } from '../stem.ts'
import { englishWords, isEnglish } from '../thesaurus.ts'
import { buildLexicon, closeWords, tolerance } from '../typo.ts'
import { weights } from '../weights.ts'
import { english as englishStops, weakWords } from '../words/stop-words.ts'
import { formsAndSynonyms, variantOf, type Variant } from './group.ts'

/** Terms that an unknown word may mean, and the stems a server may be recognized by. */
export interface Guess {
  variants: Variant[]
  stems: Map<string, number>
}

const dictionary = buildLexicon(englishWords())
const functionWords = buildLexicon(englishStops)

/** Guesses in the order of trust: beginnings and parts first, corrections only without them. */
export function guess(index: SearchIndex, word: string, spoken: readonly Language[]): Guess {
  const found: Guess = { variants: [], stems: new Map() }
  addBeginnings(index, word, found)
  found.variants.push(...twoInOne(index, word, spoken))
  if (found.variants.length === 0) correct(index, word, found)
  return found
}

/** Whether the word looks like a misspelled function word: letters swapped or one left out (`teh`, `wich`). */
export function isFunctionWordTypo(word: string): boolean {
  if (word.length > 6) return false
  const letters = (text: string): string => [...text].sort().join('')
  const close = closeWords(functionWords, word, 1)
  return close.some((other) => other.word.length === word.length + 1 || letters(other.word) === letters(word))
}

/** `mongo` for `mongodb`: known words that begin so and are at most twice as long. */
function addBeginnings(index: SearchIndex, word: string, found: Guess): void {
  if (word.length < 4) return
  const { sortedWords } = index
  let low = 0
  let high = sortedWords.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sortedWords[middle] ?? '') < word) low = middle + 1
    else high = middle
  }
  for (let at = low; at < low + 16; at++) {
    const term = sortedWords[at]
    if (term === undefined || !term.startsWith(word)) return
    if (word.length / term.length < 0.5) continue
    found.variants.push(variantOf(term, weights.prefix, 'part'))
    found.stems.set(stem(term), weights.prefix)
  }
}

/** `mindmap`, and compounds as German makes them, with a linking letter between. */
function twoInOne(index: SearchIndex, word: string, spoken: readonly Language[]): Variant[] {
  if (word.length < 7) return []
  for (let at = word.length - 3; at >= 3; at--) {
    const tail = part(index, word.slice(at), spoken)
    if (tail.length === 0) continue
    for (const head of [word.slice(0, at), word.slice(0, at).replace(/(?:s|n|en|es)$/, '')]) {
      const found = part(index, head, spoken)
      if (found.length > 0) return [...found, ...tail]
    }
  }
  return []
}

function part(index: SearchIndex, word: string, spoken: readonly Language[]): Variant[] {
  if (word.length < 3) return []
  const isKnown = index.postings.has(word) || isEnglish(word)
  const own = isKnown ? formsAndSynonyms(index, stem(word), weights.part, 'part') : []
  const foreign = spoken.flatMap((language) => translate(word, language))
  return [...own, ...foreign.flatMap((key) => formsAndSynonyms(index, key, weights.translation, 'translation'))]
}

/** The closest words of the catalog and of the dictionary. */
function correct(index: SearchIndex, word: string, found: Guess): void {
  const most = tolerance(word.length)
  const close = [...closeWords(index.lexicon, word, most), ...closeWords(dictionary, word, most)]
  const meant = close.filter((candidate) => !weakWords.has(candidate.word))
  const least = Math.min(...meant.map(({ edits }) => edits))
  for (const { word: other, edits } of meant) {
    if (edits > least) continue
    const factor = edits === 1 ? weights.oneTypo : weights.twoTypos
    found.stems.set(stem(other), factor)
    found.variants.push(...formsAndSynonyms(index, stem(other), factor, 'typo'))
  }
}
