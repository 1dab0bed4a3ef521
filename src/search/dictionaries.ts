// Other languages: their words as keys of English terms, and which language a request is in.
import { stemSpanish } from './stem.ts'
import { entryKey } from './thesaurus.ts'
import { eastAsian } from './words/east-asian.ts'
import { french } from './words/french.ts'
import { german } from './words/german.ts'
import { linesOf, wordsOf } from './words/lines.ts'
import { romance } from './words/romance.ts'
import { spanish } from './words/spanish.ts'
import { english as englishStops, foreign as foreignStops } from './words/stop-words.ts'

/** Languages with a dictionary and spaces between words; `romance` is Portuguese and Italian. */
export type Language = keyof typeof foreignStops

/** A phrase of several words, and the English keys it stands for. */
export interface ForeignPhrase {
  readonly parts: readonly string[]
  readonly targets: readonly string[]
}

interface Dictionary {
  words: Map<string, string[]>
  /** By stem, for the languages that `stemSpanish` fits. */
  stems: Map<string, string[]>
  phrases: ForeignPhrase[]
}

function dictionary(text: string, inflected: boolean): Dictionary {
  const made: Dictionary = { words: new Map(), stems: new Map(), phrases: [] }
  const add = (map: Map<string, string[]>, key: string, targets: string[]): void =>
    void map.set(key, [...new Set([...(map.get(key) ?? []), ...targets])])
  for (const line of linesOf(text)) {
    const [from = [], to = []] = line.split('=').map(wordsOf)
    const targets = to.map(entryKey)
    for (const entry of from) {
      if (entry.includes('_')) made.phrases.push({ parts: entry.split('_'), targets })
      else add(made.words, entry, targets)
      if (inflected && entry.length > 4 && !entry.includes('_')) add(made.stems, stemSpanish(entry), targets)
    }
  }
  return made
}

const dictionaries: Record<Language, Dictionary> = {
  spanish: dictionary(spanish, true),
  german: dictionary(german, false),
  french: dictionary(french, false),
  romance: dictionary(romance, true),
}

/** All of them, in the order in which they are asked. */
export const languages = Object.keys(dictionaries) as Language[]

/** English keys for a folded word of a language; empty when its dictionary does not have it. */
export function translate(word: string, language: Language): readonly string[] {
  const { words, stems } = dictionaries[language]
  return words.get(word) ?? (word.length > 4 ? stems.get(stemSpanish(word)) : undefined) ?? []
}

/** Phrases of a language that a request may hold. */
export const foreignPhrases = (language: Language): readonly ForeignPhrase[] => dictionaries[language].phrases

const characters = dictionary(eastAsian, false).words
const longestRun = Math.max(...[...characters.keys()].map((word) => word.length))

/** The dictionary's words in a run of characters without spaces, longest first from the left, with their English keys. */
export function translateRun(run: string): { text: string; targets: readonly string[] }[] {
  const found: { text: string; targets: readonly string[] }[] = []
  for (let at = 0; at < run.length;) {
    let length = Math.min(longestRun, run.length - at)
    while (length > 0 && !characters.has(run.slice(at, at + length))) length--
    const text = run.slice(at, at + length)
    if (length > 0) found.push({ text, targets: characters.get(text) ?? [] })
    at += Math.max(1, length)
  }
  return found
}

/** English words that others do not use, or not so often: they weigh twice against another language. */
const plainlyEnglish = /^(?:the|and|of|to|for|is|my|with|that|this|from|by|be|at|it|are)$/

/** Languages of which a request holds more function words than of English, most first. */
export function languagesOf(tokens: readonly string[]): Language[] {
  const count = (set: ReadonlySet<string>): number => tokens.filter((token) => set.has(token)).length
  const own = count(englishStops) + tokens.filter((token) => plainlyEnglish.test(token)).length
  return languages
    .map((language) => ({ language, hits: count(foreignStops[language]) }))
    .filter(({ hits }) => hits > own)
    .sort((a, b) => b.hits - a.hits)
    .map(({ language }) => language)
}

/** Whether a folded word is a function word of English or of one of the languages. */
export function isFunctionWord(word: string, spoken: readonly Language[]): boolean {
  return englishStops.has(word) || spoken.some((language) => foreignStops[language].has(word))
}
