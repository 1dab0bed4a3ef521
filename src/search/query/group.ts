// One thing that a request says, with everything it may be found as.
import { rarity, termKey, type SearchIndex } from '../search-index.ts'
import { root } from '../stem.ts'
import { synonymsOf, type Expansions } from '../thesaurus.ts'
import { weights } from '../weights.ts'

/** How an index term answers a word of the request. */
export type How = 'exact' | 'form' | 'synonym' | 'translation' | 'typo' | 'part'

/** One index term that a word may be found as. */
export interface Variant {
  readonly term: string
  /** Its stem or pair key. */
  readonly key: string
  /** How much of the word's weight it carries, 0 to 1. */
  readonly factor: number
  readonly how: How
}

/** One thing that was said. */
export interface Group {
  /** As the requester wrote it, folded. */
  readonly said: string
  /** A pair of words adds to them and is not missed; a negation also belongs to names. */
  readonly kind: 'word' | 'pair' | 'negation'
  readonly weight: number
  /** Rarity of what was said. */
  readonly mass: number
  readonly variants: readonly Variant[]
  /** Stems that a server's own words are compared with, and how nearly each means what was said. */
  readonly stems: ReadonlyMap<string, number>
  /** What it keeps outside of names, and what it keeps in the tools' own scores. */
  readonly inText: number
  readonly ofTools: number
}

/** What is said of a group when it is made; the rest follows from its variants. */
export interface GroupOptions {
  kind?: Group['kind']
  weight?: number
  mass?: number
  stems?: ReadonlyMap<string, number>
  inText?: number
  ofTools?: number
}

/** A group of the given variants; of those with the same term the strongest stays. */
export function makeGroup(
  index: SearchIndex,
  said: string,
  found: readonly Variant[],
  options: GroupOptions = {},
): Group {
  const best = new Map<string, Variant>()
  for (const variant of found) {
    if (variant.factor > (best.get(variant.term)?.factor ?? 0.1)) best.set(variant.term, variant)
  }
  const variants = [...best.values()].sort((a, b) => b.factor - a.factor || (a.term < b.term ? -1 : 1))
  const { kind = 'word', weight = 1, stems = new Map<string, number>(), inText = 1, ofTools = 1 } = options
  const mass = options.mass ?? variants.reduce((sum, { key, factor }) => Math.max(sum, factor * rarity(index, key)), 0)
  return { said, kind, weight, mass, variants, stems, inText, ofTools }
}

/** All index terms with this stem or phrase key, and less those with its root; `exact` is the term as it was written. */
export function formsOf(index: SearchIndex, key: string, factor: number, how: How, exact?: string): Variant[] {
  const found: Variant[] = (index.forms.get(key) ?? []).map((term) =>
    exact === undefined || term === exact
      ? { term, key, factor, how }
      : { term, key, factor: factor * weights.form, how: 'form' },
  )
  if (key.includes('_')) return found
  for (const sibling of index.roots.get(root(key)) ?? []) {
    if (sibling === key) continue
    for (const term of index.forms.get(sibling) ?? []) {
      found.push({ term, key: sibling, factor: factor * weights.derived, how: how === 'exact' ? 'form' : how })
    }
  }
  return found
}

/** Index terms of synonyms. */
export function expand(index: SearchIndex, expansions: Expansions, factor: number, how: How): Variant[] {
  return [...expansions].flatMap(([key, nearness]) => formsOf(index, key, factor * weights[nearness], how))
}

/** Index terms of a stem or phrase and of its synonyms. */
export function formsAndSynonyms(index: SearchIndex, key: string, factor: number, how: How): Variant[] {
  return [
    ...formsOf(index, key, factor, how),
    ...expand(index, synonymsOf(key), factor, how === 'exact' ? 'synonym' : how),
  ]
}

/** The nearer ones of some expansions, for the comparison with servers. */
export function nearStems(expansions: Expansions): Map<string, number> {
  return new Map([...expansions].filter(([, nearness]) => nearness !== 'far').map(([key, n]) => [key, weights[n]]))
}

/** The variant of one index term. */
export const variantOf = (term: string, factor: number, how: How): Variant => ({
  term,
  key: termKey(term),
  factor,
  how,
})
