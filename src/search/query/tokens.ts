// A request as tokens: which of its words are about a tool, and which are only values for one.
import { isNegation, type SearchIndex } from '../search-index.ts'
import { isBrand } from '../server-kinds.ts'
import { stem } from '../stem.ts'
import { words, type Word } from '../text.ts'
import { isEnglish } from '../thesaurus.ts'
import { isUnindexed } from '../terms.ts'

/** One word of a request. */
export interface Token {
  /** Folded. */
  readonly text: string
  readonly stem: string
  readonly unspaced: boolean
  /** A number, id, address, name or quotation: it counts little. */
  value: boolean
  /** Said to be not meant. */
  negated: boolean
  /** Part of a phrase that means something else than its words. */
  taken: boolean
}

/** What is read of a request, in UTF-16 units and in words. */
const queryLimit = 4096
const tokenLimit = 128

/** The tokens of a request and the kinds of values found in it (`file`, `url`, `email`, `channel`, `image`). */
export function tokensOf(index: SearchIndex, query: string): { tokens: Token[]; entities: string[] } {
  const tokens: Token[] = []
  const entities = new Set<string>()
  for (const { text, quoted } of partsOf(query.slice(0, queryLimit))) {
    const beginning = text.slice(0, 200)
    for (const [pattern, kind] of entityKinds) if (pattern.test(beginning)) entities.add(kind)
    const value = quoted || isValue(beginning)
    for (const word of words(text, tokenLimit)) {
      for (const piece of piecesOf(index, word)) {
        if (tokens.length >= tokenLimit) break
        const isNumber = /^\p{N}+$/u.test(piece)
        const own = { text: piece, stem: stem(piece), unspaced: word.unspaced }
        tokens.push({ ...own, value: value || isNumber, negated: false, taken: false })
      }
    }
  }
  markNegated(tokens)
  markNames(tokens)
  return { tokens, entities: [...entities] }
}

/** A word that is known as a whole stays whole: `GitHub`; `getUser` falls into its pieces. */
function piecesOf(index: SearchIndex, word: Word): readonly string[] {
  const isKnown = index.postings.has(word.text) || isEnglish(word.text) || isBrand(word.text)
  return word.parts.length > 0 && !isKnown ? word.parts : [word.text]
}

/** Quotations whole, everything else between spaces. */
function* partsOf(query: string): Iterable<{ text: string; quoted: boolean }> {
  const pattern = /"([^"]{1,200})"|“([^”]{1,200})”|(?<!\p{L})'([^']{1,200})'(?!\p{L})|[^\s"“]+|["“]/gu
  for (const [part, double, curly, single] of query.matchAll(pattern)) {
    const inner = double ?? curly ?? single
    yield { text: inner ?? part, quoted: inner !== undefined }
  }
}

/** Addresses, paths and ids such as `https://…`, `a/b`, `me@here.org`, `bgt_12`, `ex-7`. */
function isValue(part: string): boolean {
  if (/^[a-z]+:\/\//i.test(part) || /[\w.]\/[\w.]/.test(part) || /@\w+\./.test(part)) return true
  const bare = part.replace(/[.,;:!?)]+$/, '')
  return /^[a-z]{1,6}[-_#]?\w*$/i.test(bare) && /\d/.test(bare) && !/^[a-z]+\d$/i.test(bare)
}

const fileName =
  /^[\w./-]*\.(?:txt|md|json|ya?ml|csv|pdf|docx?|xlsx?|log|ini|toml|xml|html?|css|js|ts|py|go|rs|c|h|java|sh|sql|png|jpe?g|gif|svg|webp|zip|gz|tar)\b/i

const entityKinds: readonly (readonly [RegExp, string])[] = [
  [fileName, 'file'],
  [/\.(?:png|jpe?g|gif|svg|webp)\b/i, 'image'],
  [/https?:\/\//i, 'url'],
  [/\S@\w+\./, 'email'],
  [/^#[a-z]/i, 'channel'],
]

/** What comes after "not the", "instead of", "rather than" or "don't mean" is what is not meant. */
function markNegated(tokens: Token[]): void {
  tokens.forEach((token, at) => {
    const before = tokens[at - 1]?.text ?? ''
    const after = tokens[at + 1]?.text ?? ''
    const starts =
      (token.text === 'not' && /^(?:the|a|an|on|in|my|any|from|its|with|for)$/.test(after)) ||
      (token.text === 'mean' && /^(?:t|not|dont)$/.test(before)) ||
      (token.text === 'than' && before === 'rather') ||
      (token.text === 'of' && before === 'instead')
    if (!starts) return
    for (const denied of tokens.slice(at + 1, at + 7)) {
      if (/^(?:but|and|because|so|just|only)$/.test(denied.text)) break
      denied.negated = true
    }
  })
}

/** What comes after "called" and the like is a name that somebody gave. */
function markNames(tokens: Token[]): void {
  const naming = /^(?:called|named|titled|entitled|llamado|llamada|namens|nomme|nommee|appele)$/
  tokens.forEach((token, at) => {
    if (!naming.test(token.text)) return
    for (const name of tokens.slice(at + 1, at + 4)) {
      if (isUnindexed(name.text)) break
      name.value = true
    }
  })
}

/** Whether the request denies something that a tool may be about ("did not bill"). */
export const hasNegation = (tokens: readonly Token[]): boolean =>
  tokens.some((token, at) => isNegation(token.text) && tokens[at + 1]?.negated !== true)
