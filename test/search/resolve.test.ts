import { describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/search/build-index.ts'
import { resolve, type Resolution } from '../../src/search/resolve.ts'
import { fixtureF, fixtureG, tool } from './fixtures.ts'

const index = buildIndex(fixtureF)
const namesOf = (found: Resolution) =>
  found.kind === 'none' ? [] : found.candidates.map(({ publicName }) => publicName)

describe('the fixture F', () => {
  test('one tool that answers everything is named with high confidence', () => {
    const found = resolve(index, 'drive route')
    expect(found).toMatchObject({ kind: 'match', confidence: 'high', total: 1, matchedFraction: 1 })
    expect(found.reasons).toEqual(['single_candidate', 'strong_coverage_and_margin'])
    expect(found.kind === 'none' ? 0 : found.scoreGap).toBe(found.kind === 'none' ? 1 : found.candidates[0]?.score)
  })

  test('a clear margin over another tool is confident too', () => {
    const found = resolve(index, 'travel')
    expect([found.kind, namesOf(found)]).toEqual(['match', ['atlas__route', 'atlas__geocode']])
    expect(found.kind === 'none' ? 0 : found.scoreGap).toBeGreaterThan(0)
  })

  test('a sentence finds its tool', () => {
    expect(namesOf(resolve(index, 'how long does a driving trip take'))[0]).toBe('atlas__route')
    const long = 'compute travel time from home to work avoiding tolls on the big motorway'
    expect(namesOf(resolve(index, long))[0]).toBe('atlas__route')
    const note = resolve(index, 'retrieve note by id')
    expect([note.kind, namesOf(note)[0]]).toEqual(['match', 'scribe__read'])
  })

  test('a tie is ambiguous, and the first by name stands first', () => {
    const found = resolve(index, 'maps')
    expect(found).toMatchObject({ kind: 'ambiguous', confidence: 'low', scoreGap: 0 })
    expect(found.reasons).toContain('score_tie')
    expect(namesOf(found)).toEqual(['atlas__geocode', 'atlas__route'])
  })

  test('a request that shares nothing with any tool finds none', () => {
    expect(resolve(index, 'translate a poem')).toEqual({
      kind: 'none',
      confidence: 'none',
      reasons: ['no_lexical_overlap'],
    })
  })

  test.each(['  the ', '', 'who are you'])('`%s` is too generic', (query) => {
    expect(resolve(index, query)).toEqual({ kind: 'none', confidence: 'none', reasons: ['query_too_generic'] })
  })
})

test('tools alike are never told apart: ambiguous, with as many candidates as are wanted', () => {
  const many = buildIndex(fixtureG)
  for (const limit of [1, 6, 11]) {
    const found = resolve(many, 'widget', { limit })
    expect(found).toMatchObject({
      kind: 'ambiguous',
      reasons: expect.arrayContaining(['score_tie']) as string[],
      total: 120,
    })
    expect(namesOf(found)).toHaveLength(limit)
  }
})

describe('tools named by name', () => {
  const hosts = buildIndex([
    tool('left', 'list_issues', 'List issues.'),
    tool('right', 'list_issues', 'List issues.'),
    tool('right', 'right_close', 'Close an issue.', { shortName: 'close' }),
    tool('right', 'getUserById', 'Get a user.'),
  ])

  test.each([
    'right__close',
    'RIGHT__CLOSE',
    'right__right_close',
    'right_close',
    'close',
    'right close',
    'please run right__right_close for me',
    'call `right_close` now',
  ])('`%s` is that tool', (query) => {
    const found = resolve(hosts, query)
    expect([found.kind, found.confidence, namesOf(found)[0]]).toEqual(['match', 'high', 'right__close'])
    expect(found.reasons).toContain('exact_name')
  })

  test.each(['getUserById', 'get_user_by_id', 'get-user-by-id', 'Get user by id', 'use getUserById'])(
    '`%s` is the tool of that name, however it is spelled',
    (query) => {
      expect([resolve(hosts, query).kind, namesOf(resolve(hosts, query))[0]]).toEqual(['match', 'right__getUserById'])
    },
  )

  test('a name that two servers have is ambiguous between them until the server is told', () => {
    const both = resolve(hosts, 'list_issues')
    expect(both).toMatchObject({ kind: 'ambiguous', reasons: ['several_named'] })
    expect(namesOf(both).slice(0, 2)).toEqual(['left__list_issues', 'right__list_issues'])
    expect(resolve(hosts, 'list_issues', { server: 'right' })).toMatchObject({ kind: 'match', reasons: ['exact_name'] })
    expect(namesOf(resolve(hosts, 'right__list_issues'))[0]).toBe('right__list_issues')
  })
})

describe('doubt', () => {
  const files = buildIndex([
    tool('disk', 'read_file', 'Read a file.'),
    tool('disk', 'list_files', 'List files.'),
    tool('disk', 'write_file', 'Write text to a file.'),
    tool('chat', 'post_message', 'Post a message to a channel.'),
  ])

  test('a tool that does something else than was asked for is not named', () => {
    const found = resolve(files, 'delete the file')
    expect(found).toMatchObject({ kind: 'ambiguous', confidence: 'low' })
    expect(found.reasons).toEqual(expect.arrayContaining(['other_action']))
  })

  test('two tools alike on two servers stay a tie, however well both fit', () => {
    const alike = buildIndex(['left', 'right'].map((server) => tool(server, 'list_widgets', 'List the widgets.')))
    const found = resolve(alike, 'please list all the widgets')
    expect(found).toMatchObject({ kind: 'ambiguous', scoreGap: 0, reasons: ['score_tie'] })
  })

  test('a product that no server has is not replaced by one that has its verbs', () => {
    const found = resolve(files, 'post a message to WhatsApp')
    expect(found.kind).toBe('ambiguous')
    expect(found.reasons).toContain('other_product')
  })
})
