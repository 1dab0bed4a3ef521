// The English dictionary as lookup tables: which words and phrases mean about the same, and how nearly.
import { stem } from './stem.ts'
import { abbreviations } from './words/abbreviations.ts'
import { actions } from './words/english-actions.ts'
import { money } from './words/english-money.ts'
import { office } from './words/english-office.ts'
import { systems } from './words/english-systems.ts'
import { linesOf, wordsOf } from './words/lines.ts'

/** How nearly two words mean the same. */
export type Nearness = 'same' | 'near' | 'far'

/** Keys of terms and how near they are. A phrase's key joins its stems with `_`. */
export type Expansions = ReadonlyMap<string, Nearness>

/** A phrase that is looked for in a request. */
export interface Phrase {
  readonly key: string
  readonly stems: readonly string[]
  /** Other words may stand between its parts. */
  readonly separable: boolean
  readonly expansions: Expansions
}

type Open<T> = { -readonly [K in keyof T]: T[K] } & { expansions: Map<string, Nearness> }

const rank: Record<Nearness, number> = { far: 1, near: 2, same: 3 }
const synonyms = new Map<string, Map<string, Nearness>>()
const phrases = new Map<string, Open<Phrase>>()
const phrasesByFirst = new Map<string, Open<Phrase>[]>()
const vocabulary = new Set<string>()

const partsOf = (entry: string): string[] => entry.split(/[_~]/).filter(Boolean)

/** `merge_request` or `put~away` as the key of its stems. */
export const entryKey = (entry: string): string => partsOf(entry).map(stem).join('_')

function note(from: string, to: string, nearness: Nearness): void {
  const source = entryKey(from)
  const target = entryKey(to)
  if (source === target) return
  const map = partsOf(from).length > 1 ? phraseOf(from).expansions : wordOf(source)
  const known = map.get(target)
  if (known === undefined || rank[nearness] > rank[known]) map.set(target, nearness)
}

function wordOf(key: string): Map<string, Nearness> {
  const known = synonyms.get(key)
  if (known !== undefined) return known
  const fresh = new Map<string, Nearness>()
  synonyms.set(key, fresh)
  return fresh
}

function phraseOf(entry: string): Open<Phrase> {
  const key = entryKey(entry)
  const known = phrases.get(key)
  if (known !== undefined) return known
  const stems = key.split('_')
  const fresh: Open<Phrase> = { key, stems, separable: entry.includes('~'), expansions: new Map() }
  phrases.set(key, fresh)
  const first = stems[0] ?? ''
  const siblings = [...(phrasesByFirst.get(first) ?? []), fresh]
  phrasesByFirst.set(
    first,
    siblings.sort((a, b) => b.stems.length - a.stems.length),
  )
  return fresh
}

for (const line of linesOf(abbreviations)) {
  const group = wordsOf(line)
  for (const a of group) for (const b of group) note(a, b, 'same')
}
for (const line of [actions, office, systems, money].flatMap(linesOf)) {
  const [near = [], far = []] = line.split('/').map(wordsOf)
  for (const a of near) {
    for (const b of near) note(a, b, 'near')
    for (const b of far) {
      note(a, b, 'far')
      note(b, a, 'far')
    }
  }
}
for (const entry of [abbreviations, actions, office, systems, money].flatMap((text) => wordsOf(text))) {
  for (const part of partsOf(entry)) if (/^[a-z]+$/.test(part)) vocabulary.add(part)
}
const vocabularyStems = new Set([...vocabulary].map(stem))
const none: Expansions = new Map()

/** What an English stem or phrase key may also be called; empty for a word that the dictionary does not have. */
export const synonymsOf = (key: string): Expansions => synonyms.get(key) ?? none

/** Phrases that begin with this stem, longest first. */
export const phrasesFrom = (stemmed: string): readonly Phrase[] => phrasesByFirst.get(stemmed) ?? []

/** Whether the dictionary knows this key as a phrase. */
export const isPhrase = (key: string): boolean => phrases.has(key)

/** Whether the dictionary has the folded word as it is. */
export const isEnglish = (word: string): boolean => vocabulary.has(word)

/** Whether the dictionary has a form of the word. */
export const isEnglishStem = (stemmed: string): boolean => vocabularyStems.has(stemmed)

/** Every single word of the dictionary. */
export const englishWords = (): Iterable<string> => vocabulary
