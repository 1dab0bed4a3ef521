import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isExactNumber } from '../../src/json/exact-number.ts'
import { inspectValue, type Findings } from '../../src/json/findings.ts'
import { rawMember, skipValue } from '../../src/json/scan.ts'

const inspect = (text: string) => inspectValue(text, 0).findings
const clean: Findings = { duplicateKey: false, protoKey: false, depth: 1, inexactNumber: false }

/** A JSON tree whose objects may repeat keys and whose numbers keep their digits: what the text says, told slowly. */
type Tree =
  | { kind: 'scalar'; text: string }
  | { kind: 'number'; text: string }
  | { kind: 'array'; items: Tree[] }
  | { kind: 'object'; members: { key: string; value: Tree }[] }

function render(tree: Tree, space: string): string {
  switch (tree.kind) {
    case 'scalar':
    case 'number':
      return tree.text
    case 'array':
      return `[${space}${tree.items.map((item) => render(item, space)).join(`${space},`)}${space}]`
    case 'object':
      return `{${tree.members.map(({ key, value }) => `${space}${key}${space}:${space}${render(value, space)}`).join(',')}}`
  }
}

function expected(tree: Tree): Findings {
  const isContainer = tree.kind === 'array' || tree.kind === 'object'
  const children = tree.kind === 'array' ? tree.items : tree.kind === 'object' ? tree.members.map((m) => m.value) : []
  const keys = tree.kind === 'object' ? tree.members.map((m) => JSON.parse(m.key) as string) : []
  const below = children.map(expected)
  return {
    duplicateKey: new Set(keys).size < keys.length || below.some((one) => one.duplicateKey),
    protoKey: keys.includes('__proto__') || below.some((one) => one.protoKey),
    depth: (isContainer ? 1 : 0) + Math.max(0, ...below.map((one) => one.depth)),
    inexactNumber:
      (tree.kind === 'number' && !isExactNumber(tree.text, 0, tree.text.length, /e/i.test(tree.text))) ||
      below.some((one) => one.inexactNumber),
  }
}

const stringText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }).map((value) => JSON.stringify(value)),
  fc.constantFrom('"\\\\"', '"\\""', '"a\\u0062"', '"{:,}[]"', '"\\\\\\""', '"9e999"', '""'),
)
const keyText = fc.oneof(
  stringText,
  fc.constantFrom('"a"', '"\\u0061"', '"b"', '"__proto__"', '"\\u005f_proto__"', '"c"'),
)
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(stringText, fc.constantFrom('true', 'false', 'null')).map((text): Tree => ({ kind: 'scalar', text })),
    fc
      .constantFrom('0', '-1', '1.5', '9007199254740993', '1e400', '1E+2', '-0.0', '1e-5', '0.30000000000000004')
      .map((text): Tree => ({ kind: 'number', text })),
    fc.array(tie('tree'), { maxLength: 4 }).map((items): Tree => ({ kind: 'array', items })),
    fc.array(fc.record({ key: keyText, value: tie('tree') }), { maxLength: 4 }).map((members): Tree => {
      return { kind: 'object', members }
    }),
  ),
}))

describe('inspectValue', () => {
  test('it agrees with a slow reference on any JSON, and ends where the value ends', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom('', ' ', '\t\r '), (value, space) => {
        const text = render(value, space)
        JSON.parse(text)
        expect(inspectValue(`${text},"id":1}`, 0)).toEqual({ end: text.length, findings: expected(value) })
        expect(skipValue(`${text},"id":1}`, 0)).toBe(text.length)
      }),
      { numRuns: 2000 },
    )
  })

  test.each<[string, string, Partial<Findings>]>([
    ['nothing special', '{"a":{"b":[1,"x"]},"c":{"a":1}}', { depth: 3 }],
    ['a repeated key', '{"a":1,"b":2,"a":3}', { duplicateKey: true }],
    ['a key repeated by an escape', '{"a":1,"\\u0061":2}', { duplicateKey: true }],
    ['the same key in different objects', '[{"a":1},{"a":1}]', { depth: 2 }],
    ['the same key after a nested object', '{"a":{"b":1},"b":2}', { depth: 2 }],
    ['an own __proto__ key', '{"x":{"__proto__":{}}}', { protoKey: true, depth: 3 }],
    ['__proto__ as a value', '{"x":"__proto__"}', {}],
    ['an integer beyond 2^53-1', '{"amount":9007199254740993}', { inexactNumber: true }],
    ['digits within a string', '{"amount":"9007199254740993"}', {}],
    ['1.0 and 1e2', '{"a":1.0,"b":1e2}', {}],
  ])('%s', (_name, text, want) => {
    expect(inspect(text)).toEqual({ ...clean, ...want })
  })

  test.each(['"x"', '5', 'true', 'null'])('the scalar %s has no depth', (text) => {
    expect(inspect(text)).toEqual({ ...clean, depth: 0 })
  })

  test('nesting of a million levels costs no stack', () => {
    const depth = 1_000_000
    expect(inspect('['.repeat(depth) + ']'.repeat(depth)).depth).toBe(depth)
    expect(inspect(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`).depth).toBe(depth)
  })

  test('a megabyte of escaped quotes is read in one pass', () => {
    const text = JSON.stringify({ a: '\\"'.repeat(500_000) })
    expect(inspectValue(text, 0)).toEqual({ end: text.length, findings: clean })
  })
})

describe('rawMember', () => {
  test.each([
    ['exact digits', '{"a":1,"requestId": 1.50 ,"b":{"requestId":2}}', '1.50'],
    ['the last of two', '{"requestId":1,"requestId":"2"}', '"2"'],
    ['an escaped key', '{"request\\u0049d":{"x": [1 ]}}', '{"x": [1 ]}'],
    ['no such member', '{"a":{"requestId":1}}', undefined],
    ['an empty object', ' { } ', undefined],
    ['no object', '[1]', undefined],
  ])('%s', (_name, text, want) => {
    expect(rawMember(text, 'requestId')).toBe(want)
  })
})
