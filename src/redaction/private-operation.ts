import { isObject } from '../json/read.ts'
import { mapStrings, privateOperationMarker, replaceInStrings } from './replace.ts'

const memberName = 'operation_key'

/**
 * A spend result without private identity: members named `operation_key` are gone at every depth, and what they
 * held, as well as `privateKey` and every other operation's key, is replaced in every string. Member names are not changed;
 * recording refuses those that hold the key.
 */
export function redactPrivateOperation(value: unknown, privateKey: string): unknown {
  const redacted = replaceInStrings(withoutKeys(value), [privateKey, ...collectKeys(value)], privateOperationMarker)
  return mapStrings(redacted, (text) => text.replace(anyPrivateKey, privateOperationMarker))
}

/** Every non-empty string that is the value of a member named `operation_key`, at any depth. */
function collectKeys(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(collectKeys)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) =>
    name === memberName && typeof item === 'string' && item !== '' ? [item] : collectKeys(item),
  )
}

/** The value without members named `operation_key`, at every depth. */
export function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => name !== memberName)
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutKeys(item)]))
}

/** A private operation key as this router makes them. */
const anyPrivateKey = /hubu:operation:v1:[A-Za-z0-9._-]{1,64}:[0-9a-f]{32}/g

/**
 * A text, JSON text included, without private operation keys of routers: claims that Hubu shows to whoever may read them hold
 * the key of their operation, which no agent sees. Everything else stays byte for byte.
 */
export function hidePrivateKeys(text: string): string {
  const plain = /\\u00[2-7]/.test(text) ? withPlainAscii(text) : text
  const hidden = plain.replace(anyPrivateKey, privateOperationMarker)
  return hidden === plain ? text : hidden
}

/** The same JSON with the characters of which keys are made written as they are. */
function withPlainAscii(json: string): string {
  return json.replace(/\\(?:u00([2-7][0-9a-fA-F])|.)/gs, (escape, hex: string | undefined) => {
    const char = hex === undefined ? escape : String.fromCharCode(Number.parseInt(hex, 16))
    return char === '"' || char === '\\' ? escape : char
  })
}
