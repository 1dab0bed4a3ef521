import { expect, test } from 'vitest'
import { buildIndex } from '../../src/search/build-index.ts'
import { analyze } from '../../src/search/query/analyze.ts'
import { resolve } from '../../src/search/resolve.ts'
import { search } from '../../src/search/search.ts'
import { goldenDocuments } from './golden.ts'

const index = buildIndex(goldenDocuments())
const size = goldenDocuments().length

/** Requests of 10 KB and worse. */
const hostile: Record<string, string> = {
  'one letter repeated': 'a'.repeat(10_240),
  'words repeated': 'create update delete the draft invoice '.repeat(260),
  'unknown words': Array.from({ length: 1500 }, (_, n) => `zq${n.toString(36).replace(/\d/g, 'w')}xv`).join(' '),
  'function words': 'the of and to what is a in '.repeat(380),
  'a pattern': '(.*)+[a-z]{1,}\\d$^|?'.repeat(500),
  quotes: '"'.repeat(10_240),
  'single quotes': "'a ".repeat(3400),
  'ids joined': 'a1_'.repeat(3400),
  dots: 'x.'.repeat(5000),
  slashes: '/a'.repeat(5000),
  spaces: ' '.repeat(10_240),
  characters: '预算余额'.repeat(2500),
  emoji: '😀'.repeat(2500),
  'broken surrogates': '\ud800'.repeat(5000),
  'control characters': '\u0000\u0007\u001b'.repeat(3000),
  'names of tools': 'hubu_list_budgets '.repeat(600),
  'camel case': 'aB'.repeat(5000),
}

test.each(Object.entries(hostile))('a request of %s gets an answer, read up to a bound', (_, query) => {
  const { groups } = analyze(index, query)
  expect(groups.length).toBeLessThanOrEqual(400)
  expect(groups.reduce((sum, { variants }) => sum + variants.length, 0)).toBeLessThanOrEqual(20_000)
  const found = search(index, query, { limit: 100 })
  expect(found.hits.length).toBeLessThanOrEqual(100)
  expect(found.total).toBeLessThanOrEqual(size)
  expect(['match', 'ambiguous', 'none']).toContain(resolve(index, query).kind)
})

test('what comes after the part that is read changes nothing', () => {
  const query = 'list the budgets of my agents '.padEnd(5000, ' ')
  expect(search(index, `${query}delete the invoice`)).toEqual(search(index, query))
})

test.each(['[', '*', '(a|b)*', '\\', '^$', '.*'])('`%s` is no pattern: without a word it lists everything', (query) => {
  const generic = search(index, query)
  expect(generic.isGeneric || generic.total < size).toBe(true)
})

test('regular expression signs around words do not disturb them', () => {
  expect(search(index, '(list)+ .*budgets?$').hits[0]?.id).toBe('hubu/hubu_list_budgets')
})
