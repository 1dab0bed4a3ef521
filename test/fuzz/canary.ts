// Secrets that are easy to find again, in every way in which they could be written.
import fc from 'fast-check'

/** What an operator might take for a token: legal in a header, its first eight characters in no other text. */
export const canaries: fc.Arbitrary<string> = fc
  .tuple(
    fc.stringMatching(/^[A-Za-z0-9]{5}$/),
    fc.string({
      unit: fc.constantFrom(...'ABCxyz0189-._~+/=!#$%&*|^`@:;,?()[]{}<>\'"\\ é'),
      minLength: 12,
      maxLength: 40,
    }),
  )
  .map(([head, tail]) => `q7Z${head}${tail}Q`)

/** How a backend may write a secret that it repeats. */
export type Spelling = (secret: string) => string

/** The ways of writing, each with the surroundings in which it occurs. */
export const spellings: readonly Spelling[] = [
  (secret) => secret,
  (secret) => `Bearer ${secret}`,
  (secret) => `?token=${encodeURIComponent(secret)}&x=1`,
  (secret) => encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  (secret) => Buffer.from(secret).toString('base64'),
  (secret) => Buffer.from(`user:${secret}`).toString('base64'),
  (secret) => Buffer.from(`u:${secret}\n`).toString('base64'),
  (secret) => Buffer.from(`ab:${secret}:more`).toString('base64'),
  (secret) => Buffer.from(secret).toString('base64url'),
  (secret) => Buffer.from(`x${secret}`).toString('base64url'),
  (secret) => JSON.stringify({ authorization: secret }),
  (secret) => Buffer.from(secret).toString('hex'),
  (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  (secret) => secret.toUpperCase(),
  (secret) => secret.toLowerCase(),
]

/** Everything that betrays a secret: itself, its first eight characters, its base64 wherever it begins, its URL forms. */
export function tracesOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret)
  const hex = Buffer.from(secret).toString('hex')
  const changed = [secret.toUpperCase(), secret.toLowerCase(), hex, hex.toUpperCase()]
  const forms = [
    secret,
    secret.slice(0, 8),
    encoded,
    ...changed,
    ...[0, 1, 2].flatMap((shift) => base64Within(secret, shift)),
  ]
  return [...new Set(forms)]
}

/** The base64 characters that depend on nothing but the secret when so many bytes stand before its group. */
function base64Within(secret: string, shift: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)])
  const from = Math.ceil((shift * 8) / 6)
  const to = Math.floor((bytes.length * 8) / 6)
  return (['base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding).slice(from, to))
}

/** The traces that some text shows, as it is or in the strings and names of its JSON at any depth. */
export function findTraces(texts: readonly string[], secrets: readonly string[]): string[] {
  const traces = secrets.flatMap(tracesOf)
  const shown = new Set<string>()
  for (const text of texts.flatMap(readings)) {
    for (const trace of traces) if (text.includes(trace)) shown.add(`${trace} in ${text.slice(0, 300)}`)
  }
  return [...shown]
}

/** A text with everything that can be read in it, one after the other. */
export const everyReading = (text: string): string => readings(text).join('\n')

/** A text, and if it is JSON every string and name in it, read the same way. */
function readings(text: string): string[] {
  const value = parse(text)
  return typeof value === 'object' ? [text, ...stringsIn(value).flatMap(readings)] : [text]
}

function parse(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)])
}
