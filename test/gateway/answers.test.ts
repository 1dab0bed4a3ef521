import { describe, expect, test } from 'vitest'
import { clip, Compactor } from '../../src/gateway/meta-tools/compact.ts'
import type { ToolFinder } from '../../src/gateway/meta-tools/finder.ts'
import { listServers } from '../../src/gateway/meta-tools/list-servers.ts'
import { boundedMatches, toMatch, type ShownTool } from '../../src/gateway/meta-tools/match.ts'
import { resolveTool } from '../../src/gateway/meta-tools/resolve-tool.ts'
import { searchTools } from '../../src/gateway/meta-tools/search-tools.ts'
import { createCatalogFinder } from '../../src/gateway/catalog-finder.ts'
import { catalogRevision } from '../../src/gateway/catalog/revision.ts'
import { instructions } from '../../src/gateway/instructions.ts'
import { chooseListed } from '../../src/gateway/listed-tools.ts'
import { atlas, catalogF, catalogTool } from './fixture-catalog.ts'

const hit = (more: Partial<ShownTool['tool']> = {}): ShownTool => ({ tool: catalogTool({ name: 'zz' }, 'aa', more) })
const bytes = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))

describe('a match', () => {
  test('has a clipped description that says so', () => {
    const match = toMatch(hit({ description: 'widget '.repeat(60) }))
    expect([bytes(match.description), match.description.endsWith('…')]).toEqual([256, true])
    expect(match.metadata_truncated).toBe(true)
  })

  test('leaves out what is empty, and keeps every name whole', () => {
    const name = 'n'.repeat(300)
    expect(toMatch({ tool: catalogTool({ name: 'zz' }, name) })).toEqual({
      namespaced: `zz__${name}`,
      server: 'zz',
      tool: name,
      description: '',
    })
  })

  test('clips between characters, and never beyond its bytes', () => {
    expect(clip('é界'.repeat(10), 10)).toBe('é界é…')
    for (let limit = 0; limit < 12; limit++) expect(bytes(clip('🙂🙂🙂', limit))).toBeLessThanOrEqual(limit)
    expect(clip('abc', 3)).toBe('abc')
    expect(clip('abcd', 3)).toBe('')
  })

  test('bounds a list by items and by all their bytes', () => {
    const compactor = new Compactor()
    expect(compactor.list([' a  b ', 'c'], 2, 10)).toEqual(['a b', 'c'])
    expect(compactor.isTruncated).toBe(false)
    expect(compactor.list(['x'.repeat(200), 'y'.repeat(200)], 3, 150).map(bytes)).toEqual([128, 22])
    expect(compactor.list(['a', 'b', 'c'], 2, 100)).toEqual(['a', 'b'])
    expect(compactor.isTruncated).toBe(true)
  })

  test('many of them stop at their number or at 12 KiB, the first always there', () => {
    const large = Array.from({ length: 100 }, () => hit({ description: 'd'.repeat(250) }))
    const { matches, isByteLimited } = boundedMatches(large, 100)
    expect(isByteLimited).toBe(true)
    expect(bytes(matches) - 2).toBeLessThanOrEqual(12_288)
    expect(boundedMatches([{ tool: catalogTool({ name: 'zz' }, 'n'.repeat(20_000)) }], 5).matches).toHaveLength(1)
  })
})

describe('search and resolve', () => {
  const tools = catalogF()
  const view = async (only = tools) => ({
    tools: only,
    revision: catalogRevision(only),
    finder: await createCatalogFinder(only, () => Promise.resolve()),
    connecting: [] as string[],
  })

  test('a query of stop words lists the catalog by name, without scores', async () => {
    const answer = searchTools(await view(), { query: 'the' })
    expect(answer).toMatchObject({ count: 5, returned: 5, truncated: false, byte_limited: false })
    expect(JSON.stringify(answer)).not.toMatch(/score|matched_terms/)
  })

  test('an overlong query is refused without being repeated, one of the limit is not', async () => {
    for (const ask of [searchTools, resolveTool]) {
      const refused = ask(await view(), { query: '界'.repeat(683) })
      expect(refused).toMatchObject({ max_query_bytes: 2048, error: expect.any(String) as string })
      expect(JSON.stringify(refused)).not.toContain('界')
      expect(ask(await view(), { query: 'q'.repeat(2048) })).not.toHaveProperty('error')
    }
  })

  test('counts are clamped: 0 and less to the default, more to the most', async () => {
    const asked: number[] = []
    const finder: ToolFinder = {
      search: (_query, most) => (asked.push(most), { hits: [], total: 0 }),
      resolve: (_query, most) => (asked.push(most), { kind: 'none' }),
    }
    for (const max of [undefined, 0, -1, 7, 500])
      searchTools({ ...(await view()), finder }, { query: 'x', max_hits: max })
    for (const max of [undefined, 0, 10, 11]) resolveTool({ ...(await view()), finder }, { query: 'x', max_hits: max })
    expect(asked).toEqual([20, 20, 20, 7, 100, 6, 6, 11, 11])
  })

  test('a recommendation comes with its template and a next step', async () => {
    expect(resolveTool(await view(), { query: 'drive route' })).toMatchObject({
      status: 'confident',
      ambiguous: false,
      recommendation: {
        namespaced: 'atlas__route',
        title: '',
        tool_use_when: ['choose the fastest way to drive somewhere'],
        required_fields: ['from', 'to'],
        argument_template: { from: '<value>', to: '<value>', avoid: null },
        argument_template_truncated: false,
      },
      hint: expect.stringContaining('call_tool') as string,
    })
  })

  test('a tool that must be called directly is told so, and a cut template asks for the whole schema', async () => {
    const tool = catalogTool({ name: 'hubu' }, 'hubu_gizmo', { isDirectCall: true, inputSchema: undefined })
    expect(resolveTool(await view([tool]), { query: 'gizmo' })).toMatchObject({
      recommendation: { direct_call: true, argument_template_truncated: true },
      hint: expect.stringMatching(/describe_tool.*directly/) as string,
    })
  })

  test('servers that are still connecting are named, since one of them may have a better tool', async () => {
    const connecting = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    for (const query of ['drive route', 'translate a poem']) {
      for (const ask of [searchTools, resolveTool]) {
        expect(ask({ ...(await view()), connecting }, { query })).toMatchObject({
          hint: expect.stringMatching(/Still connecting.*: a, b, c, d, e and 2 more\./) as string,
        })
        expect(JSON.stringify(ask(await view(), { query }))).not.toContain('connecting')
      }
    }
  })

  test('nothing found and nothing asked are told apart', async () => {
    const none = { status: 'no_match', confidence: 'none', recommendation: null, ambiguous: false, alternatives: [] }
    const unmatched = resolveTool(await view(), { query: 'translate a poem' })
    expect(unmatched).toMatchObject({ ...none, reason_codes: ['no_lexical_overlap'] })
    expect(unmatched).not.toHaveProperty('score_gap')
    expect(resolveTool(await view(), { query: ' the ' })).toMatchObject({
      ...none,
      reason_codes: ['query_too_generic'],
    })
  })
})

test('servers are listed by name, with the tools of connected ones summed', () => {
  const answer = listServers({
    revision: 'r',
    servers: [
      { server: { name: 'b' }, isEnabled: true, isConnected: false, toolCount: 3, error: 'gone' },
      { server: atlas, isEnabled: true, isConnected: true, toolCount: 2 },
    ],
    expose: 'lazy',
    pinned: [],
    advertisedTools: 0,
    budget: undefined,
  })
  expect(answer).toMatchObject({
    total_tools: 2,
    management_tools: 8,
    pinned: [],
    servers: [{ name: 'atlas' }, { error: 'gone' }],
  })
  expect(answer).not.toHaveProperty('tool_schema_budget')
})

describe('the surface', () => {
  const tool = (name: string, more: object = {}) => ({
    name,
    definition: { name, pad: 'x'.repeat(80) },
    isPinned: false,
    isByNameOnly: false,
    ...more,
  })
  const tools = [tool('a'), tool('b', { isPinned: true }), tool('c', { isByNameOnly: true })]
  const listed = (rules: Parameters<typeof chooseListed>[1]) =>
    chooseListed(tools, rules).listed.map(({ name }) => name)

  test.each([
    ['all', undefined, false, ['a', 'b', 'c']],
    ['lazy', undefined, false, ['b', 'c']],
    ['lazy', 0, false, ['c']],
    ['lazy', 0, true, []],
    ['all', 150, false, ['a', 'c']],
  ] as const)('%s with a budget of %s bytes, bare: %s, lists %j', (expose, budgetBytes, isBare, names) => {
    expect(listed({ expose, budgetBytes, isBare })).toEqual(names)
  })
})

test('instructions say what is needed for each mode, and claim nothing else', () => {
  const facts = { summary: 'atlas: maps', hasPins: true, hasDirectTools: true, namesPurchases: false, budgetBytes: 400 }
  const lazy = instructions({ ...facts, expose: 'lazy' })
  for (const word of ['list_servers', 'resolve_tool', 'search_tools', 'call_tool', 'stats', 'confident', 'ambiguous'])
    expect(lazy).toContain(word)
  for (const part of ['atlas: maps', 'Pinned', 'direct_call', '400 bytes']) expect(lazy).toContain(part)
  const all = instructions({ ...facts, expose: 'all', budgetBytes: undefined })
  expect(all).not.toMatch(/lazy|atlas|Pinned|mcphub_/i)
  expect(lazy).not.toContain('named by the router')
  expect(instructions({ ...facts, expose: 'all', namesPurchases: true })).toContain('named by the router')
  expect(
    bytes(instructions({ ...facts, namesPurchases: true, summary: 'x'.repeat(2048), expose: 'lazy' })),
  ).toBeLessThan(4096)
})
