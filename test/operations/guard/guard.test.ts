import { expect, test } from 'vitest'
import { createGuard, type GuardedCall } from '../../../src/operations/guard/guard.ts'
import { guardedIdentity, nearFingerprint, type Intent } from '../../../src/operations/guard/identity.ts'
import { requestHash, canonicalJson } from '../../../src/json/canonical.ts'
import { handleOf, JournalFile, someArgs } from '../journal/journal-file.ts'

const tool = 'hubu_submit_spend'
const intentOf = (args: object = someArgs, principal = 'local'): Intent => ({
  principal,
  tool,
  fingerprint: requestHash(tool, canonicalJson(args)),
})
const paid = { decision: 'allow', payment: { status: 'succeeded' } }

async function begun(file: JournalFile, provenNow = () => new Date(file.clock.nowMs())) {
  await file.begin()
  const one = file.process()
  const guard = createGuard({
    database: one.database,
    journal: one.journal,
    deliveries: one.sealer.deliveries,
    windowMs: 600_000,
    clock: file.clock,
    provenNow,
    isUnderWay: () => false,
  })
  const decide = (more: Partial<GuardedCall> = {}, args: object = someArgs) => {
    const call = {
      intent: intentOf(args),
      nearHash: () => nearFingerprint(tool, args),
      hasIdentity: false,
      mode: 'refuse',
    } as const
    return one.database.transaction(() => guard.decide({ ...call, ...more })).immediate()
  }
  /** Allocates what the router named. */
  const mint = (digits: string, generation: number, intent = intentOf(), args: Record<string, unknown> = someArgs) => {
    const { harnessCallId } = guardedIdentity(intent, generation)
    return file.buy(one, {
      digits,
      tool,
      args,
      platform: 'guarded',
      callId: harnessCallId,
      principal: intent.principal,
    })
  }
  return { ...one, guard, decide, mint }
}

test('the first purchase is new, and the same call joins it while its answer is not known to be taken', async () => {
  using file = new JournalFile()
  const { decide, mint, sealer } = await begun(file)
  expect(decide()).toMatchObject({ kind: 'new', generation: 1 })
  const handle = mint('a1', 1)
  expect(decide()).toMatchObject({ kind: 'join', row: { operation_handle: handle } })
  file.answer(handle, paid)
  expect(decide()).toMatchObject({ kind: 'join' })
  sealer.deliveries.used(handle)
  expect(decide()).toMatchObject({
    kind: 'refuse',
    duplicate: { operation_handle: handle, reason: 'earlier_just_paid', answer: 'paid', difference: 'none' },
  })
  file.clock.skip(600_000)
  expect(decide()).toMatchObject({ kind: 'new', generation: 2 })
})

test('another principal has purchases of its own, numbered with those of everybody', async () => {
  using file = new JournalFile()
  const { decide, mint } = await begun(file)
  mint('a1', 1)
  expect(decide({ intent: intentOf(someArgs, 'qwen') })).toMatchObject({ kind: 'new', generation: 2 })
})

test('a purchase that a harness named cannot be joined; whose it is stands in its first entry', async () => {
  using file = new JournalFile()
  const { decide, ...one } = await begun(file)
  file.buy(one, { digits: 'b1', tool, principal: 'qwen' })
  expect(decide()).toMatchObject({ kind: 'new' })
  file.buy(one, { digits: 'b2', tool })
  expect(decide()).toMatchObject({ kind: 'refuse', duplicate: { operation_handle: handleOf('b2') } })
  expect(decide({ hasIdentity: true, mode: 'doubt' })).toMatchObject({ kind: 'refuse' })
  expect(decide({ hasIdentity: true, mode: 'tell' })).toMatchObject({ kind: 'new', similar: handleOf('b2') })
})

test('an operation of which nobody wrote is everybody’s', async () => {
  using file = new JournalFile()
  const { decide, database, ...one } = await begun(file)
  file.buy({ ...one, database }, { digits: 'b1', tool, principal: 'qwen' })
  database.exec('delete from operation_journal')
  expect(decide()).toMatchObject({ kind: 'refuse', duplicate: { reason: 'earlier_undecided' } })
})

test('refused purchases count for nothing, however many there are', async () => {
  using file = new JournalFile()
  const { decide, mint } = await begun(file)
  const bought = mint('a0', 1)
  for (let i = 2; i < 50; i++) file.answer(mint(`c${i}`, i), { decision: 'deny' })
  expect(decide()).toMatchObject({ kind: 'join', row: { operation_handle: bought } })
  file.answer(bought, { decision: 'deny' })
  expect(decide()).toMatchObject({ kind: 'new', generation: 50 })
})

test('a second try in other words is refused while the first is open, and lately after a refusal', async () => {
  using file = new JournalFile()
  const { decide, mint, sealer } = await begun(file)
  const other = { ...someArgs, reason: 'a poster, once more' }
  const handle = mint('a1', 1)
  await sealer.sealAll()
  expect(decide({}, other)).toMatchObject({ kind: 'refuse', duplicate: { difference: 'reason' } })
  file.answer(handle, paid)
  sealer.deliveries.used(handle)
  expect(decide({}, { ...other, reason: 'a third way' })).toMatchObject({ kind: 'refuse' })
  expect(decide({}, { ...other, amount_cents: 26 })).toMatchObject({ kind: 'new' })
  file.clock.skip(600_000)
  expect(decide({}, other)).toMatchObject({ kind: 'new' })
})

test('equal refusals within a minute are noted once', async () => {
  using file = new JournalFile()
  const { decide, ...one } = await begun(file)
  file.buy(one, { digits: 'b2', tool })
  for (let i = 0; i < 5; i++) decide()
  const count = (sql: string) => file.database.prepare(sql).pluck().get()
  expect(count('select count(*) from guard_refusals')).toBe(1)
  expect(file.entries().filter(({ kind }) => kind === 'guard_refused')).toMatchObject([{ of: handleOf('b2') }])
})

test('a person’s word allows one more purchase, once and for a while', async () => {
  using file = new JournalFile()
  const { decide, guard, mint, sealer } = await begun(file)
  const handle = mint('a1', 1)
  file.answer(handle, paid)
  sealer.deliveries.used(handle)
  guard.grants.give(intentOf(), handle, new Date(file.clock.nowMs() + 60_000))
  const turn = decide()
  if (turn.kind !== 'new') throw new Error(turn.kind)
  turn.allocated(mint('a2', turn.generation))
  expect(decide()).toMatchObject({ kind: 'join', row: { operation_handle: handleOf('a2') } })
  file.answer(handleOf('a2'), { decision: 'deny' })
  expect(decide()).toMatchObject({ kind: 'refuse', duplicate: { operation_handle: handle } })
})

test('a harness’s word counts for the operation that it names, and for one purchase', async () => {
  using file = new JournalFile()
  const { decide, ...one } = await begun(file)
  const call = { hasIdentity: true, mode: 'refuse' } as const
  const first = file.buy(one, { digits: 'b1', tool })
  expect(decide({ ...call, confirms: handleOf('ff') })).toMatchObject({ kind: 'refuse' })
  const turn = decide({ ...call, confirms: first })
  if (turn.kind !== 'new') throw new Error(turn.kind)
  const second = file.buy(one, { digits: 'b2', tool })
  one.database.transaction(() => turn.allocated(second)).immediate()
  file.answer(second, { decision: 'deny' })
  expect(decide({ ...call, confirms: first })).toMatchObject({ kind: 'refuse' })
  expect(file.entries().filter(({ kind }) => kind === 'confirmed')).toMatchObject([{ of: first, by: 'harness' }])
})

test('a platform whose ids were used twice is remembered for a day', async () => {
  using file = new JournalFile()
  const { guard } = await begun(file)
  guard.refusals.noteReusedId('codex', 'local', tool, 'sha256:1')
  guard.refusals.noteReusedId('codex', 'local', tool, 'sha256:1')
  expect(guard.refusals.hasReusedId('codex')).toBe(true)
  expect(guard.refusals.hasReusedId('claude-code')).toBe(false)
  file.clock.skip(86_400_000)
  expect(guard.refusals.hasReusedId('codex')).toBe(false)
})

test('an authorization that has run out by our clock alone is still open, so that an equal call joins it', async () => {
  using file = new JournalFile()
  let provenMs = file.clock.nowMs()
  const { decide, mint } = await begun(file, () => new Date(provenMs))
  const handle = mint('a1', 1)
  const ends = new Date(file.clock.nowMs() + 300_000).toISOString()
  file.change(handle, { tool_name: 'hubu_authorize_spend' })
  file.answer(handle, { decision: 'allow', auth_token_id: 'tok-1' })
  file.change(handle, { authorization_expires_at: ends })
  file.clock.advance(30 * 3_600_000)
  expect(decide()).toMatchObject({ kind: 'join', row: { operation_handle: handle } })
  provenMs = file.clock.nowMs()
  expect(decide()).toMatchObject({ kind: 'new', generation: 2 })
})
