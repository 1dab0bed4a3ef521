// Pure: the checks of an image input before any money moves.
import { isObject } from '../json/canonical.ts'
import { JsonNumber, type JsonObject } from '../json/json-text.ts'

const known = new Set(['prompt', 'image_count', 'image_size', 'options', 'input_tokens', 'max_output_tokens'])
const longestPromptBytes = 32_000

/** `provider_contract_failure` when input schema 1 does not describe the input, else undefined. */
export function checkImageInput(input: JsonObject, inputSchemaVersion: string): string | undefined {
  const refusal = 'provider_contract_failure'
  if (inputSchemaVersion !== '1') return refusal
  if ([...input.keys()].some((name) => !known.has(name))) return refusal
  const prompt = input.get('prompt')
  if (typeof prompt !== 'string' || prompt.trim() === '') return refusal
  if (Buffer.byteLength(prompt) > longestPromptBytes) return refusal
  const size = input.get('image_size') ?? null
  if (size !== null && typeof size !== 'string') return refusal
  const options = input.get('options') ?? null
  if (options !== null && !isObject(options)) return refusal
  const count = input.get('image_count') ?? null
  return count === null || count instanceof JsonNumber ? undefined : refusal
}
