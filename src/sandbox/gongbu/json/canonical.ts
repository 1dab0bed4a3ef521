// Pure: the one text that stands for a JSON value, so that equal inputs are equal texts.
import { JsonNumber, type Json, type JsonObject } from './json-text.ts'

/** Whether a JSON value is an object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return value instanceof Map
}

/**
 * JSON text with members sorted at every level and no blanks. Numbers keep their kind: an integer stays an integer,
 * everything else is written as a double that still shows its fraction, so `1` and `1.0` differ while `1.0` and `1e0` do not.
 */
export function canonicalText(value: Json): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (value instanceof JsonNumber) return numberText(value)
  if (isObject(value)) {
    const members = [...value.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonicalText(one)}`).join(',')}}`
  }
  return `[${value.map(canonicalText).join(',')}]`
}

function numberText(number: JsonNumber): string {
  if (/^-?[0-9]+$/.test(number.literal) && number.literal !== '-0') {
    const integer = BigInt(number.literal)
    if (BigInt.asIntN(64, integer) === integer || BigInt.asUintN(64, integer) === integer) return integer.toString()
  }
  const double = Number(number.literal)
  if (Object.is(double, -0)) return '-0.0'
  const text = String(double)
  return /[.e]/.test(text) ? text : `${text}.0`
}
