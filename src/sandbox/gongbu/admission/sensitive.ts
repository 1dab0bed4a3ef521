// Pure: names and texts that must not be stored.
import { isObject } from '../json/canonical.ts'
import type { Json } from '../json/json-text.ts'

const fragments = ['token', 'authorization', 'api_key', 'apikey', 'secret', 'password', 'credential']

/** Whether a member name smells of a secret. */
function isSensitiveName(name: string): boolean {
  const lower = name.toLowerCase()
  return fragments.some((fragment) => lower.includes(fragment))
}

/** Whether any object member at any depth has a sensitive name. */
export function hasSensitiveName(value: Json): boolean {
  if (isObject(value)) return [...value].some(([name, one]) => isSensitiveName(name) || hasSensitiveName(one))
  return Array.isArray(value) && value.some(hasSensitiveName)
}

/** Whether any text in the value, names included, contains one of the secrets. */
export function containsSecret(value: Json, secrets: readonly string[]): boolean {
  if (typeof value === 'string') return secrets.some((secret) => value.includes(secret))
  if (isObject(value))
    return [...value].some(([name, one]) => containsSecret(name, secrets) || containsSecret(one, secrets))
  return Array.isArray(value) && value.some((one) => containsSecret(one, secrets))
}

/** The value with everything under a sensitive name replaced. */
export function redacted(value: Json): Json {
  if (isObject(value))
    return new Map([...value].map(([name, one]) => [name, isSensitiveName(name) ? '[REDACTED]' : redacted(one)]))
  return Array.isArray(value) ? value.map(redacted) : value
}
