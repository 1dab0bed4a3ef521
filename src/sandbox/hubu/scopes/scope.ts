// What is bought: the catalog, selectors and canonical scopes. Pure.
import { createHash } from 'node:crypto'
import { readFields, type Shape } from '../json/fields.ts'
import type { JsonObject } from '../json/value.ts'
import { writeJson } from '../json/write.ts'
import { Refusal } from '../refusal.ts'

/** One of the four identities. */
export interface Identity {
  id: string
  display_name: string
}

/** A canonical scope as stored and returned. */
export type ExecutionScope = { schema_version: 1 } & Record<Part, Identity>

/** The four identities of a scope. */
export type Part = 'provider' | 'executor' | 'capability' | 'billing_merchant'

/** What a caller named, as it was written. */
export type Selector = Record<Part, string>

/** The four parts in their order. */
export const parts = ['provider', 'executor', 'capability', 'billing_merchant'] as const

const catalogProviders = [
  ['provider:google:gemini-vertex', 'Google Gemini on Vertex AI', 'merchant:google-cloud', 'Google Cloud'],
  ['provider:google:gemini-developer', 'Google Gemini Developer API', 'merchant:google', 'Google'],
  ['provider:black-forest-labs:flux', 'Black Forest Labs FLUX', 'merchant:black-forest-labs', 'Black Forest Labs'],
  ['provider:ideogram', 'Ideogram', 'merchant:ideogram', 'Ideogram'],
  ['provider:local:fixture', 'Local fixture provider', 'merchant:local', 'Local merchant'],
] as const

/** Everything that can be bought. */
export const catalog: readonly ExecutionScope[] = catalogProviders.map(([id, name, merchantId, merchantName]) => ({
  schema_version: 1,
  provider: { id, display_name: name },
  executor: { id: 'executor:gongbu:image', display_name: 'Gongbu image executor' },
  capability: { id: 'capability:image:generate', display_name: 'Generate image' },
  billing_merchant: { id: merchantId, display_name: merchantName },
}))

/** Reads a selector. Throws a 400 for unknown keys and for another schema version. */
export function readSelector(object: JsonObject): Selector {
  const fields = readFields(object, strictScope)
  if ((fields.optionalInteger('schema_version') ?? 1n) !== 1n)
    throw new Refusal('unsupported execution scope schema_version')
  return Object.fromEntries(parts.map((part) => [part, fields.text(part)])) as Selector
}

/** The catalog entry that all four words of a selector name, by id or by display name. Throws a 400. */
export function resolveSelector(selector: Selector): ExecutionScope {
  const names = ({ id, display_name }: Identity, word: string) =>
    id === word || asciiLower(display_name) === asciiLower(word)
  const found = catalog.filter((entry) => parts.every((part) => names(entry[part], selector[part].trim())))
  const [entry, second] = found
  if (entry === undefined) throw new Refusal('unknown execution scope identifier')
  if (second !== undefined) throw new Refusal('ambiguous execution scope identifier')
  return entry
}

/** Reads a canonical scope, which must be a catalog entry to the letter. Throws a 400. */
export function readCanonicalScope(object: JsonObject): ExecutionScope {
  const fields = readFields(object, strictScope)
  if (fields.integer('schema_version') !== 1n) throw new Refusal('unsupported execution scope schema_version')
  const identity = (part: Part): Identity => {
    const named = readFields(fields.object(part), { keys: ['id', 'display_name'], strict: true, depth: 3 })
    return { id: named.text('id'), display_name: named.text('display_name') }
  }
  const text = writeScope({
    schema_version: 1,
    provider: identity('provider'),
    executor: identity('executor'),
    capability: identity('capability'),
    billing_merchant: identity('billing_merchant'),
  })
  const entry = catalog.find((candidate) => writeScope(candidate) === text)
  if (entry === undefined) throw new Refusal('unknown execution scope identifier')
  return entry
}

/** The synthetic scope of a free-text merchant. */
export function legacyScope(merchant: string): ExecutionScope {
  const name = merchant.trim()
  const unresolved = (part: string) => ({ id: `${part}:legacy:unresolved`, display_name: `Legacy unresolved ${part}` })
  return {
    schema_version: 1,
    provider: unresolved('provider'),
    executor: unresolved('executor'),
    capability: unresolved('capability'),
    billing_merchant: {
      id: `merchant:legacy:${createHash('sha256').update(name).digest('hex').slice(0, 16)}`,
      display_name: name,
    },
  }
}

/** The stored text of a scope, the same for equal scopes. */
export function writeScope(scope: ExecutionScope): string {
  const identity = ({ id, display_name }: Identity) => ({ id, display_name })
  return writeJson({
    schema_version: 1,
    provider: identity(scope.provider),
    executor: identity(scope.executor),
    capability: identity(scope.capability),
    billing_merchant: identity(scope.billing_merchant),
  })
}

/** Reads back what `writeScope` wrote. */
export function storedScope(text: string | null): ExecutionScope | null {
  return text === null ? null : (JSON.parse(text) as ExecutionScope)
}

const strictScope: Shape = { keys: ['schema_version', ...parts], strict: true, depth: 2 }

function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
