// A field's text as index terms.
import type { Field } from './fields.ts'
import { isNegation, negationTerm } from './search-index.ts'
import { stem } from './stem.ts'
import { bigrams, words } from './text.ts'
import { isPhrase } from './thesaurus.ts'
import { alwaysStopped, english } from './words/stop-words.ts'

/** Function words that are not indexed. */
export const isUnindexed = (word: string): boolean => alwaysStopped.has(word) || english.has(word)

/**
 * Words of a field: pieces of identifiers and the whole, pairs of neighbours where they stand for the tool, pairs of
 * characters of scripts without spaces.
 */
export function termsOf(field: Field, stemOf: (word: string) => string = stem): string[] {
  const found: string[] = []
  const isIdentifier = field.kind === 'name' || field.kind === 'input'
  const isAboutTool =
    field.kind === 'name' || field.kind === 'title' || field.kind === 'useWhen' || field.kind === 'lead'
  let previous: string | undefined
  for (const { text, parts, unspaced, capital } of words(field.text)) {
    if (unspaced) {
      found.push(...bigrams(text))
      previous = undefined
      continue
    }
    // `GitHub` in a sentence is one word; `getUser` and every identifier are their pieces.
    const pieces = parts.length > 0 && (isIdentifier || !capital) ? parts : [text]
    if (pieces.length > 1) found.push(text)
    for (const piece of pieces) {
      if (isAboutTool && isNegation(piece)) found.push(negationTerm)
      if (isUnindexed(piece)) {
        previous = undefined
        continue
      }
      const key = stemOf(piece)
      const isPair = previous !== undefined && (isAboutTool || isPhrase(`${stemOf(previous)}_${key}`))
      if (isPair) found.push(`${previous}_${piece}`)
      previous = piece
      if (piece.length > 1) found.push(piece)
    }
  }
  return found
}
