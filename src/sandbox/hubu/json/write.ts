// Pure: values of ours and JSON as it was written, out as text.
import type { JsonValue } from './value.ts'

/** What answers are made of. Integers may be bigints; `RawJson` goes out as it is. */
export type Writable =
  null | boolean | string | number | bigint | RawJson | readonly Writable[] | { readonly [key: string]: Writable }

/** Text that is JSON already. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Compact JSON, keys in the order they stand. Integers beyond 2^53 keep their digits. */
export function writeJson(value: Writable): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return quote(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (value instanceof RawJson) return value.text
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`
  return `{${Object.entries(value)
    .map(([key, item]) => `${quote(key)}:${writeJson(item)}`)
    .join(',')}}`
}

/** Compact JSON of a value as it was written: order and digits kept. */
export function rewriteJson(value: JsonValue): string {
  return write(value, (object) => object.members)
}

/**
 * Canonical JSON: keys ascending by their UTF-8 bytes at every level, the last of a repeated key, no blanks,
 * minimal escaping.
 */
export function canonicalJson(value: JsonValue): string {
  return write(value, (object) => {
    const last = new Map(object.members.map((entry) => [entry.key, entry]))
    return [...last.values()].sort((left, right) => Buffer.compare(Buffer.from(left.key), Buffer.from(right.key)))
  })
}

type Members = Extract<JsonValue, { kind: 'object' }>['members']

function write(value: JsonValue, membersOf: (object: Extract<JsonValue, { kind: 'object' }>) => Members): string {
  if (typeof value === 'string') return quote(value)
  if (value === null || typeof value === 'boolean') return String(value)
  switch (value.kind) {
    case 'number':
      return value.digits
    case 'array':
      return `[${value.items.map((item) => write(item, membersOf)).join(',')}]`
    case 'object':
      return `{${membersOf(value)
        .map((entry) => `${quote(entry.key)}:${write(entry.value, membersOf)}`)
        .join(',')}}`
  }
}

/** JSON.stringify escapes minimally for text without lone surrogates, which nothing here holds. */
function quote(text: string): string {
  return JSON.stringify(text)
}

function isList(value: readonly Writable[] | { readonly [key: string]: Writable }): value is readonly Writable[] {
  return Array.isArray(value)
}
