import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalOf, isExactNumber } from '../../src/json/exact-number.ts'

const isExact = (token: string) => isExactNumber(token, 0, token.length, /e/i.test(token))

/** Written to be plainly right: both sides as fractions of big integers. */
function isExactSlowly(token: string): boolean {
  const value = Number(token)
  if (!Number.isFinite(value)) return false
  if (Number.isInteger(value) && Math.abs(value) > 2 ** 53 - 1) return false
  const [left, right] = [fraction(token), fraction(String(value))]
  return left.above * right.below === right.above * left.below
}

function fraction(token: string): { above: bigint; below: bigint } {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e')
  const [whole = '', part = ''] = mantissa.split('.')
  const digits = BigInt(`${whole.replace('-', '')}${part}`) * (token.startsWith('-') ? -1n : 1n)
  const power = Number(exponent) - part.length
  return power < 0
    ? { above: digits, below: 10n ** BigInt(-power) }
    : { above: digits * 10n ** BigInt(power), below: 1n }
}

const digits = (maxLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength })
const numberToken = fc
  .tuple(
    fc.boolean(),
    fc.oneof(digits(20), fc.constantFrom('0', '9007199254740991', '9007199254740992', '9007199254740993', '10000000')),
    fc.option(fc.oneof(digits(20), fc.constantFrom('0', '10', '5', '000000001'))),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.nat(400))),
  )
  .map(([isNegative, whole, part, exponent]) => {
    const canonicalWhole = whole.replace(/^0+(?=.)/, '')
    return `${isNegative ? '-' : ''}${canonicalWhole}${part === null ? '' : `.${part}`}${exponent === null ? '' : exponent.join('')}`
  })

describe('isExactNumber', () => {
  test.each([
    '0',
    '-0',
    '1.0',
    '1e2',
    '1e3',
    '0.1',
    '19.99',
    '4.35',
    '123456789012345',
    '9007199254740991',
    '0e99999999',
  ])('%s is exact', (token) => {
    expect(isExact(token)).toBe(true)
  })

  test.each([
    '9007199254740993',
    '9007199254740992',
    '-9007199254740993',
    '90071992547409.93e2',
    '1e400',
    '1e-400',
    '1e22',
    '12345678901234567890',
    '0.1000000000000000055',
    '1e99999999999999999999',
  ])('%s is not exact', (token) => {
    expect(isExact(token)).toBe(false)
  })

  test('it agrees with a slow reference', () => {
    fc.assert(
      fc.property(numberToken, (token) => {
        expect([token, isExact(token)]).toEqual([token, isExactSlowly(token)])
      }),
      { numRuns: 3000 },
    )
  })

  test('whatever JSON.stringify prints of a safe number is exact', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -(2 ** 53) + 1, max: 2 ** 53 - 1 }), (value) => {
        expect(isExact(JSON.stringify(value))).toBe(true)
      }),
    )
  })

  test('a token of a million zeros takes no quadratic time', () => {
    const token = `1${'0'.repeat(1_000_000)}1e-1000002`
    expect(isExact(token)).toBe(false)
    expect(isExact(`0.${'0'.repeat(1_000_000)}`)).toBe(true)
  })
})

test('decimalOf spells equal values alike', () => {
  const spellings = ['100', '1e2', '1.00E+2', '0.1e3', '1000e-1']
  expect(new Set(spellings.map(decimalOf)).size).toBe(1)
  expect(decimalOf('-0.0e5')).toBe(decimalOf('0'))
  expect(decimalOf('-1')).not.toBe(decimalOf('1'))
})
