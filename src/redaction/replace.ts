import { isObject } from '../json/read.ts'
import { isFixedName, isFixedValue } from './fixed-members.ts'
import type { Secret } from './secret.ts'

/** What stands where a private operation key was. */
export const privateOperationMarker = '<private operation redacted>'

/**
 * The text with every occurrence of a candidate replaced by the marker: one pass from the left, the longest candidate
 * first, so that overlapping ones leave no fragment of the longer. Empty candidates are ignored.
 */
export function replaceAll(text: string, candidates: Iterable<string>, marker: string): string {
  const pattern = toPattern(candidates)
  return pattern ? text.replace(pattern, () => marker) : text
}

/** The value with `replaceAll` done in every string at any depth. Member names stay. */
export function replaceInStrings(value: unknown, candidates: Iterable<string>, marker: string): unknown {
  const pattern = toPattern(candidates)
  return pattern ? mapStrings(value, (text) => text.replace(pattern, () => marker)) : value
}

/** The value with every string at any depth, but no member name, mapped. `__proto__` stays an ordinary member. */
export function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapStrings(item, map)]))
}

/**
 * A backend's error text without our secrets, nor the ways they are usually written; then without private operation keys.
 */
export function redactErrorText(text: string, secrets: readonly Secret[], privateKeys: readonly string[] = []): string {
  const hidden = hide(text, patternsOf(secrets), '<redacted>')
  return replaceAll(hidden, privateKeys, privateOperationMarker)
}

/**
 * The value without our secrets, nor the ways they are usually written, in any string or member name; the very same value when
 * it holds none. A short secret goes where it stands alone, and never out of a member name; members that a contract fixes stay.
 */
export function redactSecrets<T>(value: T, secrets: readonly Secret[], marker: string): T {
  const patterns = patternsOf(secrets)
  if (patterns.anywhere === undefined && patterns.alone === undefined) return value
  const redacted = redactTexts(value, patterns, marker)
  return redacted as T
}

/**
 * Whether a JSON text can hold one of our secrets: a search that spares most long texts the walk. True also for texts
 * with such escapes that only the parsed strings can tell.
 */
export function mayHoldSecret(json: string, secrets: readonly Secret[]): boolean {
  if (/\\[u/]/.test(json)) return true
  const lower = json.toLowerCase()
  return secrets.some((secret) => spellingsOf(secret).sought.some((form) => lower.includes(form)))
}

/** The very same value when nothing was hidden in it. */
function redactTexts(value: unknown, patterns: Patterns, marker: string): unknown {
  if (typeof value === 'string') return hide(value, patterns, marker)
  if (Array.isArray(value)) {
    const items = value.map((item) => redactTexts(item, patterns, marker))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  if (!isObject(value)) return value
  let isChanged = false
  const members = Object.entries(value).map(([name, item]): [string, unknown] => {
    const shownName = isFixedName(name) ? name : hide(name, { anywhere: patterns.anywhere }, marker)
    const shown = isFixedValue(name, item) ? item : redactTexts(item, patterns, marker)
    if (shownName !== name || shown !== item) isChanged = true
    return [shownName, shown]
  })
  return isChanged ? Object.fromEntries(members) : value
}

/** What finds secrets: in any part of a text, whatever its case, and those that are too short for that, standing alone. */
interface Patterns {
  readonly anywhere?: RegExp | undefined
  readonly alone?: RegExp | undefined
}

/** Those of the secrets that were asked about last: mostly they are the same ones all the time. */
const known: { secrets: readonly Secret[]; patterns: Patterns } = { secrets: [], patterns: {} }

function patternsOf(secrets: readonly Secret[]): Patterns {
  const isKnown = secrets.length === known.secrets.length && secrets.every((secret, at) => secret === known.secrets[at])
  if (!isKnown) Object.assign(known, { secrets: [...secrets], patterns: makePatterns(secrets) })
  return known.patterns
}

function makePatterns(secrets: readonly Secret[]): Patterns {
  const short = secrets.filter((secret) => secret.isShort)
  const long = secrets.filter((secret) => !secret.isShort)
  return { anywhere: toPattern(long.flatMap(written), 'gi'), alone: toPattern(short.flatMap(written), 'g', alone) }
}

function hide(text: string, { anywhere, alone }: Patterns, marker: string): string {
  const hidden = anywhere === undefined ? text : text.replace(anywhere, () => marker)
  return alone === undefined ? hidden : hidden.replace(alone, () => marker)
}

/** As a whole value or word: `hubu` stands alone in "Bearer hubu." and not in `hubu-spend-v4`, `hubu.example` or a path. */
function alone(words: string): string {
  const inWord = '[\\w\\u00c0-\\uffff]'
  return `(?<![\\w\\u00c0-\\uffff/-])(?<!${inWord}\\.)(?:${words})(?![\\w\\u00c0-\\uffff/-])(?![.:]${inWord})`
}

/** How a secret may be written, and the fewest texts of which one is in any JSON that holds one of those. */
interface Spellings {
  readonly all: readonly string[]
  readonly sought: readonly string[]
}

const spellings = new WeakMap<Secret, Spellings>()

function spellingsOf(secret: Secret): Spellings {
  const known = spellings.get(secret)
  if (known !== undefined) return known
  const all = spell(secret).filter((form) => form !== '')
  const inTexts = all.map(inJson)
  const lower = [...new Set(inTexts.map((form) => form.toLowerCase()))]
  const sought = lower.filter((form) => !lower.some((other) => other !== form && form.includes(other)))
  spellings.set(secret, { all, sought })
  return { all, sought }
}

const written = (secret: Secret): readonly string[] => spellingsOf(secret).all

/**
 * How a secret may look where somebody repeats it, in any case: as it is, without the space that a header loses, as JSON and
 * URLs have it, in hex, and in base64, wherever in the encoded text it begins. Forms of a short one would be met by chance.
 */
function spell(secret: Secret): readonly string[] {
  const given = secret.reveal()
  const sent = given.trim()
  if (secret.isShort) return [...new Set([given, sent])]
  // A header carries Latin-1; who copies it from there may encode those bytes.
  const encoded = [Buffer.from(sent, 'utf8'), Buffer.from(sent, 'latin1')].flatMap((bytes) => [
    bytes.toString('hex'),
    ...base64Forms(bytes),
  ])
  return [...new Set([given, sent, inJson(sent), encodeURIComponent(sent), ...encoded])]
}

/** The base64 of these bytes alone, and the characters that they alone decide when one or two others precede them. */
function base64Forms(bytes: Buffer): string[] {
  const alphabets = ['base64', 'base64url'] as const
  const within = [0, 1, 2].flatMap((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes])
    const end = Math.floor((shifted.length * 8) / 6)
    return alphabets.map((alphabet) => shifted.toString(alphabet).slice(Math.ceil((shift * 8) / 6), end))
  })
  return [bytes.toString('base64'), bytes.toString('base64url'), ...within]
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function toPattern(
  candidates: Iterable<string>,
  flags = 'g',
  within = (words: string): string => words,
): RegExp | undefined {
  const ordered = [...new Set(candidates)].filter((text) => text !== '').sort((a, b) => b.length - a.length)
  if (ordered.length === 0) return undefined
  return new RegExp(within(ordered.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')), flags)
}
