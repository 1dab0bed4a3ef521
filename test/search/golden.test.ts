import { describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/search/build-index.ts'
import { resolve } from '../../src/search/resolve.ts'
import { search } from '../../src/search/search.ts'
import { goldenDocuments, goldenQueries, type GoldenQuery } from './golden.ts'

const index = buildIndex(goldenDocuments())

const placeOf = ({ query, expect: wanted }: GoldenQuery): number => {
  const at = search(index, query).hits.findIndex(({ id }) => wanted.includes(id))
  return at < 0 ? Infinity : at + 1
}
const ofKind = (...kinds: GoldenQuery['kind'][]) => goldenQueries.filter(({ kind }) => kinds.includes(kind))
const within = (queries: readonly GoldenQuery[], most: number) => queries.filter((query) => placeOf(query) <= most)
const share = (some: readonly unknown[], all: readonly unknown[]) => some.length / all.length

test('the golden set is large enough, names only tools that exist and asks nothing twice', () => {
  const ids = new Set(goldenDocuments().map(({ id }) => id))
  expect(goldenQueries.length).toBeGreaterThanOrEqual(120)
  expect(goldenQueries.flatMap(({ expect: wanted }) => wanted).filter((id) => !ids.has(id))).toEqual([])
  expect(new Set(goldenQueries.map(({ query }) => query)).size).toBe(goldenQueries.length)
})

test('of 40 natural sentences with an unknown word each, at least 36 have the right tool among the first three', () => {
  const sentences = ofKind('natural')
  expect(sentences).toHaveLength(40)
  expect(within(sentences, 3).length).toBeGreaterThanOrEqual(36)
})

test('a sentence of which any word matches never ends without hits', () => {
  for (const query of ofKind('natural')) expect(search(index, query.query).total, query.query).toBeGreaterThan(0)
})

test('misspelled words find what was meant', () => {
  expect(share(within(ofKind('typo'), 1), ofKind('typo'))).toBeGreaterThanOrEqual(0.9)
  expect(within(ofKind('typo'), 3)).toEqual(ofKind('typo'))
})

describe('spelled otherwise', () => {
  test.each(ofKind('plural', 'camel', 'server'))('`$query` finds its tool first', (query) => {
    expect(placeOf(query)).toBe(1)
  })
})

describe('in other languages', () => {
  test.each(ofKind('chinese', 'european'))('`$query` finds its tool first', (query) => {
    expect(placeOf(query)).toBe(1)
  })

  test('Spanish requests find English and Spanish tools', () => {
    expect(share(within(ofKind('spanish'), 1), ofKind('spanish'))).toBeGreaterThanOrEqual(0.9)
    expect(within(ofKind('spanish'), 3)).toEqual(ofKind('spanish'))
  })
})

test('a confident answer is right at least nine times in ten', () => {
  const fitting = goldenQueries.filter(({ expect: wanted }) => wanted.length > 0)
  const sure = fitting.filter(({ query }) => resolve(index, query).kind === 'match')
  expect(share(sure, fitting)).toBeGreaterThan(0.4)
  expect(share(within(sure, 1), sure)).toBeGreaterThanOrEqual(0.9)
})

test('of the requests that no tool fits, at most one in twenty is answered with confidence', () => {
  const unfit = ofKind('none')
  const named = unfit.filter(({ query }) => resolve(index, query).kind === 'match')
  expect(share(named, unfit)).toBeLessThanOrEqual(0.05)
})
