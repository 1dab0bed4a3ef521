// Definitions as odd servers list them, and what becomes of them.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test, vi } from 'vitest'
import { admitItems, admitTool, admitTools } from '../../../src/downstream/admission/admit.ts'
import { canCompile } from '../../../src/downstream/admission/schema-compiler.ts'
import { oddTools } from './odd-tools.ts'

const inputSchema = { type: 'object' }
const admit = (members: object) => admitTool({ name: 't', inputSchema, ...members }, canCompile)
const shown = (members: object) => {
  const admitted = admit(members)
  return admitted.shown.kind === 'definition' ? admitted.shown.definition : undefined
}

describe('a tool', () => {
  test.each(oddTools)('$why is shown without $leftOut', ({ tool, leftOut }) => {
    const admitted = admit(tool)
    expect(admitted.shown.kind).toBe(leftOut === undefined ? 'left_out' : 'definition')
    expect(admitted.leftOut).toEqual(leftOut ?? [])
    expect(admitted.listed).toMatchObject(tool)
  })

  test('whose properties are true or false is shown with schemas that mean the same', () => {
    const odd = { type: 'object', properties: { any: true, none: false, fine: { type: 'string' } } }
    expect(shown({ inputSchema: odd })?.inputSchema).toEqual({
      type: 'object',
      properties: { any: {}, none: { not: {} }, fine: { type: 'string' } },
    })
  })

  test('is shown as it is when nothing is wrong with it', () => {
    const tool = { name: 't', title: 'T', inputSchema: { ...inputSchema, properties: { a: { enum: ['\u202e'] } } } }
    const admitted = admitTool(tool, canCompile)
    expect(admitted.shown).toEqual({ kind: 'definition', definition: tool })
  })

  test('is shown without what a reader cannot see, wherever a text stands', () => {
    const property = { type: 'string', description: 'a\u202eb', enum: ['\u0007'] }
    const tool = shown({
      description: 'x\u0000\u200fy\r\nz',
      inputSchema: { ...inputSchema, properties: { property } },
    })
    expect(tool).toMatchObject({
      description: 'xy\nz',
      inputSchema: { properties: { property: { description: 'ab', enum: ['\u0007'] } } },
    })
  })
})

describe('the references of an output schema', () => {
  /** Whether the tool's own part of the shown schema takes a value. */
  const accepts = (own: object, value: unknown) => {
    const schema = shown({ outputSchema: own })?.outputSchema as { anyOf: object[] }
    return new Ajv2020({ strict: false }).validate({ ...schema, anyOf: schema.anyOf.slice(0, 1) }, value)
  }
  test.each<[string, object, unknown, unknown]>([
    [
      'to its own properties',
      { type: 'object', properties: { a: { type: 'integer' }, b: { $ref: '#/properties/a' } } },
      { b: 1 },
      { b: 'x' },
    ],
    [
      'to itself',
      { type: 'object', properties: { n: { type: 'integer' }, next: { $ref: '#' } } },
      { next: { next: { n: 1 } } },
      { next: { next: { n: 'x' } } },
    ],
    [
      'from its definitions to its properties',
      {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { $ref: '#/$defs/B' } },
        $defs: { B: { type: 'array', items: { $ref: '#/properties/a' } } },
      },
      { b: [1] },
      { b: ['x'] },
    ],
    [
      'by its own identifier',
      {
        $id: 'https://x.test/s',
        type: 'object',
        properties: { a: { $ref: 'https://x.test/s#/$defs/A' } },
        $defs: { A: { type: 'integer' } },
      },
      { a: 1 },
      { a: 'x' },
    ],
  ])('%s lead where they led before', (_what, own, right, wrong) => {
    expect([accepts(own, right), accepts(own, wrong)]).toEqual([true, false])
  })
})

describe('items that are not tools', () => {
  test('are shown without members that are null, named by their address, or not at all', () => {
    const found = admitItems('resources', [
      { uri: 'a:1', name: 'one' },
      { uri: 'a:2', name: 'two', mimeType: null },
      { uri: 'a:3' },
      { name: 'no address' },
    ])
    expect(found.items).toEqual([
      { uri: 'a:1', name: 'one' },
      { uri: 'a:2', name: 'two' },
      { uri: 'a:3', name: 'a:3' },
    ])
    expect(found.notes.map(({ what, done }) => `${what} ${done}`)).toEqual([
      expect.stringMatching(/^resource number 2 is shown without mimeType/),
      expect.stringMatching(/^resource number 3 is shown without name/),
      expect.stringMatching(/^resource number 4 is not shown: .*uri/),
    ])
    expect(admitItems('prompts', [{ name: 'p', arguments: null }]).items).toEqual([{ name: 'p' }])
    expect(admitItems('prompts', [{ name: 'p', arguments: [{ name: 'a', required: null }] }]).items).toEqual([
      { name: 'p', arguments: [{ name: 'a' }] },
    ])
  })
})

test('the compiler is loaded for the first output schema, once, and other work has its turn between slices', async () => {
  const load = vi.fn(() => Promise.resolve(canCompile))
  const turn = vi.fn(() => Promise.resolve())
  const plain = Array.from({ length: 60 }, (_, n) => ({ name: `t${n}`, inputSchema }))
  await admitTools(plain, load, turn)
  expect([load.mock.calls.length, turn.mock.calls.length]).toEqual([0, 3])
  const typed = plain.map((tool) => ({ ...tool, outputSchema: { type: 'object' } }))
  const admitted = await admitTools(typed, load, turn)
  expect(load).toHaveBeenCalledTimes(1)
  expect(admitted.every(({ leftOut }) => leftOut.length === 0)).toBe(true)
})
