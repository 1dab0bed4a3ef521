import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildIndex } from '../../src/search/build-index.ts'
import type { ToolDocument } from '../../src/search/document.ts'
import { resolve } from '../../src/search/resolve.ts'
import { search } from '../../src/search/search.ts'
import { fixtureF, tool } from './fixtures.ts'
import { goldenDocuments, goldenQueries } from './golden.ts'

const documents = goldenDocuments()
const index = buildIndex(documents)
const someQuery = fc.oneof(
  fc.constantFrom(...goldenQueries.map(({ query }) => query)),
  fc
    .array(fc.constantFrom('list', 'budget', 'the', 'agent', 'delete', 'pago', 'Bild', '余额', 'zorbla', 'file.txt'), {
      maxLength: 6,
    })
    .map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
)
const word = fc.stringMatching(/^[a-z]{3,9}$/)
const someTool: fc.Arbitrary<ToolDocument> = fc
  .tuple(word, fc.array(word, { minLength: 1, maxLength: 4 }), fc.lorem({ maxCount: 8 }))
  .map(([server, name, description]) => tool(`${server}x`, name.join('_'), description))

test('the order of the documents changes no answer', () => {
  const shuffled = fc.shuffledSubarray([...fixtureF, ...documents.slice(0, 20)], { minLength: 25 })
  const ordered = buildIndex([...fixtureF, ...documents.slice(0, 20)])
  fc.assert(
    fc.property(shuffled, someQuery, (other, query) => {
      expect(search(buildIndex(other), query)).toEqual(search(ordered, query))
    }),
    { numRuns: 25 },
  )
})

test('the same request gets the same answer, whatever was asked before', () => {
  fc.assert(
    fc.property(someQuery, someQuery, (query, other) => {
      const first = [search(index, query), resolve(index, query)]
      search(index, other)
      expect([search(index, query), resolve(index, query)]).toEqual(first)
    }),
    { numRuns: 60 },
  )
})

test('a smaller limit cuts the same ranking', () => {
  fc.assert(
    fc.property(someQuery, fc.nat(30), (query, limit) => {
      const all = search(index, query, { limit: 200 })
      const some = search(index, query, { limit })
      expect(some).toEqual({ ...all, hits: all.hits.slice(0, limit) })
    }),
    { numRuns: 60 },
  )
})

test('scores fall, are whole, and every ranked hit has one', () => {
  fc.assert(
    fc.property(someQuery, (query) => {
      const { hits, isGeneric, total } = search(index, query, { limit: 200 })
      expect(hits).toHaveLength(Math.min(total, 200))
      const scores = hits.map(({ score }) => score)
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
      expect(scores.every((score) => Number.isInteger(score) && (isGeneric ? score === 0 : score >= 1))).toBe(true)
    }),
    { numRuns: 100 },
  )
})

test('whoever asks for a tool by its public name gets it first, whatever else is added to the catalog', () => {
  fc.assert(
    fc.property(fc.constantFrom(...documents), fc.array(someTool, { maxLength: 5 }), (wanted, others) => {
      const added = others.filter(({ publicName }) => publicName !== wanted.publicName)
      const unique = [...new Map(added.map((other) => [other.id, other])).values()]
      const found = resolve(
        buildIndex([...unique, ...documents.slice(0, 30), ...(documents.indexOf(wanted) < 30 ? [] : [wanted])]),
        wanted.publicName,
      )
      expect(found.kind === 'none' ? undefined : found.candidates[0]?.id).toBe(wanted.id)
    }),
    { numRuns: 40 },
  )
})

test("a server's own words decide between servers and never inside one", () => {
  const inside = (query: string, hints: { tags?: string[]; useWhen?: string[]; description?: string }) => {
    const own = documents
      .filter(({ server }) => server.name === 'forge')
      .map((document) => ({ ...document, server: { name: 'forge', ...hints } }))
    const found = search(buildIndex([...own, ...fixtureF]), query, { server: 'forge', limit: 100 })
    return found.hits.map(({ id }) => id)
  }
  fc.assert(
    fc.property(someQuery, fc.array(fc.constantFrom('issue', 'commit', 'budget', 'merge', 'delete')), (query, tags) => {
      const plain = inside(query, {})
      const hinted = inside(query, { tags, useWhen: [query.slice(0, 100)], description: tags.join(' ') })
      expect(hinted.filter((id) => plain.includes(id))).toEqual(plain)
    }),
    { numRuns: 40 },
  )
})

test('a hint of one of two equal servers puts its tool in front', () => {
  const pair = (left: string[], right: string[]) =>
    search(
      buildIndex([tool({ name: 'left', tags: left }, 'open'), tool({ name: 'right', tags: right }, 'open')]),
      'open the garage',
    ).hits.map(({ id }) => id)
  expect(pair(['garage'], [])).toEqual(['left/open', 'right/open'])
  expect(pair([], ['garage'])).toEqual(['right/open', 'left/open'])
})
