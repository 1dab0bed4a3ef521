import { expect, test } from 'vitest'
import { canonicalJson, requestHash } from '../../../src/json/canonical.ts'
import { confirmOneMore } from '../../../src/operations/guard/confirm.ts'
import { createGuard, type GuardTurn } from '../../../src/operations/guard/guard.ts'
import { nearFingerprint } from '../../../src/operations/guard/identity.ts'
import { handleOf, JournalFile, someArgs } from '../journal/journal-file.ts'

const tool = 'hubu_submit_spend'

/** A purchase that was paid and taken, and a guard that is asked for an equal one. */
async function paidOnce() {
  const file = new JournalFile()
  await file.begin()
  const one = file.process()
  const { database, journal, sealer } = one
  const handle = file.buy(one, { digits: 'a', tool })
  file.answer(handle, { decision: 'allow', payment: { status: 'succeeded' } })
  sealer.deliveries.used(handle)
  await sealer.sealAll()
  const rooms = {
    database,
    journal,
    deliveries: sealer.deliveries,
    clock: file.clock,
    provenNow: () => new Date(file.clock.nowMs()),
    isUnderWay: () => false,
  }
  const guard = createGuard({ ...rooms, windowMs: 600_000 })
  const intent = { principal: 'local', tool, fingerprint: requestHash(tool, canonicalJson(someArgs)) }
  /** Asks as a call does, and buys when it may. */
  const ask = (digits: string): GuardTurn['kind'] =>
    database
      .transaction(() => {
        const turn = guard.decide({
          intent,
          nearHash: () => nearFingerprint(tool, someArgs),
          hasIdentity: true,
          mode: 'refuse',
        })
        if (turn.kind === 'new') turn.allocated(file.buy(one, { digits, tool }))
        return turn.kind
      })
      .immediate()
  const confirm = (minutes: number) => {
    const until = new Date(file.clock.nowMs() + minutes * 60_000)
    const word = { handle, principal: 'local', until, uid: 501 }
    return confirmOneMore(file.registry.path, word, file.clock)
  }
  return { file, handle, ask, confirm }
}

test('a confirmation lets one more purchase through, once, and stands in the journal', async () => {
  const { file, handle, ask, confirm } = await paidOnce()
  using _ = file
  expect(ask('b')).toBe('refuse')
  expect(confirm(15)).toEqual({ kind: 'written', value: true })
  expect(file.entries().at(-1)).toMatchObject({ kind: 'confirmed', operation: 1, of: handle, by: 'human', uid: 501 })
  expect(ask('b')).toBe('new')
  expect(ask('c')).toBe('refuse')
})

test('a confirmation ends by itself', async () => {
  const { file, ask, confirm } = await paidOnce()
  using _ = file
  confirm(1)
  file.clock.advance(60_001)
  expect(ask('b')).toBe('refuse')
})

test('nothing is written for an operation that is not there, nor without a journal', async () => {
  const { file } = await paidOnce()
  using _ = file
  const before = file.entries().length
  const word = { handle: handleOf('ff'), principal: 'local', until: new Date(), uid: null }
  expect(confirmOneMore(file.registry.path, word, file.clock)).toEqual({ kind: 'written', value: false })
  expect(file.entries()).toHaveLength(before)
  for (const table of ['operation_journal', 'operation_facts']) file.database.exec(`drop table ${table}`)
  expect(confirmOneMore(file.registry.path, word, file.clock)).toEqual({ kind: 'not_written', reason: 'no_journal' })
})
