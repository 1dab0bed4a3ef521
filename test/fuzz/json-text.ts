// JSON as it is written: number spellings, escapes, member order. Whoever makes a piece of it knows what its text shows and
// its parsed value does not, so nobody has to believe the router's own scanner.
import fc from 'fast-check'

/** One piece of JSON text with what is true of it by construction. */
export type JsonText =
  | { kind: 'literal'; text: 'true' | 'false' | 'null' }
  /** `isExact`: a double holds exactly this value, and it is no integer beyond 2^53-1. */
  | { kind: 'number'; text: string; isExact: boolean }
  | { kind: 'string'; value: string; isEscaped: boolean }
  | { kind: 'array'; items: JsonText[] }
  | { kind: 'object'; members: Member[] }

export type Member = readonly [key: string, value: JsonText]

/** What a text shows beyond its value. */
export interface Facts {
  isExact: boolean
  hasDuplicate: boolean
  hasProto: boolean
  isWellFormed: boolean
  /** 0 for a scalar. */
  depth: number
}

/** The text. Halves of surrogate pairs are escaped, since UTF-8 cannot carry them. */
export function print(piece: JsonText): string {
  switch (piece.kind) {
    case 'literal':
    case 'number':
      return piece.text
    case 'string':
      return quote(piece.value, piece.isEscaped)
    case 'array':
      return `[${piece.items.map(print).join(' ,')}]`
    case 'object':
      return `{${piece.members.map(([key, value]) => `${quote(key, false)}: ${print(value)}`).join(',')}}`
  }
}

/** Everything that is true of a text by construction. */
export function factsOf(piece: JsonText): Facts {
  switch (piece.kind) {
    case 'literal':
      return plain
    case 'number':
      return { ...plain, isExact: piece.isExact }
    case 'string':
      return { ...plain, isWellFormed: piece.value.isWellFormed() }
    case 'array':
      return below(piece.items.map(factsOf))
    case 'object': {
      const keys = piece.members.map(([key]) => key)
      const inner = below(piece.members.map(([, value]) => factsOf(value)))
      return {
        ...inner,
        hasDuplicate: inner.hasDuplicate || new Set(keys).size < keys.length,
        hasProto: inner.hasProto || keys.includes('__proto__'),
        isWellFormed: inner.isWellFormed && keys.every((key) => key.isWellFormed()),
      }
    }
  }
}

const plain: Facts = { isExact: true, hasDuplicate: false, hasProto: false, isWellFormed: true, depth: 0 }

function below(parts: Facts[]): Facts {
  return {
    isExact: parts.every(({ isExact }) => isExact),
    hasDuplicate: parts.some(({ hasDuplicate }) => hasDuplicate),
    hasProto: parts.some(({ hasProto }) => hasProto),
    isWellFormed: parts.every(({ isWellFormed }) => isWellFormed),
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
  }
}

function quote(text: string, isEscaped: boolean): string {
  if (!isEscaped) return JSON.stringify(text)
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0'))
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`
}

/** A string piece. */
export const stringOf = (value: string, isEscaped = false): JsonText => ({ kind: 'string', value, isEscaped })

/** An integer that a double holds, in one of its spellings: `100`, `100.0`, `1e2`, `10.0E+1`. */
export function integerText(value: number, spelling: number): JsonText {
  const digits = String(value)
  const zeros = value === 0 ? 0 : (/0*$/.exec(digits)?.[0].length ?? 0)
  const spellings = [
    digits,
    digits,
    digits,
    `${digits}.0`,
    `${digits}.000`,
    `${digits}e0`,
    `${digits.slice(0, digits.length - zeros)}e${zeros}`,
    value === 0 ? '0E-2' : `${digits}00E-2`,
  ]
  return { kind: 'number', text: spellings[spelling % spellings.length] ?? digits, isExact: true }
}

/** Integers that a double holds: small ones, amounts, and the largest. */
export const integers = fc
  .tuple(
    fc.oneof(
      fc.integer({ min: -3, max: 300 }),
      fc.integer({ min: 0, max: 1e9 }),
      fc.constantFrom(0, 1, 100, 1e6, 2 ** 31, 2 ** 32, 2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 53 - 2),
      fc.maxSafeInteger(),
    ),
    fc.nat(7),
  )
  .map(([value, spelling]) => integerText(value, spelling))

/** Numbers whose value no double holds, or that are integers beyond 2^53-1. */
export const inexactNumbers = fc
  .constantFrom(
    ...['9007199254740992', '9007199254740993', '-9007199254740993', '12345678901234567890', '1e400', '-1e400'],
    ...['1e300', '0.1000000000000000055511151231257827', '1e-400', '9007199254740993.0', '900719925474099300e-2'],
    ...['1.00000000000000000001', '99999999999999999999e-20'],
  )
  .map((text): JsonText => ({ kind: 'number', text, isExact: false }))

/** Fractions, as a double prints itself. */
const fractions = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((value) => !Number.isInteger(value))
  .map((value): JsonText => ({ kind: 'number', text: String(value), isExact: true }))

/** Texts that some layer of a program likes to change: emoji, combining marks, direction marks, controls, `\u2028`. */
export const texts = fc
  .oneof(
    { weight: 4, arbitrary: fc.string({ maxLength: 12 }) },
    { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...['𝄞🇨🇭👩‍👩‍👧', 'e\u0301', '\u00e9', '\u202eabc', '\ufeff', '\u2028\u2029', '\0\u001f\u007f', '"\\/\b\f\n\r\t'],
        ...['&a=b#?%2F+ ', '../..', '</script>', 'ﬁ', 'ß', '\uffff', '\u{10ffff}', ' ', '', 'null', '1.0', '${x}'],
      ),
    },
  )
  .filter((text) => text.isWellFormed())

const brokenTexts = fc.constantFrom('\ud800', 'a\udc00b', '\ud83d', '\udc00\ud800')

const strings = fc
  .tuple(fc.oneof({ weight: 30, arbitrary: texts }, { weight: 1, arbitrary: brokenTexts }), fc.boolean())
  .map(([value, isEscaped]) => stringOf(value, isEscaped))

const keys = fc.oneof(
  { weight: 20, arbitrary: texts },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'prompt', 'headers', 'API-Key', '\ud800'),
  },
)

const { piece } = fc.letrec<{ piece: JsonText }>((tie) => ({
  piece: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 2, arbitrary: fc.constantFrom<JsonText>(literal('true'), literal('false'), literal('null')) },
    { weight: 6, arbitrary: strings },
    { weight: 4, arbitrary: integers },
    { weight: 2, arbitrary: fractions },
    { weight: 1, arbitrary: fc.oneof({ weight: 4, arbitrary: integers }, { weight: 1, arbitrary: inexactNumbers }) },
    {
      weight: 2,
      arbitrary: fc.array(tie('piece'), { maxLength: 3 }).map((items): JsonText => ({ kind: 'array', items })),
    },
    { weight: 3, arbitrary: fc.array(fc.tuple(keys, tie('piece')), { maxLength: 4 }).map(objectOf) },
  ),
}))

/** Any JSON, most of it harmless. */
export const anyPiece: fc.Arbitrary<JsonText> = piece

/** Any JSON object. */
export const anyObject: fc.Arbitrary<JsonText> = fc.array(fc.tuple(keys, piece), { maxLength: 5 }).map(objectOf)

/** An object piece. */
export function objectOf(members: readonly Member[]): JsonText {
  return { kind: 'object', members: [...members] }
}

function literal(text: 'true' | 'false' | 'null'): JsonText {
  return { kind: 'literal', text }
}

/** Objects nested so many levels deep, innermost empty. */
export function nested(levels: number): JsonText {
  let inner: JsonText = objectOf([])
  for (let level = 1; level < levels; level++)
    inner = level % 2 ? { kind: 'array', items: [inner] } : objectOf([['n', inner]])
  return objectOf([['n', inner]])
}
