import { describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/search/build-index.ts'
import { search } from '../../src/search/search.ts'
import { fixtureF, fixtureG, tool } from './fixtures.ts'

const index = buildIndex(fixtureF)
const names = (query: string, options = {}) => search(index, query, options).hits.map(({ publicName }) => publicName)

describe('the fixture F', () => {
  test('two words of one tool find only it', () => {
    const { hits, total } = search(index, 'drive route')
    expect([total, hits.map(({ publicName }) => publicName)]).toEqual([1, ['atlas__route']])
    expect(hits[0]?.matched.map(({ said }) => said).slice(0, 2)).toEqual(['drive', 'route'])
  })

  test('case and space around a request change nothing', () => {
    const answers = ['route', 'ROUTE', ' route ', '\troute\n'].map((query) => search(index, query))
    expect(answers[0]?.hits[0]?.publicName).toBe('atlas__route')
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  test('a public name puts its tool in front and keeps what shares a word behind it', () => {
    expect(names('atlas__route')).toEqual(['atlas__route', 'atlas__geocode'])
  })

  test.each(['Find coordinates', 'coordinates'])('`%s` finds the tool of that title', (query) => {
    expect(names(query)[0]).toBe('atlas__geocode')
  })

  test('the total counts all that fit, however few are wanted', () => {
    const { hits, total } = search(index, 'travel', { limit: 1 })
    expect([hits.map(({ publicName }) => publicName), total]).toEqual([['atlas__route'], 2])
  })

  test("a server's hint speaks for its tools alike and leaves their order to their names", () => {
    const { hits } = search(index, 'look up an invoice')
    expect(hits.slice(0, 2).map(({ publicName }) => publicName)).toEqual(['ledger__add_entry', 'ledger__list_entries'])
    expect(hits[0]?.score).toBe(hits[1]?.score)
  })

  test.each(['the', '', '   ', 'what is the', '…?!'])('`%s` lists the whole catalog by name', (query) => {
    const answer = search(index, query)
    expect(answer.isGeneric).toBe(true)
    expect(answer.total).toBe(5)
    expect(answer.hits.map(({ publicName }) => publicName)).toEqual(fixtureF.map(({ publicName }) => publicName))
    expect(answer.hits.every(({ score, matched }) => score === 0 && matched.length === 0)).toBe(true)
  })

  test('two words of a name beat one, singular and plural alike', () => {
    expect(names('list entries')).toEqual(['ledger__list_entries', 'ledger__add_entry'])
    expect(names('list entry')[0]).toBe('ledger__list_entries')
  })

  test('an empty answer still tells how many tools were searched', () => {
    expect(search(index, 'zorbla')).toEqual({ hits: [], total: 0, searched: 5, isGeneric: false })
  })

  test('a server can be asked alone, and an unknown one has nothing', () => {
    expect(names('travel', { server: 'ledger' })).toEqual([])
    expect(search(index, '', { server: 'ledger' })).toMatchObject({ total: 2, searched: 2, isGeneric: true })
    expect(search(index, 'route', { server: 'nobody' })).toMatchObject({ hits: [], total: 0, searched: 0 })
  })
})

test('120 tools alike all fit with one score, in the order of their names', () => {
  const { hits, total } = search(buildIndex(fixtureG), 'widget')
  expect([total, hits.length]).toEqual([120, 20])
  expect(new Set(hits.map(({ score }) => score)).size).toBe(1)
  expect(hits[19]?.publicName).toBe('many__t019')
})

test('an index without tools answers everything with nothing', () => {
  expect(search(buildIndex([]), 'route')).toEqual({ hits: [], total: 0, searched: 0, isGeneric: false })
  expect(search(buildIndex([]), 'the')).toEqual({ hits: [], total: 0, searched: 0, isGeneric: true })
})

describe('what a match is explained with', () => {
  const shop = buildIndex([
    tool('shop', 'delete_order', 'Delete an order.'),
    tool('shop', 'list_orders', 'List orders.'),
    tool('shop', 'get_pull_request', 'A request of the depot.'),
  ])
  const matched = (query: string) => search(shop, query).hits[0]?.matched

  test.each([
    ['delete order', { said: 'delete', found: 'delete', how: 'exact' }],
    ['deleting an order', { said: 'deleting', found: 'delete', how: 'form' }],
    ['erase order', { said: 'erase', found: 'delete', how: 'synonym' }],
    ['borrar order', { said: 'borrar', found: 'delete', how: 'translation' }],
    ['delte order', { said: 'delte', found: 'delete', how: 'typo' }],
    ['shop orders', { said: 'shop', found: 'shop', how: 'server' }],
    ['PR 12', { said: 'pr', found: 'pull request', how: 'synonym' }],
  ])('`%s`', (query, wanted) => {
    expect(matched(query)).toContainEqual(wanted)
  })
})
