import { createHash } from 'node:crypto'
import { printValue } from './print-value.ts'

/**
 * Canonical JSON: object keys ascending by UTF-8 bytes at every depth, arrays in order, no white space, characters beyond
 * ASCII unescaped.
 */
export function canonicalJson(value: unknown): string {
  return printValue(value, byUtf8)
}

/** `sha256:` and the hex digest of tool name, a zero byte and the canonical arguments. */
export function requestHash(toolName: string, canonicalArguments: string): string {
  return `sha256:${createHash('sha256').update(`${toolName}\0${canonicalArguments}`).digest('hex')}`
}

/** UTF-8 byte order is code point order, which UTF-16 order is not for characters beyond the basic plane. */
function byUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
