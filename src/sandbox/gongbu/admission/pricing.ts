// Pure: from an input to a frozen price.
import { imageSizes, type ImageSize, type PriceCatalog } from '../prices/catalog.ts'
import { estimate, isImageOnly, type PriceSnapshot } from '../prices/estimate.ts'
import { JsonNumber, type Json, type JsonObject } from '../json/json-text.ts'

/** Limits that a price must respect. */
export interface PricingLimits {
  maximumArtifacts: number
  /** Zero when providers are disabled. */
  maximumSpendMinor: number
}

/** A price, no rule for the size, or anything else that makes the request invalid. */
export type Pricing = { kind: 'priced'; price: PriceSnapshot } | { kind: 'no-rule' } | { kind: 'invalid' }

/** Prices an image input for a selectable target. */
export function priceInput(
  catalog: PriceCatalog,
  target: { provider: string; model: string },
  input: JsonObject,
  limits: PricingLimits,
): Pricing {
  const images = readCount(input.get('image_count'))
  const inputTokens = readCount(input.get('input_tokens'))
  const outputTokens = readCount(input.get('max_output_tokens'))
  if (images === undefined || inputTokens === undefined || outputTokens === undefined) return { kind: 'invalid' }
  if ((images ?? 0n) > BigInt(limits.maximumArtifacts)) return { kind: 'invalid' }
  const size = readSize(input.get('image_size'))
  if (size.kind === 'invalid') return { kind: 'invalid' }
  const estimated = estimate(catalog, target, size.size, { images: Number(images ?? 0n) })
  if (estimated.kind === 'no-rule') return { kind: 'no-rule' }
  if (estimated.kind === 'indeterminable') return { kind: 'invalid' }
  const { price } = estimated
  const isAffordable = price.estimated_amount_minor <= limits.maximumSpendMinor
  return isAffordable && isImageOnly(price) ? { kind: 'priced', price } : { kind: 'invalid' }
}

/** A count that is not negative, null when there is none, undefined when it is not one. */
function readCount(value: Json | undefined): bigint | null | undefined {
  if (value === undefined || value === null) return null
  const integer = value instanceof JsonNumber ? value.integer : undefined
  return integer === undefined || integer < 0n ? undefined : integer
}

/** Text must be a known size; anything else that is no text counts as absent until preflight. */
function readSize(value: Json | undefined): { kind: 'size'; size: ImageSize | undefined } | { kind: 'invalid' } {
  if (typeof value !== 'string') return { kind: 'size', size: undefined }
  const size = imageSizes.find((one) => one === value)
  return size === undefined ? { kind: 'invalid' } : { kind: 'size', size }
}
