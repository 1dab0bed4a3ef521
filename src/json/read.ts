import { nestsDeeper } from './scan.ts'
import { WrittenNumber } from './written-number.ts'

/** What a body is when it is read as JSON. */
export type JsonBody =
  { readonly kind: 'json'; readonly value: unknown; readonly text: string } | { readonly kind: 'not_json' }

/** Deeper values would overflow the stack of whoever walks or prints them later. */
const maxDepth = 512

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a body as JSON in UTF-8. Invalid bytes, other encodings, compressed bytes, an empty body and nesting over 512
 * levels are not JSON: nothing is replaced or guessed. A UTF-8 byte order mark is dropped.
 */
export function readJson(body: Buffer): JsonBody {
  try {
    const text = utf8.decode(body)
    if (nestsDeeper(text, maxDepth)) return { kind: 'not_json' }
    return { kind: 'json', value: JSON.parse(text) as unknown, text }
  } catch {
    return { kind: 'not_json' }
  }
}

/** Whether a value is a JSON object: no array, and no number that is kept as it was written. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber)
}

/** A value's own member, when the value is an object that is no array. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
