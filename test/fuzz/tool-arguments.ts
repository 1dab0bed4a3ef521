// Arguments for a tool, made from its published schema: some fit it, some miss it narrowly.
import fc from 'fast-check'
import {
  anyObject,
  anyPiece,
  inexactNumbers,
  integers,
  integerText,
  nested,
  objectOf,
  stringOf,
  texts,
  type JsonText,
  type Member,
} from './json-text.ts'

/** The part of JSON Schema that the tools' input schemas use. */
export interface ToolSchema {
  type?: 'object' | 'string' | 'integer' | 'boolean'
  const?: number
  enum?: string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  pattern?: string
  properties?: Record<string, ToolSchema>
  required?: string[]
  additionalProperties?: boolean
}

/** Arguments that the schema accepts, by construction. */
export function fitting(schema: ToolSchema): fc.Arbitrary<JsonText> {
  return piecesFor(schema, (_schema, fits) => fits)
}

/** Arguments that the schema may or may not accept: at every place something else may stand. */
export function nearlyFitting(schema: ToolSchema): fc.Arbitrary<JsonText> {
  return piecesFor(schema, (part, fits) =>
    fc.oneof(
      { weight: 40, arbitrary: fits },
      { weight: 1, arbitrary: anyPiece },
      { weight: 1, arbitrary: inexactNumbers },
      { weight: 4, arbitrary: fc.constantFrom(...misses(part)) },
      ...(part.type === 'object' ? [{ weight: 5, arbitrary: fits.chain(withOddMember) }] : []),
    ),
  )
}

type Vary = (schema: ToolSchema, fits: fc.Arbitrary<JsonText>) => fc.Arbitrary<JsonText>

function piecesFor(schema: ToolSchema, vary: Vary): fc.Arbitrary<JsonText> {
  return vary(schema, fits(schema, vary))
}

function fits(schema: ToolSchema, vary: Vary): fc.Arbitrary<JsonText> {
  if (schema.const !== undefined) {
    const { const: value } = schema
    return fc.nat(7).map((spelling) => integerText(value, spelling))
  }
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.map((value) => stringOf(value)))
  switch (schema.type) {
    case 'object':
      return schema.properties === undefined ? anyInput : objectsFor(schema, schema.properties, vary)
    case 'boolean':
      return fc.constantFrom<JsonText>({ kind: 'literal', text: 'true' }, { kind: 'literal', text: 'false' })
    case 'integer':
      return schema.minimum === undefined ? integers : atLeast(schema.minimum)
    case 'string':
    case undefined:
      return stringsFor(schema).map(([value, isEscaped]) => stringOf(value, isEscaped))
  }
}

/** What an execution's `input` may hold is Gongbu's business, so anything goes. */
const anyInput = fc.oneof(
  { weight: 20, arbitrary: anyObject },
  { weight: 1, arbitrary: fc.integer({ min: 60, max: 110 }).map(nested) },
)

function atLeast(minimum: number): fc.Arbitrary<JsonText> {
  return fc
    .tuple(fc.constantFrom(minimum, minimum + 1, 7, 1250, 2 ** 53 - 1), fc.nat(7))
    .map(([value, spelling]) => integerText(value, spelling))
}

function stringsFor({ pattern, minLength = 0, maxLength }: ToolSchema): fc.Arbitrary<[string, boolean]> {
  const values =
    pattern !== undefined
      ? fc.stringMatching(new RegExp(pattern), { maxLength: maxLength ?? 64 })
      : maxLength !== undefined
        ? fc.constantFrom('𝄞'.repeat(maxLength), 'x'.repeat(maxLength), 'tok-1', '22222222-2222-4222-8222-222222222222')
        : texts
  return fc.tuple(
    values.filter((value) => lengthOf(value) >= minLength && lengthOf(value) <= (maxLength ?? Infinity)),
    fc.boolean(),
  )
}

/** JSON Schema counts code points. */
const lengthOf = (text: string) => Array.from(text).length

function objectsFor(
  { required = [] }: ToolSchema,
  properties: Record<string, ToolSchema>,
  vary: Vary,
): fc.Arbitrary<JsonText> {
  const names = Object.keys(properties)
  const values = Object.fromEntries(names.map((name) => [name, piecesFor(properties[name] ?? {}, vary)]))
  const some = fc.record(values, { requiredKeys: required.filter((name) => names.includes(name)) })
  return some
    .chain((chosen) => fc.shuffledSubarray(Object.entries(chosen), { minLength: Object.keys(chosen).length }))
    .map(objectOf)
}

/** Values that a sloppy gate would take for the right ones. */
function misses(schema: ToolSchema): JsonText[] {
  const number = (text: string, isExact = true): JsonText => ({ kind: 'number', text, isExact })
  const general: JsonText[] = [stringOf(''), stringOf('1'), number('1.5'), number('-0'), number('-1'), number('0')]
  const { minLength, maxLength } = schema
  if (maxLength !== undefined) general.push(stringOf('𝄞'.repeat(maxLength + 1)), stringOf('a'.repeat(maxLength + 1)))
  if (minLength !== undefined && minLength > 0) general.push(stringOf('𝄞'.repeat(minLength - 1)))
  if (schema.enum !== undefined)
    general.push(stringOf(schema.enum[0]?.toUpperCase() ?? ''), stringOf(`${schema.enum[0]} `))
  if (schema.pattern !== undefined) general.push(stringOf('a b'), stringOf('exec-1\n'), stringOf('exéc'))
  return general
}

/** One member less, one more, or one twice. */
function withOddMember(piece: JsonText): fc.Arbitrary<JsonText> {
  if (piece.kind !== 'object') return fc.constant(piece)
  const { members } = piece
  const less = members.length === 0 ? [] : [fc.nat(members.length - 1).map((at) => objectOf(members.toSpliced(at, 1)))]
  const twice =
    members.length === 0
      ? []
      : [fc.tuple(fc.nat(members.length - 1), anyPiece).map(([at, other]) => objectOf(repeated(members, at, other)))]
  const more = fc
    .tuple(
      fc.constantFrom('extra', '__proto__', 'operation_key', 'task_id', 'workload_profile', 'Amount_cents', 'é', ''),
      anyPiece,
    )
    .map((member) => objectOf([...members, member]))
  return fc.oneof(more, ...less, ...twice)
}

function repeated(members: readonly Member[], at: number, other: JsonText): Member[] {
  const key = members[at]?.[0] ?? 'extra'
  return [...members, [key, other]]
}
