// The index as a query sees it. It is built by build-index.ts once per catalog revision and never changed afterwards.
import type { ActionClass } from './actions.ts'
import { stem } from './stem.ts'
import type { Lexicon } from './typo.ts'

/** Where a word occurs: parallel lists of tool numbers (ascending), how much it says there (0 to 1), whether in the name. */
export interface Postings {
  readonly tools: readonly number[]
  readonly weights: readonly number[]
  readonly inName: readonly boolean[]
}

/** A tool as the ranking sees it. */
export interface IndexedTool {
  readonly id: string
  readonly publicName: string
  /** Its server's number. */
  readonly server: number
  readonly action: ActionClass | null
  /** Summed rarity of the words of its name, and of those that name things rather than actions or its server. */
  readonly nameMass: number
  readonly thingMass: number
}

/** A server and the stems of its name (1), tags, hints and description (less than 1). */
export interface IndexedServer {
  readonly name: string
  readonly words: ReadonlyMap<string, number>
}

/** Everything that a request is compared with. */
export interface SearchIndex {
  readonly tools: readonly IndexedTool[]
  readonly servers: readonly IndexedServer[]
  /** By term: a word as it is written, a pair of neighbouring words joined with `_`, or a pair of characters. */
  readonly postings: ReadonlyMap<string, Postings>
  /** Terms by stem, and stems by root. */
  readonly forms: ReadonlyMap<string, readonly string[]>
  readonly roots: ReadonlyMap<string, readonly string[]>
  /** In how many tools a stem or pair occurs, and in how many servers' own words. */
  readonly frequency: ReadonlyMap<string, number>
  readonly serverFrequency: ReadonlyMap<string, number>
  /** Numbers of tools by the key of each name they answer to. */
  readonly names: ReadonlyMap<string, readonly number[]>
  /** Each tool's place when all are ordered by public name, bytes ascending. */
  readonly nameOrder: readonly number[]
  readonly lexicon: Lexicon
  readonly sortedWords: readonly string[]
}

/** The term of "not" and its like: names and hints that say it differ from those that do not. */
export const negationTerm = 'not'

/** Whether a folded word denies something. */
export const isNegation = (word: string): boolean =>
  /^(?:not|no|never|without|nothing|none|non|cannot|isnt|doesnt|didnt|dont|cant|wont)$/.test(word)

/** The stem of a term, or the stems of a pair: the key by which its forms are found and its frequency is counted. */
export const termKey = (term: string, stemOf = stem): string =>
  term.includes('_') ? term.split('_').map(stemOf).join('_') : stemOf(term)

/** How rare a stem or pair is among the tools: high for few, near 0 for all. */
export function rarity(index: Pick<SearchIndex, 'frequency' | 'tools'>, key: string): number {
  return inverseFrequency(index.tools.length, index.frequency.get(key) ?? 0)
}

/** How rare a stem is among the servers' own words. */
export function serverRarity(index: Pick<SearchIndex, 'serverFrequency' | 'servers'>, key: string): number {
  return inverseFrequency(index.servers.length, index.serverFrequency.get(key) ?? 0)
}

/** The rarity of what `some` of `all` have. */
export const inverseFrequency = (all: number, some: number): number => Math.log(1 + (all - some + 0.5) / (some + 0.5))
