// JSON as it was written: numbers keep their digits and objects their repeated keys, so that nothing is rounded or lost
// before a rule has looked at it.

/** A JSON value. `height` is how deep a container nests, itself included; scalars have none. */
export type JsonValue = null | boolean | string | JsonNumber | JsonArray | JsonObject

/** A number as it was written. */
export interface JsonNumber {
  kind: 'number'
  digits: string
}

/** A list. */
export interface JsonArray {
  kind: 'array'
  items: JsonValue[]
  height: number
}

/** An object: its members in order, a repeated key as often as it came. */
export interface JsonObject {
  kind: 'object'
  members: { key: string; value: JsonValue }[]
  height: number
}

/** Whether a value is an object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && value.kind === 'object'
}

/** How deep a value nests: 0 for scalars, 1 for an empty list or object. */
export function heightOf(value: JsonValue): number {
  return typeof value === 'object' && value !== null && value.kind !== 'number' ? value.height : 0
}

/** The value of a key, the last one if it is repeated. */
export function member(object: JsonObject, key: string): JsonValue | undefined {
  return object.members.findLast((entry) => entry.key === key)?.value
}

/** The integer that a number's digits say, or undefined for fractions, exponents and minus zero. */
export function integerOf(value: JsonValue | undefined): bigint | undefined {
  if (typeof value !== 'object' || value === null || value.kind !== 'number') return undefined
  return /^(?:0|-?[1-9][0-9]*)$/.test(value.digits) ? BigInt(value.digits) : undefined
}
