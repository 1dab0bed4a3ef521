import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capabilitySummary } from '../../src/gateway/capability-summary.ts'
import { aliases, findWireName, shortName, planShortNames, splitName } from '../../src/names/short-name.ts'
import { fitSchemas } from '../../src/gateway/schema-budget.ts'

describe('names', () => {
  test.each([
    ['bob', 'bob_context', 'context'],
    ['bob', 'bob-context', 'context'],
    ['live', 'live_', 'live_'],
    ['s', '', ''],
    ['', 'x', 'x'],
    ['test', 'test_foo-bar', 'foo-bar'],
    ['test', 'test-foo_bar', 'foo_bar'],
    ['server', 'other_tool', 'other_tool'],
    ['a', 'a_a_x', 'a_x'],
  ])('the short name of %s and %s is %s', (server, wireName, wanted) => {
    expect(shortName(server, wireName)).toBe(wanted)
  })

  test('a contested short name goes to whoever is really called so, else to the first in byte order', () => {
    const plan = (server: string, names: string[]) => Object.fromEntries(planShortNames(server, names))
    expect(plan('live', ['live_other', 'live_echo', 'echo'])).toEqual({
      echo: 'echo',
      live_echo: 'live_echo',
      live_other: 'other',
    })
    expect(plan('test', ['test_foo', 'test-foo'])).toEqual({ 'test-foo': 'foo', test_foo: 'test_foo' })
    expect(plan('bob', ['bob-context', 'context'])).toEqual({ 'bob-context': 'bob-context', context: 'context' })
  })

  test('every advertised short name is unique and leads back to its wire name, whatever the names', () => {
    const name = fc.stringMatching(/^(s[_-])?[ab_-]{1,4}$/)
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
        const plan = planShortNames('s', names)
        expect(new Set(plan.values()).size).toBe(names.length)
        for (const [wireName, part] of plan) expect(findWireName('s', part, plan)).toBe(wireName)
      }),
    )
  })

  test('aliases come in order and without duplicates', () => {
    expect(aliases('hitspec', 'hitspec_fetch')).toEqual(['hitspec__fetch', 'hitspec__hitspec_fetch'])
    expect(aliases('hitspec', 'fetch')).toEqual(['hitspec__fetch', 'hitspec__hitspec_fetch', 'hitspec__hitspec-fetch'])
  })

  test.each([
    ['', 'srv__a__b', 'srv', 'a__b'],
    ['srv', 'a__b', 'srv', 'a__b'],
    ['codemap', 'codemap__codemap_find', 'codemap', 'codemap_find'],
    ['', 'plain', '', 'plain'],
  ])('%j and %s are split into %j and %s', (server, tool, wantedServer, wantedTool) => {
    expect(splitName(server, tool)).toEqual({ server: wantedServer, tool: wantedTool })
  })

  test('a short name, a wire name and a self-prefixed name all lead to the wire name', () => {
    const atlas = planShortNames('atlas', ['atlas_route', 'atlas_geocode'])
    expect(['route', 'atlas_route'].map((tool) => findWireName('atlas', tool, atlas))).toEqual([
      'atlas_route',
      'atlas_route',
    ])
    expect(findWireName('scribe', 'read', planShortNames('scribe', ['scribe-read']))).toBe('scribe-read')
    const live = planShortNames('live', ['echo', 'live_echo'])
    expect([findWireName('live', 'echo', live), findWireName('live', 'live_echo', live)]).toEqual(['echo', 'live_echo'])
    expect(findWireName('live', 'none', live)).toBeUndefined()
  })
})

describe('the schema budget', () => {
  const definitions = [
    { name: 'scribe__read', bytes: 174 },
    { name: 'atlas__geocode', bytes: 253 },
    { name: 'atlas__route', bytes: 278 },
  ]

  test('shows whole definitions, first fit in the order of names', () => {
    expect(fitSchemas(definitions, 400)).toMatchObject({
      eligible_tools: 3,
      advertised_tools: 1,
      omitted_tools: 2,
      eligible_definition_bytes: 705,
      advertised_definition_bytes: 253,
      eligible_estimated_tokens: 177,
      advertised_estimated_tokens: 64,
      advertised_names: ['atlas__geocode'],
    })
    expect(fitSchemas(definitions, 180)).toMatchObject({
      advertised_names: ['scribe__read'],
      advertised_estimated_tokens: 44,
    })
    expect(fitSchemas(definitions, 0)).toMatchObject({
      advertised_tools: 0,
      omitted_names: ['atlas__geocode', 'atlas__route', 'scribe__read'],
    })
    expect(fitSchemas(definitions, 8192)).toMatchObject({ advertised_tools: 3, advertised_definition_bytes: 705 })
  })

  test('never exceeds its bytes and never loses a definition', () => {
    const sizes = fc.array(fc.nat(500), { maxLength: 20 })
    fc.assert(
      fc.property(sizes, fc.nat(2000), (bytes, budget) => {
        const report = fitSchemas(
          bytes.map((size, n) => ({ name: `t${n}`, bytes: size })),
          budget,
        )
        expect(report.advertised_definition_bytes).toBeLessThanOrEqual(budget)
        expect(report.advertised_tools + report.omitted_tools).toBe(bytes.length)
      }),
    )
  })
})

describe('the capability summary', () => {
  test('joins hints, then descriptions, in the order of names', () => {
    const servers = [
      { name: 'scribe', description: 'Personal notes' },
      { name: 'atlas', description: 'Maps', use_when: ['estimate how long a trip takes between two places'] },
      { name: 'ledger', use_when: ['record or look up an invoice or payment'] },
    ]
    expect(capabilitySummary(servers, null)).toBe(
      'atlas: estimate how long a trip takes between two places | ledger: record or look up an invoice or payment | scribe: Personal notes',
    )
  })

  test('stays within its bytes and counts what it leaves out', () => {
    const servers = Array.from({ length: 40 }, (_, n) => ({
      name: `server-${String(n).padStart(2, '0')}`,
      description: 'x'.repeat(300),
    }))
    const summary = capabilitySummary(servers, null)
    expect(Buffer.byteLength(summary)).toBe(1917)
    expect(summary.endsWith(' | +33 more; call list_servers')).toBe(true)
  })

  test('names the allowed tools where the scope lists them', () => {
    const servers = [{ name: 'atlas', description: 'Maps' }, { name: 'ledger' }]
    expect(capabilitySummary(servers, { tools: ['atlas__route', 'atlas__geocode'] })).toBe(
      'atlas: allowed tools: geocode, route',
    )
    expect(capabilitySummary(servers, { tools: [] })).toBe('')
    const long = ['a', 'b', 'c'].map((letter) => `atlas__${letter.repeat(110)}`)
    const hint = capabilitySummary([{ name: 'atlas' }], { tools: long }).slice('atlas: '.length)
    expect(Buffer.byteLength(hint)).toBe(247)
    expect(hint.endsWith(' (+1 more)')).toBe(true)
  })

  test('clips a hint between characters', () => {
    const summary = capabilitySummary([{ name: 's', description: '界'.repeat(100) }], null)
    expect(summary).toBe(`s: ${'界'.repeat(85)}`)
  })
})
