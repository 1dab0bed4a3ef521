import { expect, test } from 'vitest'
import { startApprovalWorker } from '../../../src/operations/waiting/approval-worker.ts'
import { createWaitingSpends, type WaitingSpend } from '../../../src/operations/waiting/waiting-spends.ts'
import { believed } from '../../support/believed-clock.ts'
import { JournalFile, someArgs } from '../journal/journal-file.ts'

/** Starts a worker on a file with one purchase that waits. `answer` says what each delivery brings. */
async function begun(file: JournalFile, answer: (spend: WaitingSpend, attempt: number) => 'final' | 'waits' | 'fails') {
  await file.begin()
  const one = file.process()
  const handle = file.buy(one, { digits: 'a1', callId: 'call-1' })
  const waiting = createWaitingSpends(one.database, file.clock, believed(file.clock))
  waiting.keep(handle, 'hubu_authorize_spend', JSON.stringify(someArgs))
  const atMs: number[] = []
  const startedMs = file.clock.nowMs()
  let leases = 0
  const worker = startApprovalWorker({
    access: one.access,
    waiting,
    clock: file.clock,
    randomHex: () => `lease-${++leases}`,
    deliver: (spend) => {
      atMs.push(file.clock.nowMs() - startedMs)
      const outcome = answer(spend, atMs.length)
      if (outcome === 'final') waiting.erase(spend.handle)
      return outcome === 'fails' ? Promise.reject(new Error('Hubu is gone')) : Promise.resolve()
    },
  })
  const pass = (ms: number) => file.clock.pass(ms)
  return { worker, pass, atMs, waiting, handle }
}

test('it asks again, slower and slower, until the decision is final, and then never more', async () => {
  using file = new JournalFile()
  const { worker, pass, atMs, waiting, handle } = await begun(file, (_spend, attempt) =>
    attempt === 5 ? 'final' : 'waits',
  )
  await pass(60_000)
  expect(atMs).toEqual([1000, 2000, 3000, 5000, 8000])
  expect(waiting.waits(handle)).toBe(false)
  await worker.stop()
})

test('a delivery that fails is tried again later', async () => {
  using file = new JournalFile()
  const { worker, pass, atMs } = await begun(file, (_spend, attempt) => (attempt < 3 ? 'fails' : 'final'))
  await pass(10_000)
  expect(atMs).toEqual([1000, 2000, 3000])
  await worker.stop()
})

test('it delivers what was asked, as the call that was waiting', async () => {
  using file = new JournalFile()
  const seen: WaitingSpend[] = []
  const { worker, pass } = await begun(file, (spend) => (seen.push(spend), 'final'))
  await pass(2000)
  expect(seen).toMatchObject([
    { tool: 'hubu_authorize_spend', args: someArgs, identity: { platform: 'codex', harnessCallId: 'call-1' } },
  ])
  await worker.stop()
})
