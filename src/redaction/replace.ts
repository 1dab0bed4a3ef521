import { isObject } from '../json/read.ts'
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
 * A backend's error text without our secrets, nor the ways they are usually written (percent-encoded, base64); then
 * without private operation keys.
 */
export function redactErrorText(text: string, secrets: readonly Secret[], privateKeys: readonly string[] = []): string {
  return replaceAll(replaceAll(text, secrets.flatMap(written), '<redacted>'), privateKeys, privateOperationMarker)
}

/**
 * The value without our secrets, nor the ways they are usually written, in any string or member name; the very same
 * value when it holds none.
 */
export function redactSecrets<T>(value: T, secrets: readonly Secret[], marker: string): T {
  const pattern = toPattern(secrets.flatMap(written))
  if (!pattern) return value
  let found = false
  const replaced = mapTexts(value, (text) =>
    text.replace(pattern, () => {
      found = true
      return marker
    }),
  )
  return found ? (replaced as T) : value
}

/**
 * Whether a JSON text can hold one of our secrets: a search that spares most long texts the walk. True also for texts
 * with such escapes that only the parsed strings can tell.
 */
export function mayHoldSecret(json: string, secrets: readonly Secret[]): boolean {
  return /\\[u/]/.test(json) || secrets.flatMap(sought).some((form) => json.includes(form))
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [map(name), mapTexts(item, map)]))
}

/** Encoded forms of a very short secret would match by chance. */
const minEncodedLength = 6

/** How a secret may be written, and the fewest texts of which one is in any JSON that holds one of those. */
interface Spellings {
  readonly all: readonly string[]
  readonly sought: readonly string[]
}

const spellings = new WeakMap<Secret, Spellings>()

function spellingsOf(secret: Secret): Spellings {
  const known = spellings.get(secret)
  if (known !== undefined) return known
  const all = spell(secret.reveal()).filter((form) => form !== '')
  const inTexts = all.map(inJson)
  const sought = inTexts.filter((form) => !inTexts.some((other) => other !== form && form.includes(other)))
  spellings.set(secret, { all, sought })
  return { all, sought }
}

const written = (secret: Secret): readonly string[] => spellingsOf(secret).all

const sought = (secret: Secret): readonly string[] => spellingsOf(secret).sought

/**
 * How a secret may look where somebody repeats it: as it is, without the space that a header loses, as JSON and URLs have it,
 * and in base64, wherever in the encoded text it begins.
 */
function spell(secret: string): readonly string[] {
  const sent = secret.trim()
  if (sent.length < minEncodedLength) return [secret, sent]
  const percent = encodeURIComponent(sent)
  const lowerPercent = percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
  // A header carries Latin-1; who copies it from there may encode those bytes.
  const encoded = [Buffer.from(sent, 'utf8'), Buffer.from(sent, 'latin1')].flatMap(base64Forms)
  return [...new Set([secret, sent, inJson(sent), percent, lowerPercent, ...encoded])]
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

function toPattern(candidates: Iterable<string>): RegExp | undefined {
  const ordered = [...new Set(candidates)].filter((text) => text !== '').sort((a, b) => b.length - a.length)
  if (ordered.length === 0) return undefined
  return new RegExp(ordered.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g')
}
