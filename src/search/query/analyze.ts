// A request in anybody's words, to groups of index terms: one group for each thing that was said.
import { actionClassOf, type ActionClass } from '../actions.ts'
import { isFunctionWord, languages, languagesOf, translate, translateRun, type Language } from '../dictionaries.ts'
import { negationTerm, rarity, type SearchIndex } from '../search-index.ts'
import { stem } from '../stem.ts'
import { bigrams } from '../text.ts'
import { isEnglishStem, synonymsOf } from '../thesaurus.ts'
import { isUnindexed } from '../terms.ts'
import { weights } from '../weights.ts'
import { weakWords } from '../words/stop-words.ts'
import { askedAction } from './asked-action.ts'
import { expand, formsAndSynonyms, formsOf, makeGroup, nearStems, type Group, type Variant } from './group.ts'
import { guess, isFunctionWordTypo } from './guesses.ts'
import { pairGroups, phraseGroups } from './phrases.ts'
import { hasNegation, tokensOf, type Token } from './tokens.ts'

/** A request, understood as far as words go. */
export interface Analysis {
  readonly groups: readonly Group[]
  readonly action: ActionClass | null
  /** Nothing in it is about any tool: it is empty or holds only function words. */
  readonly isGeneric: boolean
}

/** So many unknown words are guessed at; a longer list of them is no request. */
const guessLimit = 16

/** Reads a request of any length; only its first 4,096 characters and 128 words count. */
export function analyze(index: SearchIndex, query: string): Analysis {
  const { tokens, entities } = tokensOf(index, query)
  const spoken = languagesOf(tokens.map(({ text }) => text))
  const groups = phraseGroups(index, tokens, spoken)
  groups.push(...wordGroups(index, tokens, spoken))
  const action = askedAction(tokens, spoken, groups)
  groups.push(...pairGroups(index, tokens, groups), ...entityGroups(index, entities, groups))
  if (hasNegation(tokens)) {
    const variants = formsOf(index, negationTerm, 1, 'exact')
    if (variants.length > 0)
      groups.push(makeGroup(index, 'not', variants, { kind: 'negation', weight: weights.negation }))
  }
  return { groups, action, isGeneric: groups.every(({ kind }) => kind === 'negation') }
}

function wordGroups(index: SearchIndex, tokens: readonly Token[], spoken: readonly Language[]): Group[] {
  const groups: Group[] = []
  const seen = new Set<string>()
  let guesses = 0
  for (const token of tokens) {
    const key = `${token.stem}${token.unspaced ? '*' : ''}`
    if (token.taken || seen.has(key)) continue
    seen.add(key)
    if (token.unspaced) {
      groups.push(...characterGroups(index, token.text))
      continue
    }
    if (token.text.length < 2 || isUnindexed(token.text) || isFunctionWord(token.text, spoken)) continue
    const known = knownWord(index, token, spoken)
    const group = known ?? (guesses++ < guessLimit ? unknownWord(index, token, spoken) : null)
    if (group !== null) groups.push(group)
  }
  return groups
}

function weightOf(token: Token): number {
  if (token.negated) return weights.negated
  if (token.value) return weights.value
  return weakWords.has(token.text) ? weights.weak : 1
}

/** A word that the catalog, the thesaurus or a dictionary has. */
function knownWord(index: SearchIndex, token: Token, spoken: readonly Language[]): Group | null {
  const { text, stem: key } = token
  const own = formsOf(index, key, 1, 'exact', text)
  const synonyms = synonymsOf(key)
  const isKnown = own.length > 0 || synonyms.size > 0
  const variants: Variant[] = [...own, ...expand(index, synonyms, 1, 'synonym')]
  const stems = new Map([[key, 1], ...nearStems(synonyms)])
  // A word that means something in English is read in another language only when the request is in it.
  for (const language of isKnown || spoken.length > 0 ? spoken : languages) {
    for (const target of translate(text, language)) {
      variants.push(...formsAndSynonyms(index, target, weights.translation, 'translation'))
      stems.set(target, weights.translation)
    }
  }
  if (variants.length === 0) return null
  const mass = own.length > 0 ? rarity(index, key) : undefined
  const inText = actionClassOf(key) === null ? 1 : weights.actionInText
  const ofTools = namesServer(index, stems) ? weights.serverName : 1
  return makeGroup(index, text, variants, { weight: weightOf(token), mass, stems, inText, ofTools })
}

/** A word that nobody has: guessed, or missed as something that no tool is about. Values are neither. */
function unknownWord(index: SearchIndex, token: Token, spoken: readonly Language[]): Group | null {
  const { text, stem: key } = token
  if (token.value || token.negated) return null
  const isWord = isEnglishStem(key)
  const { variants, stems } = isWord ? { variants: [], stems: new Map<string, number>() } : guess(index, text, spoken)
  stems.set(key, 1)
  if (variants.length > 0) {
    const ofTools = namesServer(index, stems) ? weights.serverName : 1
    return makeGroup(index, text, variants, { weight: weightOf(token), stems, ofTools })
  }
  if (!isWord && isFunctionWordTypo(text)) return null
  const mass = Math.log(1 + index.tools.length)
  return makeGroup(index, text, [], { weight: weightOf(token) * weights.unknown, mass, stems })
}

function namesServer(index: SearchIndex, stems: ReadonlyMap<string, number>): boolean {
  for (const [key, share] of stems) {
    if (share >= weights.prefix && index.servers.some(({ words }) => words.get(key) === 1)) return true
  }
  return false
}

/** Scripts without spaces: the dictionary's words, and pairs of characters that the catalog itself has. */
function characterGroups(index: SearchIndex, run: string): Group[] {
  const groups: Group[] = []
  for (const { text, targets } of translateRun(run)) {
    const variants = targets.flatMap((key) => formsAndSynonyms(index, key, weights.translation, 'translation'))
    const stems = new Map(targets.map((key) => [key, weights.translation]))
    groups.push(makeGroup(index, text, variants, { stems }))
  }
  for (const pair of new Set(bigrams(run))) {
    const variants = formsOf(index, pair, 1, 'exact')
    if (variants.length > 0) groups.push(makeGroup(index, pair, variants, { weight: weights.characters }))
  }
  return groups
}

/** A value tells what it is for: a file name speaks of files. */
function entityGroups(index: SearchIndex, entities: readonly string[], known: readonly Group[]): Group[] {
  return entities.flatMap((kind) => {
    const key = stem(kind)
    if (known.some(({ stems }) => stems.has(key))) return []
    return [makeGroup(index, kind, formsAndSynonyms(index, key, 1, 'exact'), { weight: weights.entity })]
  })
}
