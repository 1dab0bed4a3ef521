// Pure: exact fractions of minor units.

/** A fraction. The denominator is positive. */
export interface Rational {
  numerator: bigint
  denominator: bigint
}

/** The sum of fractions, reduced. */
export function sum(parts: readonly Rational[]): Rational {
  return parts.reduce(
    (total, part) =>
      reduced({
        numerator: total.numerator * part.denominator + part.numerator * total.denominator,
        denominator: total.denominator * part.denominator,
      }),
    { numerator: 0n, denominator: 1n },
  )
}

/** The smallest integer that is not below a fraction that is not negative. */
export function ceiling({ numerator, denominator }: Rational): bigint {
  return (numerator + denominator - 1n) / denominator
}

/** The nearest integer to a fraction that is not negative; halves go up. */
export function halfUp({ numerator, denominator }: Rational): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}

function reduced({ numerator, denominator }: Rational): Rational {
  let [a, b] = [numerator, denominator]
  while (b !== 0n) [a, b] = [b, a % b]
  return a === 0n ? { numerator, denominator } : { numerator: numerator / a, denominator: denominator / a }
}
