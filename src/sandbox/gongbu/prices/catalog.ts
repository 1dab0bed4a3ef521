// What providers charge.
import { createHash } from 'node:crypto'

/** The image sizes a price may depend on. */
export const imageSizes = ['1k', '2k', '4k'] as const
/** One of them. */
export type ImageSize = (typeof imageSizes)[number]

/** What a rate counts. */
export type PriceUnit = 'image' | 'input_token' | 'output_token'

/** One rate: `rateNumeratorMinor / rateDenominator` minor units for each unit. Integers, the denominator above 0. */
export interface PriceComponent {
  unit: PriceUnit
  rateNumeratorMinor: number
  rateDenominator: number
}

/** One rule. Without `imageSize` it fits only requests that give no size, with one only requests that give this size. */
export interface PriceRule {
  ruleId: string
  provider: string
  model: string
  imageSize?: ImageSize
  components: readonly PriceComponent[]
}

/** A catalog; its currency is USD, the only one there is. */
export interface PriceCatalog {
  version: string
  rules: readonly PriceRule[]
}

/** `sha256:` and 64 hex digits over the catalog's content. */
export function catalogDigest(catalog: PriceCatalog): string {
  const content = JSON.stringify([
    catalog.version,
    catalog.rules.map((rule) => [
      rule.ruleId,
      rule.provider,
      rule.model,
      rule.imageSize ?? null,
      rule.components.map((one) => [one.unit, one.rateNumeratorMinor, one.rateDenominator]),
    ]),
  ])
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}

/**
 * Refuses a catalog with a rule id twice, a unit twice in a rule, a bad rate, a selector on anything
 * but one image rate, or, for one provider and model, an unsized rule beside others or a size twice. Throws an Error.
 */
export function checkCatalog(catalog: PriceCatalog): void {
  const ids = new Set<string>()
  const selectors = new Map<string, (ImageSize | undefined)[]>()
  for (const rule of catalog.rules) {
    if (ids.has(rule.ruleId)) throw new Error(`price rule ${rule.ruleId} stands twice`)
    ids.add(rule.ruleId)
    const units = rule.components.map((one) => one.unit)
    if (units.length === 0 || new Set(units).size !== units.length)
      throw new Error(`price rule ${rule.ruleId} needs each of its units once`)
    if (!rule.components.every(({ rateNumeratorMinor: n, rateDenominator: d }) => isRate(n, d)))
      throw new Error(`price rule ${rule.ruleId} has an impossible rate`)
    if (rule.imageSize !== undefined && (units.length !== 1 || units[0] !== 'image'))
      throw new Error(`price rule ${rule.ruleId} has a size but is not priced by image alone`)
    const key = JSON.stringify([rule.provider, rule.model])
    selectors.set(key, [...(selectors.get(key) ?? []), rule.imageSize])
  }
  for (const sizes of selectors.values()) {
    if (new Set(sizes).size !== sizes.length || (sizes.includes(undefined) && sizes.length > 1))
      throw new Error('two price rules of one model fit the same request')
  }
}

function isRate(numerator: number, denominator: number): boolean {
  return Number.isSafeInteger(numerator) && numerator >= 0 && Number.isSafeInteger(denominator) && denominator > 0
}
