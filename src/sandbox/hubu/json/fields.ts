// Reads what a route expects out of a JSON object.
import { Refusal } from '../refusal.ts'
import { JsonSyntaxError, parseJson } from './parse.ts'
import { heightOf, integerOf, isObject, type JsonObject, type JsonValue } from './value.ts'

/** The deepest nesting of anything that is read, the body included. */
const deepest = 127
const smallest = -(2n ** 63n)
const largest = 2n ** 63n - 1n

/** What a route knows of an object. */
export interface Shape {
  /** The keys that are read. */
  keys: readonly string[]
  /** Refuse other keys. Without it they are ignored, repeated or deep as they may be. */
  strict?: boolean
  /** Other spellings of keys. */
  aliases?: Readonly<Record<string, string>>
  /** How deep the object itself stands, the body being 1. */
  depth?: number
}

/** Typed access to an object's members. Every method throws a 400 for a value of another type. */
export interface Fields {
  /** Whether the key was sent, null included. */
  has(key: string): boolean
  /** A value of any type; null counts as absent. */
  value(key: string): JsonValue | undefined
  text(key: string): string
  optionalText(key: string): string | undefined
  /** A signed 64-bit integer in plain digits. */
  integer(key: string): bigint
  optionalInteger(key: string): bigint | undefined
  object(key: string): JsonObject
  optionalObject(key: string): JsonObject | undefined
}

/** Parses a request body that must be one JSON object. Throws a 400 Refusal. */
export function parseBody(text: string): JsonObject {
  let value: JsonValue
  try {
    value = parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new Refusal(`failed to parse request body: ${error.message}`)
    throw error
  }
  if (!isObject(value)) throw new Refusal('failed to parse request body: expected a JSON object')
  return value
}

/** Checks the keys of an object against a shape and opens it for reading. Throws a 400 Refusal. */
export function readFields(object: JsonObject, shape: Shape): Fields {
  const found = new Map<string, JsonValue>()
  for (const { key, value } of object.members) {
    const name = shape.aliases?.[key] ?? key
    if (!shape.keys.includes(name)) {
      if (shape.strict) throw new Refusal(`unknown field \`${key}\``)
      continue
    }
    if (found.has(name)) throw new Refusal(`duplicate field \`${key}\``)
    if (heightOf(value) + (shape.depth ?? 1) > deepest) throw new Refusal('recursion limit exceeded')
    found.set(name, value)
  }
  const value = (key: string) => found.get(key) ?? undefined
  const optional =
    <Type>(wanted: string, convert: (value: JsonValue) => Type | undefined) =>
    (key: string): Type | undefined => {
      const given = value(key)
      if (given === undefined) return undefined
      const converted = convert(given)
      if (converted === undefined) throw new Refusal(`invalid type for \`${key}\`: expected ${wanted}`)
      return converted
    }
  const needed =
    <Type>(read: (key: string) => Type | undefined) =>
    (key: string): Type => {
      const given = read(key)
      if (given === undefined) throw new Refusal(`missing field \`${key}\``)
      return given
    }
  const optionalText = optional('a string', (given) => (typeof given === 'string' ? given : undefined))
  const optionalInteger = optional('a 64-bit integer', (given) => {
    const integer = integerOf(given)
    return integer !== undefined && integer >= smallest && integer <= largest ? integer : undefined
  })
  const optionalObject = optional('an object', (given) => (isObject(given) ? given : undefined))
  return {
    has: (key) => found.has(key),
    value,
    text: needed(optionalText),
    optionalText,
    integer: needed(optionalInteger),
    optionalInteger,
    object: needed(optionalObject),
    optionalObject,
  }
}
