import { describe, expect, test } from 'vitest'
import { buildIndex, buildIndexInSlices } from '../../src/search/build-index.ts'
import type { ToolDocument } from '../../src/search/document.ts'
import { search } from '../../src/search/search.ts'
import { fixtureF, input, tool } from './fixtures.ts'
import { goldenDocuments, goldenQueries } from './golden.ts'

const firstOf = (documents: readonly ToolDocument[], query: string) => search(buildIndex(documents), query).hits[0]?.id

test('an index built in slices answers as one built at once', async () => {
  let pauses = 0
  const sliced = await buildIndexInSlices(goldenDocuments(), async () => void pauses++)
  const whole = buildIndex(goldenDocuments())
  for (const { query } of goldenQueries) expect(search(sliced, query)).toEqual(search(whole, query))
  expect(pauses).toBeGreaterThan(3)
})

test('slices end by the amount of text, so that large tools pause more often', async () => {
  const pausesOf = async (documents: readonly ToolDocument[]) => {
    let pauses = 0
    await buildIndexInSlices(documents, async () => void pauses++)
    return pauses
  }
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`p${n}`, { description: 'word '.repeat(100) }]),
    ),
  }
  const small = Array.from({ length: 200 }, (_, n) => tool('s', `t${n}`, 'Short.'))
  const large = small.map((document) => ({ ...document, description: 'word '.repeat(2000), inputSchema: schema }))
  expect(await pausesOf(large)).toBeGreaterThanOrEqual((await pausesOf(small)) + 20)
})

describe('what a description says of other tools', () => {
  const documents = [
    tool('bank', 'list_accounts', 'List accounts. For editable statements use export_statement instead.'),
    tool('bank', 'export_statement', 'Write a statement out.'),
    tool('bank', 'open_account', 'Open an account. Returns `statement` and `editable`.'),
  ]

  test('does not count for the tool that says it', () => {
    const hits = search(buildIndex(documents), 'editable').hits
    expect(hits).toEqual([])
  })

  test('counts when no tool of that name is in the catalog', () => {
    expect(firstOf(documents.slice(0, 1), 'editable')).toBe('bank/list_accounts')
  })
})

test('names of inputs, nested ones, their descriptions and enum values are found', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      parcel: { type: 'object', properties: { fragile: { type: 'boolean' } } },
      stops: { type: 'array', items: { type: 'object', properties: { harbour: { type: 'string' } } } },
      speed: { type: 'string', enum: ['overnight', 'economy'], description: 'How urgently it travels.' },
    },
  }
  const documents = [tool('post', 'ship', 'Ship it.', { inputSchema }), tool('post', 'stamp', 'Buy a stamp.')]
  for (const query of ['fragile', 'harbour', 'overnight', 'urgently'])
    expect(firstOf(documents, query)).toBe('post/ship')
})

test('of more than 64 inputs the first are found, not none', () => {
  const many = input('falcon', ...Array.from({ length: 80 }, (_, n) => `p${n}`))
  expect(firstOf([tool('a', 'one', '', { inputSchema: many }), tool('a', 'two')], 'falcon')).toBe('a/one')
})

test('of several hints the best one counts, and others do not thin it out', () => {
  const hint = 'when the cellar is flooded'
  const others = Array.from({ length: 12 }, (_, n) => `some other sentence about number ${n} and its many words`)
  const scores = [[hint], [...others, hint]].map(
    (useWhen) =>
      search(buildIndex([tool('a', 'one', '', { useWhen }), tool('a', 'two')]), 'flooded cellar').hits[0]?.score,
  )
  expect(scores[1]).toBe(scores[0])
})

describe('tools as hostile servers send them', () => {
  const odd = {
    numbers: tool('x', 'one', 7 as unknown as string, { title: {} as unknown as string, inputSchema: 5 }),
    proto: tool('x', '__proto__', 'constructor toString', {
      inputSchema: JSON.parse('{"properties":{"__proto__":{}}}') as unknown,
    }),
    huge: tool('x', 'n'.repeat(1_000_000), 'word '.repeat(1_000_000), { inputSchema: input('p'.repeat(1_000_000)) }),
    signs: tool('x', '!!!', '((((a+)+)+)+$ \u0000 \ud800 “”', { useWhen: ['', '   ', '```````'] }),
    deep: tool('x', 'deep', '', { inputSchema: nested(5000) }),
    empty: tool('x', '', ''),
  }

  test('are indexed as far as they can be read, and disturb no others', () => {
    const index = buildIndex([...Object.values(odd), ...fixtureF])
    expect(search(index, 'drive route').hits[0]?.publicName).toBe('atlas__route')
    expect(search(index, '').total).toBe(fixtureF.length + 6)
    expect(search(index, 'constructor').hits[0]?.id).toBe('x/__proto__')
  })

  function nested(depth: number): object {
    let schema: object = { type: 'string' }
    for (let n = 0; n < depth; n++) schema = { properties: { [`level${n}`]: schema } }
    return schema
  }
})
