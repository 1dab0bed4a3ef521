import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { forgetTexts } from '../../../src/operations/journal/forget.ts'
import { verifyJournal } from '../../../src/operations/journal/verify.ts'
import { handleOf, JournalFile } from './journal-file.ts'

const args = (reason: string) => ({ account_id: 'aga_1', amount_cents: 25, reason })

/** Everything that lies on the disk of a registry. */
const bytes = (path: string) =>
  ['', '-wal', '-shm'].map((side) => (existsSync(path + side) ? readFileSync(path + side, 'latin1') : '')).join('')

test('the texts of one operation are nowhere on the disk any more, and its amounts and all other texts stay', async () => {
  using file = new JournalFile()
  await file.begin()
  const one = file.process()
  file.buy(one, { digits: 'a', args: args('a surprise for Ada') })
  file.buy(one, { digits: 'b', args: args('a poster for Bob') })
  await one.sealer.sealAll()
  expect(bytes(file.registry.path)).toContain('surprise for Ada')
  expect(forgetTexts(file.registry.path, { handle: handleOf('a') }, 1000, file.clock)).toEqual({
    kind: 'written',
    value: 1,
  })
  expect(bytes(file.registry.path)).not.toContain('surprise for Ada')
  expect(bytes(file.registry.path)).toContain('poster for Bob')
  expect(file.facts(handleOf('a'))).toMatchObject({ amount_minor: 25 })
  expect(verifyJournal(file.database)).toMatchObject({ holds: true, forgotten_openings: 1, openings: 1 })
  expect(file.entries().at(-1)).toMatchObject({ kind: 'forgotten', count: 1, uid: 1000 })
})

test('all texts before an instant are erased, later ones stay, and a second time there is nothing to forget', async () => {
  using file = new JournalFile()
  await file.begin()
  const one = file.process()
  file.buy(one, { digits: 'a' })
  file.clock.advance(60_000)
  const before = new Date(file.clock.nowMs())
  file.buy(one, { digits: 'b' })
  expect(forgetTexts(file.registry.path, { before }, null, file.clock)).toEqual({ kind: 'written', value: 1 })
  expect(forgetTexts(file.registry.path, { before }, null, file.clock)).toEqual({ kind: 'written', value: 0 })
  expect(verifyJournal(file.database)).toMatchObject({ holds: true, forgotten_openings: 1, openings: 1 })
})

test('an operation that nobody wrote down has nothing to forget, and a registry without a journal says so', async () => {
  using file = new JournalFile()
  await file.begin()
  expect(forgetTexts(file.registry.path, { handle: handleOf('f') }, null, file.clock)).toEqual({
    kind: 'written',
    value: 0,
  })
  using plain = new JournalFile()
  await plain.begin(false)
  expect(forgetTexts(plain.registry.path, { before: new Date() }, null, plain.clock)).toEqual({
    kind: 'not_written',
    reason: 'no_journal',
  })
})

test('forgetting one purchase excuses no missing text of another one between its entries', async () => {
  using file = new JournalFile()
  await file.begin()
  const one = file.process()
  for (const digits of ['a', 'b']) file.buy(one, { digits, args: args(digits) })
  file.answer(handleOf('a'), { decision: 'allow', auth_token_id: 'tok', payment: null })
  one.sealer.note(handleOf('a'))
  await one.sealer.sealAll()
  forgetTexts(file.registry.path, { handle: handleOf('a') }, null, file.clock)
  expect(verifyJournal(file.database)).toMatchObject({ holds: true, openings: 1 })
  file.database.exec(`update operation_journal set opening = null where entry ->> '$.handle' = '${handleOf('b')}'`)
  expect(verifyJournal(file.database)).toMatchObject({ holds: false, problems: [{ kind: 'opening' }] })
})
