// Identifiers. Every record has an internal UUID; public ids show its low 60 bits.
import { Refusal } from './refusal.ts'

/** Prefixes of public ids. */
export type PublicPrefix = 'usr' | 'agt' | 'agv' | 'aga' | 'ags' | 'bgt' | 'tgt' | 'pol'

const digits = '0123456789abcdefghjkmnpqrstvwxyz'

/** The public id of an internal UUID: twelve base-32 digits, the most significant first. */
export function publicId(prefix: PublicPrefix, uuid: string): string {
  let low = BigInt(`0x${uuid.replaceAll('-', '')}`) & ((1n << 60n) - 1n)
  let suffix = ''
  for (let place = 0; place < 12; place += 1, low >>= 5n) suffix = digits.charAt(Number(low & 31n)) + suffix
  return `${prefix}_${suffix}`
}

/** Reads a UUID as clients may spell it: any case, without hyphens, in braces or after `urn:uuid:`. Undefined if it is none. */
export function parseUuid(text: string): string | undefined {
  const hyphenated = /^(?:urn:uuid:)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i
  const bare = /^\{([0-9a-f-]{36})\}$/i.exec(text)?.[1] ?? text
  const found = hyphenated.exec(bare)?.[1]?.toLowerCase()
  if (found !== undefined) return found
  const plain = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i.exec(text)
  return plain === null ? undefined : plain.slice(1).join('-').toLowerCase()
}

/** Reads a UUID or throws a 400 that names the field. */
export function readUuid(text: string, field: string): string {
  const uuid = parseUuid(text)
  if (uuid === undefined) throw new Refusal(`invalid ${field}`)
  return uuid
}
