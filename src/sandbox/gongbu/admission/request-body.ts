// Pure: the body of `POST /v2/executions`.
import type { TargetKey } from '../executions/execution.ts'
import { canonicalText, isObject } from '../json/canonical.ts'
import { JsonNumber, readJson, type Json, type JsonObject } from '../json/json-text.ts'

/** What a caller asks for. Two requests are the same when everything but the token is equal. */
export interface CreateRequest extends TargetKey {
  tokenId: string
  input: JsonObject
  normalizedInput: string
  /** Decimal text, because it may need 64 bits. */
  inputSchemaVersion: string
}

const members = [
  'schema_version',
  'spend_auth_token_id',
  'input',
  'input_schema_version',
  'workload_type',
  'provider',
  'adapter',
  'model',
]
const longestIdentifierBytes = 255

/** The request, or undefined when it is not exactly of this form. */
export function decodeCreate(body: Uint8Array): CreateRequest | undefined {
  const object = decodeMembers(body, members)
  if (object === undefined || !isInteger(object.get('schema_version'), 2n)) return undefined
  const tokenId = object.get('spend_auth_token_id')
  const input = object.get('input')
  const version = object.get('input_schema_version')
  const integer = version instanceof JsonNumber ? version.integer : undefined
  if (!isTokenShaped(tokenId) || !isObject(input) || integer === undefined || integer < 1n) return undefined
  const [workloadType, provider, adapter, model] = ['workload_type', 'provider', 'adapter', 'model'].map((name) =>
    object.get(name),
  )
  if (!isIdentifier(workloadType) || !isIdentifier(provider) || !isIdentifier(adapter) || !isIdentifier(model))
    return undefined
  return {
    tokenId,
    input,
    normalizedInput: canonicalText(input),
    inputSchemaVersion: integer.toString(),
    workloadType,
    provider,
    adapter,
    model,
  }
}

/** A strict object with exactly these members, none of them twice, or undefined. */
export function decodeMembers(body: Uint8Array, names: readonly string[]): JsonObject | undefined {
  const text = readJson(body)
  if (text.kind !== 'json' || !isObject(text.value) || text.repeated.length > 0) return undefined
  const { value } = text
  return value.size === names.length && names.every((name) => value.has(name)) ? value : undefined
}

/** Whether a value is this integer, written as one. */
export function isInteger(value: Json | undefined, expected: bigint): boolean {
  return value instanceof JsonNumber && value.integer === expected
}

/** Whether a value is text that is not blank and, trimmed, has at most 255 bytes. */
function isIdentifier(value: Json | undefined): value is string {
  if (typeof value !== 'string') return false
  const trimmed = value.trim()
  return trimmed !== '' && Buffer.byteLength(trimmed) <= longestIdentifierBytes
}

/** Whether the four target texts are free of surrounding blanks and control characters. */
export function isWellFormedTarget(target: TargetKey): boolean {
  return [target.workloadType, target.provider, target.adapter, target.model].every(
    (text) => text === text.trim() && !/\p{Cc}/u.test(text),
  )
}

/** Whether a value can be a spend authorization: what is a raw credential by its looks is never sent on. */
function isTokenShaped(value: Json | undefined): value is string {
  if (!isIdentifier(value) || value !== value.trim()) return false
  return !/^(bearer |eyj)/i.test(value) && !value.includes('.')
}
