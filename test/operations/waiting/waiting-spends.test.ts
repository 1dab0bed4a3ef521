import { expect, test } from 'vitest'
import { waitAfter } from '../../../src/operations/waiting/schedule.ts'
import { createWaitingSpends } from '../../../src/operations/waiting/waiting-spends.ts'
import { believed } from '../../support/believed-clock.ts'
import { handleOf, JournalFile, someArgs } from '../journal/journal-file.ts'

async function begun(file: JournalFile) {
  await file.begin()
  const handle = file.buy(file.process(), { digits: 'a1', callId: 'call-1' })
  const waiting = createWaitingSpends(file.database, file.clock, believed(file.clock))
  waiting.keep(handle, 'hubu_authorize_spend', JSON.stringify(someArgs))
  return { handle, waiting, other: createWaitingSpends(file.another(), file.clock, believed(file.clock)) }
}

test('it is asked for soon at first, then slower, and at last every 15 seconds', () => {
  const waits = Array.from({ length: 12 }, (_, attempts) => waitAfter(attempts))
  expect(waits[0]).toBe(1000)
  expect(waits.toSorted((a, b) => a - b)).toEqual(waits)
  expect(waits.at(-1)).toBe(15_000)
})

test('one worker at a time takes what is due, with the identity and the arguments of the call that waits', async () => {
  using file = new JournalFile()
  const { handle, waiting, other } = await begun(file)
  expect(waiting.claim('lease-1')).toBeNull()
  file.clock.skip(1000)
  expect(waiting.claim('lease-1')).toEqual({
    handle,
    owner: expect.stringMatching(/^hubu-installation:v1:/),
    identity: expect.objectContaining({ platform: 'codex', harnessCallId: 'call-1' }) as unknown,
    tool: 'hubu_authorize_spend',
    args: someArgs,
    leaseId: 'lease-1',
  })
  expect(other.claim('lease-2')).toBeNull()
  waiting.release({ handle, leaseId: 'lease-1' })
  expect(other.claim('lease-2')).toBeNull()
  expect(waiting.nextDue()).toEqual(new Date(file.clock.nowMs() + waitAfter(0)))
  file.clock.skip(waitAfter(0))
  expect(other.claim('lease-2')).toMatchObject({ handle })
})

test('what a worker that died has taken is free again when its lease ends, also after the clock was set back', async () => {
  using file = new JournalFile()
  const { waiting, other } = await begun(file)
  file.clock.skip(1000)
  waiting.claim('lease-1')
  file.clock.skip(9_999)
  expect(other.claim('lease-2')).toBeNull()
  file.clock.skip(1)
  expect(other.claim('lease-2')).not.toBeNull()
})

test('it ceases to wait with the final decision, and nothing of its arguments stays in the file', async () => {
  using file = new JournalFile()
  const { handle, waiting } = await begun(file)
  expect(waiting.waits(handle)).toBe(true)
  expect(waiting.erase(handle)).toBe(true)
  expect(waiting.erase(handle)).toBe(false)
  expect(waiting.waits(handle)).toBe(false)
  expect(waiting.nextDue()).toBeNull()
  waiting.release({ handle, leaseId: 'lease-1' })
})

test('after a day only the same call, delivered again, completes it', async () => {
  using file = new JournalFile()
  const { handle, waiting } = await begun(file)
  file.clock.skip(86_400_000 - 1)
  expect(waiting.eraseOld()).toBe(0)
  file.clock.skip(1)
  expect(waiting.eraseOld()).toBe(1)
  expect(waiting.waits(handle)).toBe(false)
})

test('a purchase that waits already keeps its place, and can be hurried', async () => {
  using file = new JournalFile()
  const { handle, waiting } = await begun(file)
  file.clock.skip(500)
  waiting.keep(handle, 'hubu_authorize_spend', '{"other":1}')
  waiting.hurry(handle)
  expect(waiting.claim('lease')).toMatchObject({ args: someArgs })
  expect(waiting.waits(handleOf('b2'))).toBe(false)
})

test('a clock that runs ahead erases nothing that others wait for, and what it has put off is due', async () => {
  using file = new JournalFile()
  const { handle, waiting } = await begun(file)
  const isNever = { isOver: () => false }
  const ahead = createWaitingSpends(file.another(), { nowMs: () => file.clock.nowMs() + 30 * 3_600_000 }, isNever)
  expect(ahead.eraseOld()).toBe(0)
  expect(ahead.claim('lease-1')).not.toBeNull()
  ahead.release({ handle, leaseId: 'lease-1' })
  expect(waiting.nextDue()).toEqual(new Date(file.clock.nowMs()))
  expect(waiting.claim('lease-2')).toMatchObject({ handle })
})
