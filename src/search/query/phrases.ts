// Phrases of a request: idioms that mean something else than their words, and pairs of words that belong together.
import { actionClassOf } from '../actions.ts'
import { foreignPhrases, isFunctionWord, type Language } from '../dictionaries.ts'
import type { SearchIndex } from '../search-index.ts'
import { phrasesFrom, type Phrase } from '../thesaurus.ts'
import { isUnindexed } from '../terms.ts'
import { weights } from '../weights.ts'
import { weakWords } from '../words/stop-words.ts'
import { expand, formsAndSynonyms, formsOf, makeGroup, nearStems, type Group } from './group.ts'
import type { Token } from './tokens.ts'

/** How many words may stand between the parts of a separable phrase, and of a foreign one. */
const widestGap = 4
const widestForeignGap = 8

/** Groups for the phrases found; the words of idioms are marked as taken. */
export function phraseGroups(index: SearchIndex, tokens: readonly Token[], spoken: readonly Language[]): Group[] {
  const groups: Group[] = []
  tokens.forEach((token, at) => {
    for (const phrase of phrasesFrom(token.stem)) {
      const found = match(tokens, at, phrase)
      if (found === null) continue
      groups.push(englishGroup(index, phrase, found))
      break
    }
  })
  for (const language of spoken) {
    for (const { parts, targets } of foreignPhrases(language)) {
      const at = tokens.findIndex((token) => token.text === parts[0])
      const found = at < 0 ? null : places(tokens, at, parts, widestForeignGap, (token) => token.text)
      if (found === null) continue
      for (const token of found) token.taken = true
      const variants = targets.flatMap((key) => formsAndSynonyms(index, key, weights.translation, 'translation'))
      const stems = new Map(targets.map((key) => [key, weights.translation]))
      groups.push(makeGroup(index, parts.join(' '), variants, { stems }))
    }
  }
  return groups
}

/** An idiom replaces its words ("get rid of"); a name of two words stands beside them ("merge request"). */
function englishGroup(index: SearchIndex, phrase: Phrase, found: readonly Token[]): Group {
  const isIdiom = found.some(({ text }) => isUnindexed(text) || weakWords.has(text))
  const said = found.map(({ text }) => text).join(' ')
  const scale = found[0]?.negated === true ? weights.negated : 1
  const synonyms = expand(index, phrase.expansions, 1, 'synonym')
  const stems = nearStems(phrase.expansions)
  if (!isIdiom) {
    const variants = [...formsOf(index, phrase.key, 1, 'exact'), ...synonyms]
    return makeGroup(index, said, variants, { kind: 'pair', weight: scale * weights.pair, stems })
  }
  for (const token of found) token.taken = true
  const isAction = [...stems.keys()].some((key) => actionClassOf(key) !== null)
  return makeGroup(index, said, synonyms, { weight: scale, stems, inText: isAction ? weights.actionInText : 1 })
}

function match(tokens: readonly Token[], at: number, phrase: Phrase): Token[] | null {
  return places(tokens, at, phrase.stems, phrase.separable ? widestGap : 0, (token) => token.stem)
}

function places(
  tokens: readonly Token[],
  at: number,
  wanted: readonly string[],
  widest: number,
  of: (token: Token) => string,
): Token[] | null {
  const found: Token[] = []
  let from = at
  for (const [number, part] of wanted.entries()) {
    const near = tokens.slice(from, from + 1 + (number === 0 ? 0 : widest))
    const step = near.findIndex((token) => of(token) === part)
    const token = near[step]
    if (token === undefined) return null
    found.push(token)
    from += step + 1
  }
  return found
}

/** Groups for neighbouring words that stand together in a tool's texts, or that a tool writes as one word. */
export function pairGroups(index: SearchIndex, tokens: readonly Token[], known: readonly Group[]): Group[] {
  const groups: Group[] = []
  const have = new Set(known.flatMap(({ variants }) => variants.map(({ term }) => term)))
  let previous: Token | undefined
  for (const token of tokens) {
    if (token.unspaced || token.value || token.negated) previous = undefined
    else if (!isFunctionWord(token.text, []) && !isUnindexed(token.text) && token.text.length > 1) {
      if (previous !== undefined) groups.push(...pair(index, previous, token, have))
      previous = token
    }
  }
  return groups
}

function pair(index: SearchIndex, first: Token, second: Token, have: Set<string>): Group[] {
  const groups: Group[] = []
  const key = `${first.stem}_${second.stem}`
  const joined = first.text + second.text
  if (index.forms.has(key) && !have.has(key)) {
    have.add(key)
    groups.push(
      makeGroup(index, `${first.text} ${second.text}`, formsOf(index, key, 1, 'exact'), {
        kind: 'pair',
        weight: weights.pair,
      }),
    )
  }
  if (index.postings.has(joined) && !have.has(joined)) {
    have.add(joined)
    groups.push(
      makeGroup(index, `${first.text} ${second.text}`, formsAndSynonyms(index, joined, 1, 'part'), { kind: 'pair' }),
    )
  }
  return groups
}
