import { describe, expect, test } from 'vitest'
import { admitTool, type ListedTool } from '../../src/downstream/admission/admit.ts'
import { canCompile } from '../../src/downstream/admission/schema-compiler.ts'
import { mountTools as mountAdmitted } from '../../src/downstream/definition.ts'

const mountTools = (server: string, tools: ListedTool[]) =>
  mountAdmitted(
    server,
    tools.map((tool) => admitTool(tool, canCompile)),
  )
const schema = { type: 'object', properties: { id: { type: 'string' } } }

describe('a mounted definition', () => {
  test('is a complete copy in which only name and description change', () => {
    const listed = {
      name: 'scribe-read',
      title: 'Read',
      description: 'Open a stored note by its identifier.',
      inputSchema: schema,
      annotations: { readOnlyHint: true },
      icons: [{ src: 'data:,' }],
      _meta: { a: 1 },
      future: 'kept',
    }
    const [tool] = mountTools('scribe', [listed])
    expect(tool).toMatchObject({ wireName: 'scribe-read', shortName: 'read', publicName: 'scribe__read' })
    expect(tool?.shown).toEqual({
      kind: 'definition',
      definition: { ...listed, name: 'scribe__read', description: '[scribe] Open a stored note by its identifier.' },
    })
  })

  test('does not say that its tool runs only as a task: the official client would refuse to call it, and we can', () => {
    const listed = { name: 't', inputSchema: schema, execution: { taskSupport: 'required' } }
    const [tool] = mountTools('s', [listed])
    expect(tool?.shown).toMatchObject({ kind: 'definition', definition: { name: 's__t' } })
    expect(tool?.shown).not.toHaveProperty('definition.execution')
    expect(tool?.listed).toBe(listed)
  })

  test('is left out, but can be called, when a host could not take its schemas', () => {
    const odd = [undefined, { type: 'string' }, { type: ['object'] }, true, null].map((inputSchema, n) => ({
      name: `t${n}`,
      inputSchema,
    }))
    const tools = mountTools('s', [
      ...odd,
      { name: 'fine', inputSchema: schema },
      { name: 'out', inputSchema: schema, outputSchema: { type: 'array' } },
    ])
    expect(tools.filter(({ shown }) => shown.kind === 'definition').map(({ wireName }) => wireName)).toEqual(['fine'])
    expect(tools).toHaveLength(7)
    for (const { shown } of tools) if (shown.kind === 'left_out') expect(shown.reason).toMatch(/schema/)
  })

  test('with an output schema also allows the receipt, and its references still lead somewhere', () => {
    const outputSchema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      required: ['a'],
      $defs: { A: { type: 'integer' } },
    }
    const [tool] = mountTools('s', [{ name: 't', inputSchema: schema, outputSchema }])
    const shown = tool?.shown.kind === 'definition' ? tool.shown.definition.outputSchema : undefined
    expect(shown).toMatchObject({
      type: 'object',
      $defs: outputSchema.$defs,
      anyOf: [{ required: ['a'] }, { required: ['status', 'callId'] }, { description: expect.any(String) as string }],
    })
  })

  test('has a name that hosts accept, whatever the wire name, and different names stay different', () => {
    const names = ['Ä b/c', 'Ä b_c', 'x'.repeat(100), `${'x'.repeat(100)}y`, 'plain']
    const tools = mountTools(
      'server',
      names.map((name) => ({ name, inputSchema: schema })),
    )
    const shown = tools.map(({ publicName }) => publicName)
    for (const name of shown) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(new Set(shown).size).toBe(names.length)
    expect(shown).toContain('server__plain')
  })

  test('of a repeated, an empty or an enormous name costs nothing else', () => {
    const tools = mountTools('s', [
      { name: 'a', inputSchema: schema },
      { name: 'a', inputSchema: true },
      { name: '', inputSchema: schema },
      { name: 'x'.repeat(10_000_000), inputSchema: schema },
    ])
    expect(tools.map(({ wireName }) => wireName)).toEqual(['a'])
  })
})
