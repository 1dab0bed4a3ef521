// Pure: the body of `POST /v1/executions` and what it asserts (G 2.3).
import type { Asserted, Assertion } from './create.ts'
import { canonicalText, isObject } from './canonical.ts'
import { JsonNumber, readJson, type Json } from './json-text.ts'
import {
  decodeMembers,
  decodeWork,
  isIdentifier,
  isInteger,
  isTokenShaped,
  sharedMembers,
  type CreateRequest,
} from './request-body.ts'

/** A legacy request with its assertions, or why it is none. */
export type LegacyBody =
  { kind: 'request'; request: CreateRequest; holds: Assertion } | { kind: 'invalid' } | { kind: 'aliases-differ' }

const required = [
  ...sharedMembers,
  'hubu_authorization_id',
  'hubu_token_reference',
  'operation_key',
  'hubu_claim_id',
  'authorization',
]
const invalid: LegacyBody = { kind: 'invalid' }

/** Reads the body. The two names of the token must agree, trimmed. */
export function decodeLegacyCreate(body: Uint8Array): LegacyBody {
  const object = decodeMembers(body, required, ['execution_scope'])
  if (object === undefined || !isInteger(object.get('schema_version'), 1n)) return invalid
  const [authorizationId, reference, operationKey, claimId] = [
    'hubu_authorization_id',
    'hubu_token_reference',
    'operation_key',
    'hubu_claim_id',
  ].map((name) => object.get(name))
  if (!isIdentifier(authorizationId) || !isIdentifier(reference) || !isIdentifier(operationKey)) return invalid
  if (claimId !== null && typeof claimId !== 'string') return invalid
  const money = readMoney(object.get('authorization'))
  const scope = object.get('execution_scope') ?? null
  if (money === undefined || (scope !== null && !isObject(scope))) return invalid
  if (authorizationId.trim() !== reference.trim()) return { kind: 'aliases-differ' }
  const tokenId = authorizationId.trim()
  const request = isTokenShaped(tokenId) ? decodeWork(object, tokenId) : undefined
  if (request === undefined) return invalid
  return {
    kind: 'request',
    request,
    holds: (found) =>
      found.operationKey === operationKey &&
      (claimId === null || claimId === found.claimId) &&
      found.amountMinor === money.amountMinor &&
      found.currency === money.currency &&
      (scope === null || hasScope(found, scope)),
  }
}

/** Deep equality, display names included. */
function hasScope(found: Asserted, asserted: Json): boolean {
  const derived = readJson(Buffer.from(JSON.stringify(found.scope)))
  return derived.kind === 'json' && canonicalText(derived.value) === canonicalText(asserted)
}

function readMoney(value: Json | undefined): { amountMinor: number; currency: string } | undefined {
  if (!isObject(value) || value.size !== 2) return undefined
  const amount = value.get('amount_minor')
  const currency = value.get('currency')
  const integer = amount instanceof JsonNumber ? amount.integer : undefined
  if (integer === undefined || integer < 0n || typeof currency !== 'string' || !/^[A-Za-z]{3}$/.test(currency))
    return undefined
  return { amountMinor: Number(integer), currency: currency.toUpperCase() }
}
