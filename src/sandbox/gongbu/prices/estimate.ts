// Pure: what a request will cost at most, and what a finished one did cost.
import { catalogDigest, type ImageSize, type PriceCatalog, type PriceRule, type PriceUnit } from './catalog.ts'
import { ceiling, halfUp, sum, type Rational } from './rational.ts'

/** The price frozen into an execution, in its wire form. */
export interface PriceSnapshot {
  schema_version: 2
  provider: string
  model: string
  catalog_version: string
  catalog_digest: string
  pricing_rule_id: string
  selector?: { image_size: ImageSize }
  components: { unit: PriceUnit; rate_numerator_minor: number; rate_denominator: number; quantity: number }[]
  exact_estimate_numerator: string
  exact_estimate_denominator: string
  estimated_amount_minor: number
  currency: 'USD'
}

/** What a request counts. */
export interface Quantities {
  images: number
  inputTokens?: number
  outputTokens?: number
}

/** A price, no rule for the given size (or its absence), or a cost that cannot be told. */
export type Estimate = { kind: 'priced'; price: PriceSnapshot } | { kind: 'no-rule' } | { kind: 'indeterminable' }

/** Prices a request. The amount is rounded up to whole minor units. */
export function estimate(
  catalog: PriceCatalog,
  target: { provider: string; model: string },
  imageSize: ImageSize | undefined,
  quantities: Quantities,
): Estimate {
  const rule = rulesOf(catalog, target).find((one) => one.imageSize === imageSize)
  if (rule === undefined) return { kind: 'no-rule' }
  const components = rule.components.map((one) => ({
    unit: one.unit,
    rate_numerator_minor: one.rateNumeratorMinor,
    rate_denominator: one.rateDenominator,
    quantity: quantityOf(one.unit, quantities),
  }))
  if (!isCountable(components)) return { kind: 'indeterminable' }
  const exact = sum(components.map((one) => cost(one, one.quantity)))
  const amount = ceiling(exact)
  if (amount > BigInt(Number.MAX_SAFE_INTEGER)) return { kind: 'indeterminable' }
  return {
    kind: 'priced',
    price: {
      schema_version: 2,
      provider: target.provider,
      model: target.model,
      catalog_version: catalog.version,
      catalog_digest: catalogDigest(catalog),
      pricing_rule_id: rule.ruleId,
      ...(rule.imageSize === undefined ? {} : { selector: { image_size: rule.imageSize } }),
      components,
      exact_estimate_numerator: exact.numerator.toString(),
      exact_estimate_denominator: exact.denominator.toString(),
      estimated_amount_minor: Number(amount),
      currency: 'USD',
    },
  }
}

/** Whether any rule prices this provider and model. */
export function hasPrice(catalog: PriceCatalog, target: { provider: string; model: string }): boolean {
  return rulesOf(catalog, target).length > 0
}

/** Whether the price depends on images and nothing else. */
export function isImageOnly(price: PriceSnapshot): boolean {
  return price.components.length === 1 && price.components[0]?.unit === 'image'
}

/**
 * The amount to settle for the images that the provider reported, rounded half up, or undefined when the report is
 * missing, negative, not whole or above what was estimated, or when the amount would exceed estimate or authorization.
 */
export function settlementAmount(
  price: PriceSnapshot,
  reportedImages: number | null | undefined,
  authorizedMinor: number,
): number | undefined {
  const component = price.components[0]
  if (component === undefined || !isImageOnly(price)) return undefined
  if (typeof reportedImages !== 'number' || !Number.isSafeInteger(reportedImages)) return undefined
  if (reportedImages < 0 || reportedImages > component.quantity) return undefined
  const amount = Number(halfUp(cost(component, reportedImages)))
  return amount > price.estimated_amount_minor || amount > authorizedMinor ? undefined : amount
}

/** Whether a frozen price still adds up to its own estimate. */
export function isConsistent(price: PriceSnapshot): boolean {
  return ceiling(sum(price.components.map((one) => cost(one, one.quantity)))) === BigInt(price.estimated_amount_minor)
}

function rulesOf(catalog: PriceCatalog, target: { provider: string; model: string }): PriceRule[] {
  return catalog.rules.filter((rule) => rule.provider === target.provider && rule.model === target.model)
}

function quantityOf(unit: PriceUnit, quantities: Quantities): number {
  switch (unit) {
    case 'image':
      return quantities.images
    case 'input_token':
      return quantities.inputTokens ?? 0
    case 'output_token':
      return quantities.outputTokens ?? 0
  }
}

/** Images must be at least one; tokens that nobody counted are no price. */
function isCountable(components: PriceSnapshot['components']): boolean {
  return components.every((one) => one.quantity >= 1)
}

function cost(rate: { rate_numerator_minor: number; rate_denominator: number }, quantity: number): Rational {
  return { numerator: BigInt(rate.rate_numerator_minor) * BigInt(quantity), denominator: BigInt(rate.rate_denominator) }
}
