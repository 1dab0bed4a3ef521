import { expect, test } from 'vitest'
import { findOperationsIn } from '../../../src/operations/find/find.ts'
import { readSources } from '../../architecture/sources.ts'
import { JournalFile } from '../journal/journal-file.ts'

test('many operations are read in pages, all of them, the newest first, and the search ends where it may', async () => {
  using file = new JournalFile()
  await file.begin()
  const one = file.process()
  const handles = Array.from({ length: 600 }, (_, n) => file.buy(one, { digits: n.toString(16), callId: `c-${n}` }))
  await one.sealer.sealAll()
  const now = new Date(file.clock.nowMs())
  const found = findOperationsIn(one.database, { limit: 1000 }, now)
  expect(found.operations.map(({ view }) => view.handle)).toEqual(handles.toReversed())
  const words = findOperationsIn(one.database, { limit: 1000, words: ['poster'] }, now)
  expect(words.operations).toHaveLength(600)
  expect(findOperationsIn(one.database, { limit: 3 }, now)).toMatchObject({ hasMore: true, operations: { length: 3 } })
})

test('a serving router prepares nothing new for a second search', async () => {
  using file = new JournalFile()
  await file.begin()
  const one = file.process()
  file.buy(one, { digits: 'a' })
  const query = { limit: 5, principal: 'local', withUnowned: true, since: new Date(0) } as const
  const ask = () => findOperationsIn(one.database, query, new Date(file.clock.nowMs()))
  ask()
  const { prepare } = one.database
  let prepared = 0
  one.database.prepare = ((sql: string) => {
    prepared += 1
    return prepare.call(one.database, sql)
  }) as typeof prepare
  expect(ask().operations).toHaveLength(1)
  expect(prepared).toBe(0)
})

test('no statement is iterated: what is left half read could end the process when it is collected', () => {
  // The driver over Node's own SQLite only offers what the other library has.
  const places = readSources('src').filter(
    ({ file, text }) => file !== 'src/storage/node-sqlite.ts' && /\.iterate\(/.test(text),
  )
  expect(places.map(({ file }) => file)).toEqual([])
})
