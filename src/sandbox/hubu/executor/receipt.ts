// Pure: receipts of executors, and exact vendor costs in cents.
import { readFields } from '../json/fields.ts'
import { parseJson } from '../json/parse.ts'
import { member, type JsonObject } from '../json/value.ts'
import { canonicalJson, rewriteJson } from '../json/write.ts'
import { mostCents } from '../money.ts'
import { Refusal } from '../refusal.ts'

/** What an executor, or a human, reports. The snapshot is JSON text as it was sent. */
export interface Receipt {
  costAmount: bigint
  costScale: bigint
  chargeCents: bigint
  providerRequestId: string
  priceModelSnapshot: string
  artifactReference: string
}

/** A receipt whose form fits and whose values are not checked yet. */
export interface RawReceipt {
  amount: bigint
  scale: bigint
  currency: string
  providerRequestId: string
  priceModelSnapshot: JsonObject
  artifactReference: string
}

const receiptKeys = [
  'actual_vendor_cost',
  'actual_vendor_cost_cents',
  'provider_request_id',
  'price_model_snapshot',
  'artifact_reference',
]

/** The finest scale of an exact cost. */
const finestScale = 18n

/** Reads the form of a receipt: strict keys, exactly one form of the cost. Throws a 400 when it does not fit. */
export function readRawReceipt(object: JsonObject): RawReceipt {
  const fields = readFields(object, { keys: receiptKeys, strict: true, depth: 2 })
  const exact = fields.optionalObject('actual_vendor_cost')
  const cents = fields.optionalInteger('actual_vendor_cost_cents')
  if ((exact === undefined) === (cents === undefined))
    throw new Refusal('a receipt takes exactly one of actual_vendor_cost and actual_vendor_cost_cents')
  const rest = {
    providerRequestId: fields.text('provider_request_id'),
    priceModelSnapshot: fields.object('price_model_snapshot'),
    artifactReference: fields.text('artifact_reference'),
  }
  if (exact === undefined) return { amount: cents ?? 0n, scale: 2n, currency: 'usd', ...rest }
  const cost = readFields(exact, { keys: ['amount', 'scale', 'currency'], strict: true, depth: 3 })
  return { amount: cost.integer('amount'), scale: cost.integer('scale'), currency: cost.text('currency'), ...rest }
}

/** Checks the values of a receipt and works out its charge. Throws a 400. */
export function checkReceipt(raw: RawReceipt): Receipt {
  if (raw.currency.toLowerCase() !== 'usd') throw new Refusal(`unsupported currency \`${raw.currency.toLowerCase()}\``)
  if (raw.amount < 0n) throw new Refusal('actual vendor cost must not be negative')
  if (raw.scale < 0n || raw.scale > finestScale)
    throw new Refusal(`actual vendor cost scale must be between 0 and ${finestScale}`)
  for (const [name, text] of [
    ['provider_request_id', raw.providerRequestId],
    ['artifact_reference', raw.artifactReference],
  ] as const)
    if (text.trim() === '') throw new Refusal(`receipt ${name} must not be blank`)
  const currency = member(raw.priceModelSnapshot, 'currency')
  if (typeof currency !== 'string' || currency.trim().toLowerCase() !== 'usd')
    throw new Refusal('receipt price_model_snapshot must name the currency USD')
  return {
    costAmount: raw.amount,
    costScale: raw.scale,
    chargeCents: chargeCents(raw.amount, raw.scale),
    providerRequestId: raw.providerRequestId,
    priceModelSnapshot: rewriteJson(raw.priceModelSnapshot),
    artifactReference: raw.artifactReference,
  }
}

/** The cents of an exact cost, rounded up once. A 400 beyond 64 bits. */
export function chargeCents(amount: bigint, scale: bigint): bigint {
  const cents = scale <= 2n ? amount * 10n ** (2n - scale) : roundUp(amount, 10n ** (scale - 2n))
  if (cents > mostCents) throw new Refusal('actual vendor cost is too large')
  return cents
}

/** Whether two snapshots, as JSON text, are the same value. */
export function sameSnapshot(one: string, other: string): boolean {
  return canonicalJson(parseJson(one)) === canonicalJson(parseJson(other))
}

function roundUp(amount: bigint, divisor: bigint): bigint {
  return (amount + divisor - 1n) / divisor
}
