import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkCatalog, type PriceCatalog, type PriceRule } from '../../../../src/sandbox/gongbu/prices/catalog.ts'
import { estimate, settlementAmount, type PriceSnapshot } from '../../../../src/sandbox/gongbu/prices/estimate.ts'

const model = { provider: 'sandbox', model: 'm' }
const rule = (numerator: number, denominator: number, over: Partial<PriceRule> = {}): PriceRule => ({
  ruleId: 'r',
  ...model,
  components: [{ unit: 'image', rateNumeratorMinor: numerator, rateDenominator: denominator }],
  ...over,
})
const catalog = (...rules: PriceRule[]): PriceCatalog => ({ version: 'v', rules })

function price(numerator: number, denominator: number, images: number): PriceSnapshot {
  const estimated = estimate(catalog(rule(numerator, denominator)), model, undefined, { images })
  if (estimated.kind !== 'priced') throw new Error(estimated.kind)
  return estimated.price
}

test.each([
  [67, 10, 1, 7],
  [101, 10, 1, 11],
  [3, 2, 2, 3],
  [1, 1, 4, 4],
  [3, 2, 1, 2],
  [0, 1, 1, 0],
])('%i/%i for %i images is estimated at %i', (numerator, denominator, images, amount) => {
  expect(price(numerator, denominator, images).estimated_amount_minor).toBe(amount)
})

test('a frozen price says how it came about', () => {
  expect(price(101, 10, 2)).toEqual({
    schema_version: 2,
    ...model,
    catalog_version: 'v',
    catalog_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    pricing_rule_id: 'r',
    components: [{ unit: 'image', rate_numerator_minor: 101, rate_denominator: 10, quantity: 2 }],
    exact_estimate_numerator: '101',
    exact_estimate_denominator: '5',
    estimated_amount_minor: 21,
    currency: 'USD',
  })
})

test('costs that no integer can hold are indeterminable', () => {
  const huge = catalog(rule(Number.MAX_SAFE_INTEGER, 1))
  expect(estimate(huge, model, undefined, { images: 2 })).toEqual({ kind: 'indeterminable' })
  expect(estimate(huge, model, undefined, { images: 0 })).toEqual({ kind: 'indeterminable' })
})

test('an unsized rule fits only requests without a size, a sized one only its own', () => {
  const kind = (prices: PriceCatalog, size?: '1k' | '2k') => estimate(prices, model, size, { images: 1 }).kind
  expect([kind(catalog(rule(1, 1))), kind(catalog(rule(1, 1)), '1k')]).toEqual(['priced', 'no-rule'])
  const sized = catalog(rule(1, 1, { imageSize: '1k' }))
  expect([kind(sized), kind(sized, '1k'), kind(sized, '2k')]).toEqual(['no-rule', 'priced', 'no-rule'])
})

test.each([
  [101, 10, 1, 1, 10],
  [3, 2, 1, 1, 2],
  [1, 2, 1, 1, 1],
  [1, 3, 1, 1, 0],
  [1, 1, 3, 1, 1],
  [1, 1, 3, 0, 0],
])('%i/%i authorized for %i and used by %i settles %i, rounded half up', (n, d, images, used, cents) => {
  expect(settlementAmount(price(n, d, images), used, 1000)).toBe(cents)
})

test('what cannot be charged is no amount', () => {
  const three = price(1, 1, 3)
  for (const used of [null, undefined, -1, 4, 0.5, Number.NaN])
    expect(settlementAmount(three, used, 1000), String(used)).toBeUndefined()
  expect(settlementAmount(three, 3, 2)).toBeUndefined()
})

test('a settlement never exceeds the estimate, and full usage never leaves a whole cent over', () => {
  const rate = fc.integer({ min: 0, max: 10_000 })
  fc.assert(
    fc.property(rate, fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 4 }), (n, d, images) => {
      const frozen = price(n, d, images)
      const amount = settlementAmount(frozen, images, frozen.estimated_amount_minor) ?? -1
      expect(amount).toBeLessThanOrEqual(frozen.estimated_amount_minor)
      expect(frozen.estimated_amount_minor - amount).toBeLessThanOrEqual(1)
    }),
  )
})

test.each<[string, PriceRule[]]>([
  ['a rule id twice', [rule(1, 1), rule(1, 1, { model: 'other' })]],
  ['no components', [rule(1, 1, { components: [] })]],
  ['a rate below 0', [rule(-1, 1)]],
  ['a denominator of 0', [rule(1, 0)]],
  ['a size twice', [rule(1, 1, { imageSize: '1k' }), rule(1, 1, { ruleId: 's', imageSize: '1k' })]],
  ['an unsized rule beside a sized one', [rule(1, 1), rule(1, 1, { ruleId: 's', imageSize: '1k' })]],
  [
    'a size on token prices',
    [rule(1, 1, { imageSize: '1k', components: [{ unit: 'input_token', rateNumeratorMinor: 1, rateDenominator: 1 }] })],
  ],
])('a catalog with %s is refused', (_, rules) => {
  expect(() => checkCatalog(catalog(...rules))).toThrow(/price rule/)
})
