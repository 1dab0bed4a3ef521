import { expect, test } from 'vitest'
import { checkJournal } from '../../src/doctor/journal.ts'
import { handleOf, JournalFile } from '../operations/journal/journal-file.ts'

const now = (file: JournalFile) => new Date(file.clock.nowMs())

test('a journal is told with its size, and purchases in doubt, what it lacks and what was not written are warnings', async () => {
  using file = new JournalFile()
  await file.begin()
  const one = file.process()
  expect(checkJournal(file.registry.path, now(file))).toMatchObject([{ check: 'journal', status: 'ok' }])
  file.buy(one, { digits: 'a' })
  await one.sealer.sealAll()
  file.clock.advance(6 * 60_000)
  const doubt = checkJournal(file.registry.path, now(file))
  expect(doubt.map(({ check }) => check)).toEqual(['journal', 'purchases in doubt'])
  file.change(handleOf('a'), { operation_updated_at: now(file).toISOString() })
  file.clock.advance(6 * 60_000)
  const behind = checkJournal(file.registry.path, now(file))
  expect(behind.map(({ status }) => status)).toEqual(['ok', 'warning', 'warning'])
  expect(behind[1]?.message).toMatch(/^1 operations have changed and nothing was written since 2026-/)
  file.database.exec('delete from operation_journal')
  expect(checkJournal(file.registry.path, now(file)).map(({ check }) => check)).toContain('journal gap')
})

test('a registry without a journal says so, and one that cannot be read says nothing here', async () => {
  using file = new JournalFile()
  await file.begin(false)
  expect(checkJournal(file.registry.path, now(file))).toMatchObject([
    { message: 'no journal is kept in this registry' },
  ])
  expect(checkJournal(undefined, now(file))).toEqual([])
})
