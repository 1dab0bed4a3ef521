import { createHash } from 'node:crypto'

/**
 * Canonical JSON (R 6.3): object keys ascending by UTF-8 bytes at every depth, arrays in order, no white space,
 * characters beyond ASCII unescaped. The schema gate bounds the depth before anything comes here.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => byUtf8(a, b))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
}

/** `sha256:` and the hex digest of tool name, a zero byte and the canonical arguments (R 6.3). */
export function requestHash(toolName: string, canonicalArguments: string): string {
  return `sha256:${createHash('sha256').update(`${toolName}\0${canonicalArguments}`).digest('hex')}`
}

/** UTF-8 byte order is code point order, which UTF-16 order is not for characters beyond the basic plane. */
function byUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
