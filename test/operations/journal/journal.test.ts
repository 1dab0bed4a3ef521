import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { addTables } from '../../../src/operations/added-tables.ts'
import { commitment, linkTo } from '../../../src/operations/journal/entry.ts'
import { openedEntry } from '../../../src/operations/journal/opened.ts'
import { handleOf, JournalFile, someArgs } from './journal-file.ts'

const kinds = (file: JournalFile) => file.entries().map(({ kind }) => kind)

test('the tables stand beside those of version 4, are made once, and change no row', async () => {
  using file = new JournalFile()
  await file.begin()
  const tables = file.database
    .prepare("select name from sqlite_master where type = 'table' order by name")
    .pluck()
    .all()
  expect(tables).toEqual(
    expect.arrayContaining(['harness_operations', 'operation_facts', 'operation_journal', 'waiting_spends']),
  )
  expect(file.database.pragma('user_version', { simple: true })).toBe(4)
  expect(addTables(file.database, { hasJournal: true })).toEqual({ madeJournal: false })
})

test('a table of such a name that is not ours is refused', async () => {
  using file = new JournalFile()
  await file.begin(false)
  file.database.exec('create table operation_facts (anything text)')
  expect(() => addTables(file.database, { hasJournal: true })).toThrow(/operation_facts is not ours/)
})

test('without a journal only what a worker needs is made', async () => {
  using file = new JournalFile()
  await file.begin(false)
  const tables = file.database.prepare("select name from sqlite_master where type = 'table'").pluck().all()
  expect(tables).toContain('waiting_spends')
  expect(tables).not.toContain('operation_journal')
})

test('an operation and its answer: three members of one chain, each linked to the one before', async () => {
  using file = new JournalFile()
  await file.begin()
  const one = file.process()
  const handle = file.buy(one, { digits: 'a1' })
  file.clock.skip(1000)
  file.answer(handle, { decision: 'allow', decision_id: 'd-1', auth_token_id: 'tok-1', payment: null })
  file.clock.skip(5000)
  await one.sealer.sealAll()
  const entries = file.entries()
  expect(entries.map(({ seq, operation, op_prev, kind }) => [seq, operation, op_prev, kind])).toEqual([
    [1, 1, null, 'opened'],
    [2, 1, 1, 'answered'],
  ])
  const [first, second] = file.texts()
  expect(entries[0]!.prev).toBe('0'.repeat(64))
  expect(entries[1]!.prev).toBe(createHash('sha256').update(`\0${first}`).digest('hex'))
  expect(linkTo(first!)).toBe(entries[1]!.prev)
  expect(entries[1]).toMatchObject({ decision: 'allow', payment: null, happened_at: '2026-11-29T00:00:01.000Z' })
  expect(entries[1]!.at).toBe('2026-11-29T00:00:06.000Z')
  expect(second).not.toContain('tok-1')
  expect(Object.keys(entries[0]!)).toEqual([
    ...[
      'v',
      'seq',
      'prev',
      'at',
      'operation',
      'op_prev',
      'kind',
      'handle',
      'tool',
      'platform',
      'identity',
      'principal',
    ],
    ...['client', 'amount_minor', 'currency', 'account_id', 'request_hash', 'intent', 'happened_at'],
  ])
})

test('an entry commits to the arguments; they stand in an opening that can be erased', async () => {
  using file = new JournalFile()
  await file.begin()
  file.buy(file.process(), { digits: 'a1' })
  const opening = file.database.prepare('select opening from operation_journal').pluck().get() as Buffer
  const { intent } = JSON.parse(opening.toString()) as { intent: { salt: string; content: string } }
  expect(JSON.parse(intent.content)).toEqual(someArgs)
  expect(file.entries()[0]!.intent).toBe(commitment(intent.salt, intent.content))
  expect(file.texts()[0]).not.toContain('a poster')
})

test('a secret of ours among the arguments is not kept, and arguments that are too long are left out', () => {
  const operation = {
    handle: 'h',
    tool: 't',
    platform: 'codex',
    requestHash: 'x',
    identity: 'harness',
    happenedAt: '',
  } as const
  const entry = (argsText: string, hasTexts = true) => {
    const keeping = { hasTexts, redact: (text: string) => text.replace('canary', '<redacted>'), salt: () => 's' }
    return openedEntry({ ...operation, args: {}, argsText }, { principal: 'p', client: 'c'.repeat(500) }, keeping)
  }
  expect(entry('{"reason":"canary"}')).toMatchObject({
    members: { redacted: true, client: null },
    openings: { intent: { content: '{"reason":"<redacted>"}' } },
  })
  expect(entry('x'.repeat(17_000)).members).toMatchObject({ intent: null, intent_omitted: true })
  expect(entry('{}', false)).toMatchObject({ members: { intent: null }, openings: undefined })
})

test('two processes that seal the same operation append each entry once', async () => {
  using file = new JournalFile()
  await file.begin()
  const [one, two] = [file.process(), file.process()]
  const handle = file.buy(one, { digits: 'a1' })
  file.answer(handle, {
    decision: 'needs_approval',
    approval: { approval_request_id: 'r', review: { amount_cents: 25 } },
  })
  await Promise.all([one.sealer.sealAll(), two.sealer.sealAll()])
  file.clock.skip(-7_200_000)
  await Promise.all([two.sealer.sealAll(), one.sealer.sealAll()])
  expect(kinds(file)).toEqual(['opened', 'answered'])
  file.answer(handle, { decision: 'allow', auth_token_id: 'tok' })
  await one.sealer.sealAll()
  expect(kinds(file)).toEqual(['opened', 'answered', 'answered'])
  const links = file.texts().map(linkTo)
  expect(file.entries().map(({ prev }) => prev)).toEqual(['0'.repeat(64), ...links.slice(0, -1)])
})

test('what a process that died has left is sealed by the next one, with its own times', async () => {
  using file = new JournalFile()
  await file.begin()
  const handle = file.buy(file.process(), { digits: 'a1' })
  file.change(handle, { decision: 'allow', result_json: '{}', result_recorded_at: '2026-11-29T00:00:00.000Z' })
  file.change(handle, { gongbu_create_started_at: '2026-11-29T00:00:02.000Z', operation_state: 'succeeded' })
  file.change(handle, {
    gongbu_status: 'succeeded',
    operation_result_code: 'execution_succeeded',
    gongbu_execution_id: 'e',
  })
  file.clock.skip(60_000)
  await file.process().sealer.sealAll()
  expect(kinds(file)).toEqual(['opened', 'answered', 'bound', 'observed', 'finished'])
  expect(file.facts(handle)).toMatchObject({ principal: 'local', amount_minor: 25, answer: null, is_final: 0 })
})

test('operations without a first entry are a gap, told once', async () => {
  using file = new JournalFile()
  await file.begin()
  const one = file.process()
  file.buy(one, { digits: 'a1' })
  file.database.exec('delete from operation_journal')
  await one.sealer.sealAll()
  await file.process().sealer.sealAll()
  expect(file.entries()).toMatchObject([{ kind: 'resumed', operation: 0, gap: 1 }])
})

test('an operation is final when nothing can happen to it and its answer was taken', async () => {
  using file = new JournalFile()
  await file.begin()
  const { sealer, ...one } = file.process()
  const handle = file.buy({ sealer, ...one }, { digits: 'a1', tool: 'hubu_submit_spend' })
  file.answer(handle, { decision: 'allow', payment: { status: 'succeeded' } })
  sealer.deliveries.written(handle, 'c-1', 1)
  await sealer.sealAll()
  expect(file.facts(handle)).toMatchObject({ answer: 'written', is_final: 0 })
  sealer.deliveries.wentOn('c-1', 2)
  await sealer.sealAll()
  expect(file.facts(handle)).toMatchObject({ answer: 'taken', is_final: 1, answer_at: expect.any(String) as string })
  expect(file.entries().at(-1)).toMatchObject({ kind: 'delivered', delivery: 'taken', basis: 'went_on' })
  expect(file.facts(handleOf('b2'))).toBeUndefined()
})

test('a note is sealed within a quarter of a second, and nothing ticks when nothing is open', async () => {
  using file = new JournalFile()
  await file.begin()
  const one = file.process()
  const handle = file.buy(one, { digits: 'a1' })
  file.answer(handle, { decision: 'deny' })
  one.sealer.deliveries.cancelled(handle)
  expect(Math.max(...file.clock.timed)).toBeLessThanOrEqual(250)
  await file.clock.pass(250)
  expect(kinds(file)).toEqual(['opened', 'answered', 'delivered'])
  expect(file.facts(handle)).toMatchObject({ is_final: 1 })
  await file.clock.pass(3_600_000)
  expect(file.clock.pending).toBe(0)
  await one.sealer.stop()
})

test('what cannot change any more, or does not, costs no further commit', async () => {
  using file = new JournalFile()
  await file.begin()
  const one = file.process()
  const approved = file.buy(one, { digits: 'a', tool: 'hubu_submit_spend' })
  const paid = { decision: 'needs_approval', payment: { status: 'succeeded' }, requires_human_approval: false }
  file.answer(approved, paid)
  file.buy(one, { digits: 'b' })
  file.clock.advance(25 * 3_600_000)
  await one.sealer.sealAll()
  expect(file.facts(approved)).toMatchObject({ is_final: 1 })
  expect(file.facts(handleOf('b'))).toMatchObject({ is_final: 0 })
  const changes = () => one.database.prepare('select total_changes()').pluck().get()
  const before = changes()
  await one.sealer.sealAll()
  expect(changes()).toBe(before)
})
