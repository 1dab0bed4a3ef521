// What a server is likely to be about, by its name alone.
import { entryKey } from './thesaurus.ts'
import { brands, kinds } from './words/products.ts'
import { linesOf, wordsOf } from './words/lines.ts'

const about = new Map<string, readonly string[]>()
const brandNames = new Set<string>()
for (const [text, isBrandList] of [[kinds, false] as const, [brands, true] as const]) {
  for (const line of linesOf(text)) {
    const [names = [], words = []] = line.split('=').map(wordsOf)
    for (const name of names) {
      about.set(name, words.map(entryKey))
      if (isBrandList) brandNames.add(name)
    }
  }
}

/** Keys of what a server with this word in its name is usually for. */
export const serverKindOf = (word: string): readonly string[] => about.get(word) ?? []

/** Whether a word is nothing but the name of a product. */
export const isBrand = (word: string): boolean => brandNames.has(word)
